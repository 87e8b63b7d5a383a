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

  /// The settings file: its path is that of the journal with `.settings.yaml` for `.db`.
  ///
  /// Its name follows that of the journal because several appliances may keep their journals in one folder.
  ///
  /// - Parameter folder: The absolute folder of the configuration file.
  package func settingsFile(in folder: String) -> SettingsFile {
    let journal = journalPath(in: folder)
    return SettingsFile(path: (journal.hasSuffix(".db") ? String(journal.dropLast(3)) : journal) + ".settings.yaml")
  }
}
