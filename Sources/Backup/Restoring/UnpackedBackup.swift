import Configuration
import Foundation
import Journal
import Languages
import Logging
import Weighing

/// A backup that has been read and checked completely; nothing is restored yet.
struct UnpackedBackup {
  let manifest: BackupManifest
  /// The content of its files, except for the journal.
  let texts: [BackupManifest.Name: [UInt8]]
  /// The configuration with the settings.
  let configuration: Configuration
  /// The destinations of its files.
  let targets: RestoreTargets
  /// The folder with the unpacked journal, on the file system of its destination.
  let staging: StagingFolder

  /// The path of the unpacked journal.
  var journal: String { staging.file("journal") }

  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - destination: The absolute path of the configuration.
  ///   - isTrial: Whether nothing will be restored, so that the folder for temporary files is used.
  /// - Throws: `.refused` if the backup is damaged or invalid.
  init(_ archive: OpenFile, to destination: String, isTrial: Bool, logger: Logger) throws(BackupError) {
    var reader = TarReader(archive, folder: BackupManifest.folder)
    manifest = try BackupManifest(try reader.file(BackupManifest.fileName, limit: BackupManifest.mostBytes))
    var texts: [BackupManifest.Name: [UInt8]] = [:]
    for (name, part) in manifest.parts where name != .journal { texts[name] = try Self.text(name, part, from: &reader) }
    self.texts = texts
    let layers = try Self.check(texts)
    configuration = layers.effective
    guard configuration.device.id == manifest.device else {
      throw .refused(.altered(BackupManifest.Name.configuration.rawValue))
    }
    targets = try RestoreTargets(layers, at: destination, hasCalibration: texts[.calibration] != nil)
    staging = isTrial ? try StagingFolder() : try StagingFolder(in: targets.journal.draftFolder)
    try staging.requireRoom(for: manifest.journal.size, as: targets.journal.path)
    try Self.unpackJournal(manifest, from: &reader, to: staging.file("journal"), as: targets.journal.path)
    if let more = try reader.next() { throw .refused(.unexpected(more.name, insteadOf: Sentence(.archiveEnd))) }
    try Self.verify(staging.file("journal"), manifest.extent, logger)
  }

  private static func text(
    _ name: BackupManifest.Name, _ part: BackupManifest.Part, from reader: inout TarReader
  ) throws(BackupError) -> [UInt8] {
    let bytes = try reader.file(name.rawValue, limit: ConfigurationFile.maximumBytes)
    guard bytes.count == part.size, Digest(of: bytes).text == part.digest else {
      throw .refused(.altered(name.rawValue))
    }
    return bytes
  }

  /// Checks the files as `check` does.
  private static func check(_ texts: [BackupManifest.Name: [UInt8]]) throws(BackupError) -> LayeredConfiguration {
    var name = BackupManifest.Name.configuration
    do throws(ConfigurationError) {
      let layers = try LayeredConfiguration(
        bytes: texts[.configuration] ?? [], file: name.rawValue, settings: texts[.settings],
        settingsFile: BackupManifest.Name.settings.rawValue)
      name = .previousSettings
      if let bytes = texts[name] { try LayeredConfiguration.checkSettings(bytes, file: name.rawValue) }
      name = .calibration
      if let bytes = texts[name] { _ = try StoredCalibration.parse(bytes: bytes, file: name.rawValue) }
      return layers
    } catch {
      // The advice on a settings file is for the file of an appliance.
      guard case .invalidSettings(let file, let diagnostics) = error else {
        throw .refused(.unusable(name.rawValue, error.sentence))
      }
      throw .refused(.unusable(file, .lines(diagnostics.map(\.sentence))))
    }
  }

  private static func unpackJournal(
    _ manifest: BackupManifest, from reader: inout TarReader, to path: String, as target: String
  ) throws(BackupError) {
    let file = try OpenFile(creating: path, name: target)
    var digest = RunningDigest()
    try reader.file(BackupManifest.Name.journal.rawValue, size: manifest.journal.size) {
      (piece) throws(BackupError) in
      piece.withUnsafeBytes { digest.update($0) }
      try file.write(piece)
    }
    guard digest.finish().text == manifest.journal.digest else {
      throw .refused(.altered(BackupManifest.Name.journal.rawValue))
    }
  }

  /// Verifies the journal as `history verify` does, and that it matches the manifest.
  private static func verify(_ path: String, _ extent: JournalExtent, _ logger: Logger) throws(BackupError) {
    let name = BackupManifest.Name.journal.rawValue
    guard FileKind(of: path) == .journal else { throw .refused(.unusable(name, Sentence(.archiveNoJournal))) }
    var defect: Sentence?
    do throws(JournalError) {
      let journal = Journal.reader(path: path, logger: logger)
      if let first = try journal.verify().faults.first {
        defect = Sentence(.archiveVerification, ["fault": first.sentence])
      } else if try journal.extent() != extent {
        defect = Sentence(.archiveManifest)
      }
    } catch {
      switch error {
      case .other(path, let reason): throw .refused(.unusable(name, .verbatim(reason)))
      case .full: throw .file(FileFailure(path, .write, .noSpace))
      default: throw .refused(.unusable(name, error.reason))  // of the copy
      }
    }
    if let defect { throw .refused(.unusable(name, defect)) }
  }
}
