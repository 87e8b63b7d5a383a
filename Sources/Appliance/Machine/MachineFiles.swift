import Foundation

/// Where the appliance and the scripts of the image, which run as root, exchange requests and the state of the machine.
package struct MachineFiles: Hashable, Sendable {
  /// The file with the state, which only root writes.
  package let state: String
  /// The file with the request of the appliance, which root takes away.
  package let request: String
  /// The backup that root has made.
  package let backup: String
  /// The backup that a client has uploaded; root reads it.
  package let upload: String

  /// Makes the paths.
  ///
  /// - Parameters:
  ///   - folder: The folder of root.
  ///   - runtimeFolder: The folder of the appliance.
  ///   - stateFolder: The folder of the appliance on the disk; `nil` if it is the same.
  package init(folder: String, runtimeFolder: String, stateFolder: String? = nil) {
    (state, request) = (folder + "/state.json", runtimeFolder + "/machine.request")
    (backup, upload) = (folder + "/backup.tar", (stateFolder ?? runtimeFolder) + "/machine.restore")
  }

  /// The folders that the image names; `nil` elsewhere. RUNTIME_DIRECTORY and STATE_DIRECTORY are those of systemd.exec(5).
  package static func inherited(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> MachineFiles?
  {
    guard let folder = environment["GRAMPAD_MACHINE"], !folder.isEmpty,
      let runtime = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first
    else { return nil }
    let state = environment["STATE_DIRECTORY"]?.split(separator: ":").first
    return MachineFiles(folder: folder, runtimeFolder: String(runtime), stateFolder: state.map(String.init))
  }
}
