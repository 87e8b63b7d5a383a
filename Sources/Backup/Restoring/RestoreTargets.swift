import Configuration
import Foundation
import Journal
import Languages
import Linux
import SystemPackage
import Weighing

/// The destinations of the files of a backup, according to its configuration.
struct RestoreTargets {
  let configuration: Target
  let settings: Target
  let previousSettings: Target
  /// `nil` if the configuration has no calibration file.
  let calibration: Target?
  let journal: Target

  /// The destination of a file.
  struct Target: Hashable {
    /// The absolute path, with symbolic links resolved.
    let path: String

    init(_ path: String) {
      if let real = realpath(path, nil) {
        self.path = String(cString: real)
        free(real)
      } else {
        self.path = path
      }
    }

    /// Its folder.
    var folder: String { parentFolder(of: path) }
    /// Whether the folder must be created.
    var isFolderMissing: Bool { !FileSystem.exists(folder) }
    /// The folder for drafts: its folder, or the parent if that is missing.
    var draftFolder: String { isFolderMissing ? parentFolder(of: folder) : folder }
    /// The status of the current file, if there is one. `stat(2)`
    var status: Stat? { try? Stat(path) }

    /// Throws if this process may not read the file. `access(2)`
    func requireReadable() throws(BackupError) {
      try FileFailure.checked(path, .open) { try FileSystem.checkReadable(path) }
    }
  }

  /// The destination of a file.
  subscript(_ name: BackupManifest.Name) -> Target? {
    switch name {
    case .configuration: configuration
    case .settings: settings
    case .previousSettings: previousSettings
    case .calibration: calibration
    case .journal: journal
    }
  }

  /// Finds the destinations, and refuses those occupied by another kind of file.
  ///
  /// - Parameter destination: The absolute path of the configuration.
  init(_ configuration: LayeredConfiguration, at destination: String, hasCalibration: Bool) throws(BackupError) {
    let folder = parentFolder(of: destination)
    self.configuration = Target(destination)
    calibration = configuration.calibrationFile(in: folder).map { Target($0.path) }
    journal = Target(configuration.configured.journalPath(in: folder))
    let settings = configuration.configured.settingsFile(in: folder)
    self.settings = Target(settings.path)
    previousSettings = Target(settings.previousPath)
    let paths =
      [self.configuration.path, self.settings.path, previousSettings.path, journal.path]
      + (calibration.map { [$0.path] } ?? [])
    let companions = Replacement.companionSuffixes.map { journal.path + $0 }
    guard Set(paths + companions).count == paths.count + companions.count else {
      throw .refused(.unusable(BackupManifest.Name.configuration.rawValue, Sentence(.archiveSameFile)))
    }
    // The paths are shown on terminals.
    guard !paths.contains(where: { $0.unicodeScalars.contains(where: isControl) }) else {
      throw .refused(
        .unusable(BackupManifest.Name.configuration.rawValue, Sentence(.archiveControlCharacters)))
    }
    guard calibration != nil || !hasCalibration else {
      throw .refused(.unusable(BackupManifest.Name.calibration.rawValue, Sentence(.archiveNoCalibration)))
    }
    try refuseOtherFiles()
  }

  /// Only a file of the same kind is replaced: the configuration in a backup could refer to any file on this machine.
  private func refuseOtherFiles() throws(BackupError) {
    // A settings file that is damaged is replaced: no other file has its name.
    for target in [configuration, settings, previousSettings] {
      if let status = target.status, status.type != .regular {
        throw .occupied(path: target.path, expected: .backupRegularFile)
      }
    }
    if let calibration, calibration.status != nil {
      let bytes = try? fileBytes(calibration.path, limit: ConfigurationFile.maximumBytes)
      guard let bytes, (try? StoredCalibration.parse(bytes: bytes, file: calibration.path)) != nil else {
        try calibration.requireReadable()
        throw .occupied(path: calibration.path, expected: .backupCalibrationFile)
      }
    }
    switch FileKind(of: journal.path) {
    case .missing, .empty, .journal: break
    case .other:
      try journal.requireReadable()
      throw .occupied(path: journal.path, expected: .backupJournalFile)
    }
  }
}
