import Foundation
import Weighing

/// What is left of a file that cannot be read any more, or is gone.
struct Remains: Hashable, Sendable {
  /// The number of the last weighing that is known of.
  var sequence = 0
  /// The number of its first weighing; `nil` if that cannot be read.
  var first: Int?
  /// The highest counters that are known of.
  var counters: [AuditKind: Int] = [:]
  /// The hash of its last record, 64 hexadecimal digits; `nil` if that cannot be read.
  var hash: String?
  /// Under what name it is kept; `nil` when it is gone.
  var keptAside: String?
  /// Why another file was begun.
  var reason = ""

  /// Whichever of the two has seen more, for each number.
  func joined(_ other: Remains) -> Remains {
    var both = sequence >= other.sequence ? self : other
    both.counters = counters.merging(other.counters, uniquingKeysWith: max)
    both.first = [first, other.first].compactMap(\.self).min()
    both.keptAside = keptAside ?? other.keptAside
    both.reason = reason.isEmpty ? other.reason : reason
    return both
  }
}

/// The entries of the audit trail that the journal makes itself.
extension AuditEntry {
  /// The first file was begun.
  static let begun = AuditEntry(kind: .journal, detail: #"{"begun":true}"#)

  /// A file was begun that goes on where another one ended.
  static func continued(_ remains: Remains) -> AuditEntry {
    let counters = Dictionary(uniqueKeysWithValues: remains.counters.map { ($0.key.rawValue, $0.value) })
    return AuditEntry(
      .journal,
      Continuation(
        continued: true, counters: counters, hash: remains.hash, keptAside: remains.keptAside, reason: remains.reason,
        sequence: remains.sequence))
  }

  /// Another calibration is in force.
  static func calibration(_ hash: String) -> AuditEntry { AuditEntry(.calibration, ["hash": hash]) }

  /// Another configuration is in force.
  static func configuration(_ hash: String) -> AuditEntry { AuditEntry(.configuration, ["hash": hash]) }

  /// A weighing was voided by a record.
  static func void(_ voided: WeighingID, by record: WeighingID) -> AuditEntry {
    AuditEntry(.void, ["id": record.description, "voids": voided.description])
  }

  /// The journal was brought back from a backup.
  ///
  /// - Parameters:
  ///   - backupTime: When that was made, RFC 3339 in UTC.
  ///   - keptAside: Where the journal is that it has replaced; `nil` where there was none.
  ///   - missing: How many weighings of that one are not in this one; `nil` where nobody can tell.
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

  /// What the first entry of a file goes on from; `nil` when it begins or is no such entry.
  var continuation: Continuation? {
    kind == .journal ? try? JSONDecoder().decode(Continuation.self, from: Data(detail.utf8)) : nil
  }

  init(_ kind: AuditKind, _ detail: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding cannot fail: the details hold texts, whole numbers and truth values only.
    let data = (try? encoder.encode(detail)) ?? Data("{}".utf8)
    let text = String(decoding: data, as: UTF8.self)
    self.init(kind: kind, detail: text)
  }

  /// The detail of an entry that says where a file goes on.
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
