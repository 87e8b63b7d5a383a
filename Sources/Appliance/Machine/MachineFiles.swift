import Foundation

/// Where the appliance and the scripts of the image, which run as root, exchange requests and the state of the machine.
package struct MachineFiles: Hashable, Sendable {
  /// The file with the state, which only root writes.
  package let state: String
  /// The file with the request of the appliance, which root takes away.
  package let request: String

  /// Makes the paths.
  ///
  /// - Parameters:
  ///   - folder: The folder of root.
  ///   - runtimeFolder: The folder of the appliance.
  package init(folder: String, runtimeFolder: String) {
    (state, request) = (folder + "/state.json", runtimeFolder + "/machine.request")
  }

  /// The folders that the image names; `nil` elsewhere. RUNTIME_DIRECTORY is that of systemd.exec(5).
  package static func inherited(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> MachineFiles?
  {
    guard let folder = environment["GRAMPAD_MACHINE"], !folder.isEmpty,
      let runtime = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first
    else { return nil }
    return MachineFiles(folder: folder, runtimeFolder: String(runtime))
  }
}
