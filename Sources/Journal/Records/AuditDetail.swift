import Foundation
import Weighing

/// The state salvaged from a file that is unreadable or missing.
struct SalvagedState: Hashable, Sendable {
  /// The highest known sequence number.
  var sequence = 0
  /// The number of its first weighing; `nil` if that cannot be read.
  var first: Int?
  /// The highest known counters.
  var counters: [AuditKind: Int] = [:]
  /// The hash of its last record, 64 hexadecimal digits; `nil` if that cannot be read.
  var hash: String?
  /// The path under which it is kept; `nil` if it is gone.
  var keptAside: String?
  /// Why another file was started.
  var reason = ""

  /// The combination of both, with the higher of each number.
  func joined(_ other: SalvagedState) -> SalvagedState {
    var both = sequence >= other.sequence ? self : other
    both.counters = counters.merging(other.counters, uniquingKeysWith: max)
    both.first = [first, other.first].compactMap(\.self).min()
    both.keptAside = keptAside ?? other.keptAside
    both.reason = reason.isEmpty ? other.reason : reason
    return both
  }
}

/// The entries of the audit trail made by the journal itself.
extension AuditEntry {
  /// The first file was created.
  static let begun = AuditEntry(kind: .journal, detail: #"{"begun":true}"#)

  /// A file was created that continues another one.
  static func continued(_ salvaged: SalvagedState) -> AuditEntry {
    let counters = Dictionary(uniqueKeysWithValues: salvaged.counters.map { ($0.key.rawValue, $0.value) })
    return AuditEntry(
      .journal,
      Continuation(
        continued: true, counters: counters, hash: salvaged.hash, keptAside: salvaged.keptAside,
        reason: salvaged.reason,
        sequence: salvaged.sequence))
  }

  /// The calibration has changed.
  static func calibration(_ hash: String) -> AuditEntry { AuditEntry(.calibration, ["hash": hash]) }

  /// The configuration has changed.
  static func configuration(_ hash: String) -> AuditEntry { AuditEntry(.configuration, ["hash": hash]) }

  /// A weighing was voided by a record.
  static func void(_ voided: WeighingID, by record: WeighingID) -> AuditEntry {
    AuditEntry(.void, ["id": record.description, "voids": voided.description])
  }

  /// A container was stored, or removed: `nil` for its tare.
  static func container(_ name: ContainerName, tare: Grams?) -> AuditEntry {
    AuditEntry(
      .container, StoredContainer(name: name.description, tare: tare?.value, removed: tare == nil ? true : nil))
  }

  private struct StoredContainer: Encodable {
    var name: String
    var tare: Double?
    var removed: Bool?

    private enum CodingKeys: String, CodingKey {
      case name, tare = "tare_g", removed
    }
  }

  /// The journal was restored from a backup.
  ///
  /// - Parameters:
  ///   - backupTime: The time of the backup, RFC 3339 in UTC.
  ///   - keptAside: The path of the replaced journal; `nil` if there was none.
  ///   - missing: Number of weighings of the replaced journal that are not in this one; `nil` if unknown.
  package static func restored(backupTime: String, keptAside: String?, missing: Int?) -> AuditEntry {
    AuditEntry(
      .journal, Restoration(backupTime: backupTime, keptAside: keptAside, missing: missing, restored: true))
  }

  private struct Restoration: Encodable {
    var backupTime: String
    var keptAside: String?
    var missing: Int?
    var restored: Bool

    private enum CodingKeys: String, CodingKey {
      case backupTime = "backup_time", keptAside = "kept_aside", missing, restored
    }
  }

  /// The state that the first entry of a file continues from; `nil` if it does not continue another file.
  var continuation: Continuation? {
    kind == .journal ? try? JSONDecoder().decode(Continuation.self, from: Data(detail.utf8)) : nil
  }

  init(_ kind: AuditKind, _ detail: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding cannot fail: the details contain only texts, finite numbers and Booleans.
    let data = (try? encoder.encode(detail)) ?? Data("{}".utf8)
    let text = String(decoding: data, as: UTF8.self)
    self.init(kind: kind, detail: text)
  }

  /// The detail of an entry that continues another file.
  struct Continuation: Codable {
    var continued: Bool
    var counters: [String: Int]
    var hash: String?
    var keptAside: String?
    var reason: String
    var sequence: Int

    private enum CodingKeys: String, CodingKey {
      case continued, counters, hash, keptAside = "kept_aside", reason, sequence
    }
  }
}
