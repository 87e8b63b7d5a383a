import Configuration
import Foundation
import Journal
import Linux
import Logging
import Messages
import Weighing

/// The files of an appliance to back up: configuration, settings, calibration and journal. The appliance may be running.
package struct BackupWriter: Sendable {
  private let device: String
  /// All files but the journal, in the order of the backup.
  private let texts: [(name: BackupManifest.Name, path: String, bytes: [UInt8])]
  private let journalPath: String
  private let logger: Logger

  /// Reads the configuration, the settings and the calibration, and finds the journal.
  ///
  /// - Throws: `BackupError.configuration` if a file cannot be read or is invalid.
  package init(_ file: ConfigurationFile, logger: Logger) throws(BackupError) {
    self.logger = logger
    do throws(ConfigurationError) {
      // The backup contains exactly the bytes that are validated here.
      let bytes = try configurationFileBytes(file.location, name: file.path)
      var texts = [(BackupManifest.Name.configuration, file.location, bytes)]
      let settings = try Configuration.parse(bytes: bytes, file: file.path).settingsFile(in: file.folder)
      let current = try settings.read()
      let configurations = try LayeredConfiguration(
        bytes: bytes, file: file.path, settings: current, settingsFile: settings.path)
      if let current { texts.append((.settings, settings.path, current)) }
      if let previous = try settings.readPrevious() {
        try LayeredConfiguration.checkSettings(previous, file: settings.previousPath)
        texts.append((.previousSettings, settings.previousPath, previous))
      }
      if let calibration = configurations.calibrationFile(in: file.folder),
        FileSystem.exists(calibration.path)
      {
        let bytes = try configurationFileBytes(calibration.path, name: calibration.path)
        _ = try StoredCalibration.parse(bytes: bytes, file: calibration.path)
        texts.append((.calibration, calibration.path, bytes))
      }
      self.texts = texts
      device = configurations.configured.device.id
      journalPath = absolutePath(
        configurations.configured.journalPath(in: file.folder), in: FileManager.default.currentDirectoryPath)
    } catch {
      throw .configuration(error)
    }
  }

  /// Writes a backup. If this throws, nothing was written.
  ///
  /// The backup has a consistent, verified snapshot of the journal, even if the appliance records weighings meanwhile.
  ///
  /// - Parameter time: The time of day.
  package func save(to target: NewFile, at time: Instant) throws(BackupError) -> BackupManifest {
    let staging = try target.staging()
    let copy = staging.file("journal")
    let extent = try copyJournal(to: copy, target)
    let journal = try OpenFile(reading: copy, name: journalPath)
    let size = try Int(journal.status().size)
    let manifest = BackupManifest(
      version: Version.text, time: WallClock.recorded.text(time), device: device,
      texts: Dictionary(uniqueKeysWithValues: texts.map { ($0.name, Self.part($0.path, $0.bytes)) }),
      journal: .init(path: journalPath, size: size, digest: try Self.digest(journal)), extent: extent)
    let draft = try target.draft(in: staging)
    let archive = TarWriter(
      to: draft, folder: BackupManifest.folder, time: Int(time.nanoseconds / 1_000_000_000))
    try archive.add(BackupManifest.fileName, manifest.json)
    for text in texts { try archive.add(text.name.rawValue, text.bytes) }
    try archive.add(BackupManifest.Name.journal.rawValue, try OpenFile(reading: copy, name: journalPath), size: size)
    try archive.end()
    try target.publish(draft, in: staging)
    return manifest
  }

  /// Copies the journal and verifies the copy; returns its extent.
  private func copyJournal(to copy: String, _ target: NewFile) throws(BackupError) -> JournalExtent {
    do throws(JournalError) {
      try Journal.reader(path: journalPath, logger: logger).copy(to: copy)
      let copied = Journal.reader(path: copy, logger: logger)
      let verification = try copied.verify()
      guard verification.isClean else { throw .corrupt(path: copy, keptAside: "\(verification.faults.count)") }
      return try copied.extent()
    } catch {
      switch error {
      case .corrupt(copy, let faults?): throw .journalAltered(journalPath, faults: Int(faults) ?? 1)
      case .corrupt: throw .journalAltered(journalPath, faults: 1)
      // The user does not know the copy: report the file that is being created.
      case .full(copy): throw .file(FileFailure(target.isStandardOutput ? copy : target.path, .write, .noSpace))
      default: throw .journal(error)  // the description is sufficient
      }
    }
  }

  private static func part(_ path: String, _ bytes: [UInt8]) -> BackupManifest.Part {
    .init(path: path, size: bytes.count, digest: Digest(of: bytes).text)
  }

  private static func digest(_ file: OpenFile) throws(BackupError) -> String {
    var digest = RunningDigest()
    while true {
      let piece = try file.read(atMost: .max)
      if piece.isEmpty { return digest.finish().text }
      piece.withUnsafeBytes { digest.update($0) }
    }
  }
}
