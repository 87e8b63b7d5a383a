import Foundation

/// Weighings that were recorded once and that the journal does not have any more.
///
/// It stands in the audit trail as an entry of kind `journal`:
/// `{"from":101,"kept_aside":"grampad.db.incomplete-20261122T020000Z","lost":true,"reason":"...","to":208}`. The numbers up
/// to `to` are not given out again.
package struct JournalLoss: Hashable, Sendable, CustomStringConvertible {
  /// The first number.
  package var from: Int
  /// The last number.
  package var to: Int
  /// Where the file is kept as it was found; `nil` where there was none to keep.
  package var keptAside: String?
  /// How it was noticed.
  package var reason: String

  /// The numbers, why, and where the file is.
  package var description: String {
    let numbers = from == to ? "weighing \(from) is lost" : "weighings \(from) to \(to) are lost"
    return "\(numbers): \(reason)" + (keptAside.map { "; the original file is kept as \($0)" } ?? "")
  }
}

extension AuditEntry {
  /// Weighings are lost.
  static func lost(_ loss: JournalLoss) -> AuditEntry {
    AuditEntry(
      .journal, LossDetail(from: loss.from, keptAside: loss.keptAside, lost: true, reason: loss.reason, to: loss.to))
  }

  /// The loss that it tells of; `nil` for other entries.
  var loss: JournalLoss? {
    guard kind == .journal, let detail = try? JSONDecoder().decode(LossDetail.self, from: Data(detail.utf8)),
      detail.lost
    else { return nil }
    return JournalLoss(from: detail.from, to: detail.to, keptAside: detail.keptAside, reason: detail.reason)
  }

  private struct LossDetail: Codable {
    var from: Int
    var keptAside: String?
    var lost: Bool
    var reason: String
    var to: Int

    private enum CodingKeys: String, CodingKey {
      case from, keptAside = "kept_aside", lost, reason, to
    }
  }
}
