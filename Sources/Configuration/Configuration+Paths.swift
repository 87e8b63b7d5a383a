import EventLoop
import Foundation

extension Configuration {
  /// The configuration with absolute paths, for opening the files.
  ///
  /// Relative paths of `mqtt` start from the folder of the configuration. The journal is data, so a relative `journal.path`
  /// starts from the state folder, which under systemd is not that of the configuration (`StateDirectory=`, passed as
  /// STATE_DIRECTORY).
  ///
  /// - Parameters:
  ///   - folder: The folder of the configuration file, or the working directory without a file.
  ///   - stateFolder: The folder for data; default: `folder`.
  package func resolvingPaths(in folder: String, stateFolder: String? = nil) -> Configuration {
    var result = self
    result.mqtt = mqtt.resolvingPaths(in: folder)
    if let file = dashboard.tokenFile { result.dashboard.tokenFile = absolutePath(file, in: folder) }
    result.journal.path = absolutePath(journal.path, in: stateFolder ?? folder)
    return result
  }
}

extension Configuration {
  /// The path of the journal.
  ///
  /// - Parameter folder: The folder of the configuration file, or the working directory without a file; the state folder of
  ///   a service manager (STATE_DIRECTORY, see systemd.exec(5)) takes precedence.
  package func journalPath(in folder: String) -> String {
    let state = ProcessInfo.processInfo.environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
    return resolvingPaths(in: folder, stateFolder: state).journal.path
  }
}

extension Configuration.MQTT {
  /// The section with the absolute paths of its files.
  func resolvingPaths(in folder: String) -> Self {
    var result = self
    for (_, path) in Self.files {
      if let file = self[keyPath: path] { result[keyPath: path] = absolutePath(file, in: folder) }
    }
    return result
  }
}
