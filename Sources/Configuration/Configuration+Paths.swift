import Foundation

extension Configuration {
  /// The path of the journal.
  ///
  /// - Parameter folder: The folder of the configuration file, or the working directory without a file; the state folder of
  ///   a service manager (STATE_DIRECTORY, see systemd.exec(5)) takes precedence.
  package func journalPath(in folder: String) -> String {
    resolvingPaths(in: folder, stateFolder: Self.serviceFolder("STATE_DIRECTORY")).journal.path
  }

  /// The absolute path of the link to the pseudo-terminal of MT-SICS; `nil` for none.
  ///
  /// - Parameter folder: As for `journalPath(in:)`; the runtime folder of a service manager (RUNTIME_DIRECTORY, see
  ///   systemd.exec(5)) takes precedence.
  package func sicsTerminalPath(in folder: String) -> String? {
    resolvingPaths(in: folder, runtimeFolder: Self.serviceFolder("RUNTIME_DIRECTORY")).sics.terminal
  }

  /// The first folder in a variable of a service manager.
  private static func serviceFolder(_ variable: String) -> String? {
    ProcessInfo.processInfo.environment[variable]?.split(separator: ":").first.map(String.init)
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
