import Configuration
import Journal
import Linux
import Messages
import Weighing

/// The description of a backup: `manifest.json`, its first file.
///
/// ```json
/// {"format": "grampad-backup", "format_version": 2, "version": "0.1.0", "time": "2026-11-21T06:30:00.123Z",
///  "device": "grampad",
///  "files": [{"name": "grampad.yaml", "path": "/etc/grampad/grampad.yaml", "size": 120, "sha256": "..."}, ...],
///  "journal": {"records": 9, "weighings": 6, "last_sequence": 6, "head": "...", "waiting": 0, "parked": 0}}
/// ```
package struct BackupManifest: Hashable, Sendable {
  /// One file.
  package struct Part: Hashable, Sendable {
    /// Its original path, absolute.
    package var path: String
    /// Its size in bytes.
    package var size: Int
    /// Its SHA-256, 64 hexadecimal digits.
    package var digest: String
  }

  /// The files of a backup, in order.
  package enum Name: String, CaseIterable, Sendable {
    /// The configuration file.
    case configuration = "grampad.yaml"
    /// The file with the settings of the page; not in every backup.
    case settings = "grampad.settings.yaml"
    /// The settings before the last change; not in every backup.
    case previousSettings = "grampad.settings.yaml.previous"
    /// The calibration file; not in every backup.
    case calibration = "calibration.yaml"
    /// A copy of the journal, complete without a `-wal` file.
    case journal = "grampad.db"
  }

  /// The version of the program that made the backup.
  package var version: String
  /// The time of the backup, RFC 3339 in UTC.
  package var time: String
  /// The `device.id` of the configuration.
  package var device: String
  /// The files that existed, except for the journal; the configuration is always among them.
  package var texts: [Name: Part]
  /// The journal.
  package var journal: Part
  /// The extent of the journal.
  package var extent: JournalExtent

  /// The folder in the archive that contains all files.
  static let folder = "grampad-backup"
  static let fileName = "manifest.json"
  /// A manifest is about 1 KiB.
  static let mostBytes = 1 << 16
  private static let format = "grampad-backup"
  /// Version 1 has no settings files.
  private static let formatVersion = 2

  /// The text of the file.
  package var json: [UInt8] {
    JSONWriter.object { json in
      json.fields(
        ("format", Self.format), ("format_version", Self.formatVersion), ("version", version), ("time", time),
        ("device", device))
      json.array("files", parts) { json, file in
        json.object { json in
          json.fields(
            ("name", file.name.rawValue), ("path", file.part.path), ("size", file.part.size),
            ("sha256", file.part.digest))
        }
      }
      json.object("journal") { $0.fields(of: extent) }
    } + [UInt8(ascii: "\n")]
  }

  /// The files in this backup, in order.
  package var parts: [(name: Name, part: Part)] {
    Name.allCases.compactMap { name in (name == .journal ? journal : texts[name]).map { (name, $0) } }
  }
}

extension BackupManifest {
  /// Parses a manifest, which may come from anywhere.
  ///
  /// - Throws: `.refused`.
  init(_ bytes: [UInt8]) throws(BackupError) {
    guard let json = try? JSONValue(bytes, maximumBytes: Self.mostBytes), json["format"]?.text == Self.format,
      let formatVersion = json["format_version"]?.count, let version = json["version"]?.text
    else { throw .refused(.foreign) }
    guard (1...Self.formatVersion).contains(formatVersion) else { throw .refused(.newer(version)) }
    guard let time = json["time"]?.text, Self.isTime(time), let device = json["device"]?.text,
      case .array(let files) = json["files"],
      let extent = json["journal"].flatMap(JournalExtent.init)
    else { throw .refused(.foreign) }
    var parts: [Name: Part] = [:]
    for file in files {
      guard let name = file["name"]?.text.flatMap(Name.init), parts[name] == nil, let path = file["path"]?.text,
        let size = file["size"]?.count, let digest = file["sha256"]?.text
      else { throw .refused(.foreign) }
      parts[name] = Part(path: path, size: size, digest: digest)
    }
    guard parts[.configuration] != nil, let journal = parts.removeValue(forKey: .journal) else {
      throw .refused(.foreign)
    }
    self.init(version: version, time: time, device: device, texts: parts, journal: journal, extent: extent)
  }
}

extension BackupManifest {
  /// The time of the backup for people: local, with the abbreviation of the time zone.
  package var localTime: String {
    guard let instant = PointInTime(time, now: Instant(nanoseconds: 0))?.instant else { return time }
    let moment = LocalMoment(instant)
    return "\(moment.text) \(moment.zone)"
  }

  /// Whether a text looks like a time written by `WallClock`; it is shown on terminals.
  private static func isTime(_ text: String) -> Bool {
    text.utf8.count == 24 && text.utf8.allSatisfy { isDigitByte($0) || "-:.TZ".utf8.contains($0) }
  }
}

extension JournalExtent {
  fileprivate init?(_ json: JSONValue) {
    guard let records = json["records"]?.count, let weighings = json["weighings"]?.count,
      let lastSequence = json["last_sequence"]?.count, let head = json["head"]?.text,
      let waiting = json["waiting"]?.count, let parked = json["parked"]?.count
    else { return nil }
    self.init(
      records: records, weighings: weighings, lastSequence: lastSequence, head: head,
      outbox: OutboxDepth(waiting: waiting, parked: parked))
  }
}

extension JSONValue {
  /// A non-negative integer that a `Double` represents exactly.
  fileprivate var count: Int? {
    guard case .number(let number) = self, number >= 0, number < 9e15 else { return nil }
    return Int(exactly: number)
  }
}

extension JSONWriter {
  /// Adds the extent of a journal to the current object.
  mutating func fields(of extent: JournalExtent) {
    fields(
      ("records", extent.records), ("weighings", extent.weighings), ("last_sequence", extent.lastSequence),
      ("head", extent.head), ("waiting", extent.outbox.waiting), ("parked", extent.outbox.parked))
  }
}
