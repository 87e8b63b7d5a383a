import Foundation

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
