import Configuration
import EventLoop
import Foundation
import Glibc
import Journal

/// The files that a backup is brought back to, as its configuration names them.
struct RestoreTargets {
  let configuration: Target
  /// `nil` where the configuration names no calibration file.
  let calibration: Target?
  let journal: Target

  /// One file.
  struct Target: Hashable {
    /// The file itself, also where its name is a symbolic link; absolute.
    let path: String

    init(_ path: String) {
      if let real = realpath(path, nil) {
        self.path = String(cString: real)
        free(real)
      } else {
        self.path = path
      }
    }

    /// The folder it is in.
    var folder: String { parentFolder(of: path) }
    /// Whether that folder has yet to be made.
    var isFolderMissing: Bool { access(folder, F_OK) != 0 }
    /// Where drafts of it are made: its folder, or the one above while that is missing.
    var draftFolder: String { isFolderMissing ? parentFolder(of: folder) : folder }
    /// What is there now. `stat(2)`
    var status: stat? {
      var status = stat()
      return stat(path, &status) == 0 ? status : nil
    }
  }

  /// Finds the places, and refuses those where something else is.
  ///
  /// - Parameter place: That of the configuration, absolute.
  init(_ configuration: Configuration, at place: String, hasCalibration: Bool) throws(BackupError) {
    let folder = parentFolder(of: place)
    self.configuration = Target(place)
    calibration = configuration.calibrationFile(in: folder).map { Target($0.path) }
    journal = Target(configuration.journalPath(in: folder))
    let paths = [self.configuration.path, journal.path] + (calibration.map { [$0.path] } ?? [])
    let companions = Replacement.companionEnds.map { journal.path + $0 }
    guard Set(paths + companions).count == paths.count + companions.count else {
      throw .refused(.unusable(BackupManifest.Name.configuration.rawValue, "it uses the same file for two purposes"))
    }
    // They are shown on terminals.
    guard paths.allSatisfy({ $0 == printable($0, limit: 8192) }) else {
      throw .refused(
        .unusable(BackupManifest.Name.configuration.rawValue, "the path of a file contains control characters"))
    }
    guard calibration != nil || !hasCalibration else {
      throw .refused(.unusable(BackupManifest.Name.calibration.rawValue, "the configuration has no calibration.file"))
    }
    try refuseStrangers()
  }

  /// Only what is of the same kind is replaced: a configuration from elsewhere may name any file of the machine.
  private func refuseStrangers() throws(BackupError) {
    if let status = configuration.status, status.st_mode & S_IFMT != S_IFREG {
      throw .occupied(path: configuration.path, expected: "a regular file")
    }
    if let calibration, calibration.status != nil {
      let bytes = try? fileBytes(calibration.path, limit: ConfigurationFile.mostBytes)
      guard let bytes, (try? CalibrationRecord.parse(bytes: bytes, file: calibration.path)) != nil else {
        if access(calibration.path, R_OK) != 0 { throw .file(FileFault(calibration.path, .open, errno)) }
        throw .occupied(path: calibration.path, expected: "a calibration file")
      }
    }
    switch FileKind(of: journal.path) {
    case .missing, .empty, .journal: break
    case .other:
      if access(journal.path, R_OK) != 0 { throw .file(FileFault(journal.path, .open, errno)) }
      throw .occupied(path: journal.path, expected: "a grampad journal")
    }
  }
}
