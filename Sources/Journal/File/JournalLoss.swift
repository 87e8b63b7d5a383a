import Foundation
import Languages
import Weighing

/// Weighings that were recorded but are missing from the journal.
///
/// Stored in the audit trail as an entry of kind `journal`:
/// `{"from":101,"kept_aside":"grampad.db.incomplete-20261122T020000Z","lost":true,"reason":"...","to":208}`. The
/// numbers up to `to` are not assigned again.
package struct JournalLoss: Hashable, Sendable, CustomStringConvertible {
  /// The first missing number.
  package var from: Int
  /// The last missing number.
  package var to: Int
  /// The path of the original file or its copy; `nil` if there was none.
  package var keptAside: String?
  /// How the loss was detected.
  package var reason: String

  /// The numbers, the reason and the path of the original file; the reason is in English, as in the audit trail.
  package var sentence: Sentence {
    let loss =
      from == to
      ? Sentence(.lossOne, ["number": from, "reason": reason])
      : Sentence(.lossSeveral, ["from": from, "to": to, "reason": reason])
    return keptAside.map { Sentence(.lossKept, ["loss": loss, "path": $0]) } ?? loss
  }

  /// The sentence in English.
  package var description: String { sentence.description }
}

extension AuditEntry {
  /// Weighings are lost.
  static func lost(_ loss: JournalLoss) -> AuditEntry {
    AuditEntry(
      .journal, LossDetail(from: loss.from, keptAside: loss.keptAside, lost: true, reason: loss.reason, to: loss.to))
  }

  /// The loss recorded by this entry; `nil` for other entries.
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
