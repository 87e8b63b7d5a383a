import EventLoop
import Foundation

extension Configuration {
  /// The configuration with absolute paths, for those who open the files.
  ///
  /// The files of `mqtt` belong to the configuration: relative ones start from its folder. The journal is what the
  /// appliance writes, so `journal.path` starts from the state folder, which under systemd is not that of the
  /// configuration (`StateDirectory=`, handed over as STATE_DIRECTORY).
  ///
  /// - Parameters:
  ///   - folder: The folder of the configuration file, or the working directory without a file.
  ///   - stateFolder: Where data is kept; the same folder unless given.
  package func resolvingPaths(in folder: String, stateFolder: String? = nil) -> Configuration {
    var result = self
    result.mqtt = mqtt.resolvingPaths(in: folder)
    if let file = dashboard.tokenFile { result.dashboard.tokenFile = absolutePath(file, in: folder) }
    result.journal.path = absolutePath(journal.path, in: stateFolder ?? folder)
    return result
  }
}

extension Configuration {
  /// The file of the journal.
  ///
  /// - Parameter folder: That of the configuration file, or the working directory without a file; the state folder of a
  ///   service manager (STATE_DIRECTORY, see systemd.exec(5)) comes before it.
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
