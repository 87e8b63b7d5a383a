import Foundation
import Weighing

/// What a journal has found and its clients have to be told.
package enum JournalIncident: Hashable, Sendable {
  /// Weighings are missing.
  case loss(JournalLoss)
  /// A record whose request was rejected was found and reversed.
  case recovery(JournalRecovery)
}

/// A record whose request was rejected, because a failing disk did not let the journal know whether it was recorded, and
/// which was found later.
///
/// Stored in the audit trail as an entry of kind `journal`: `{"id":"...","recovered":true,"reversal":"...","sequence":7}`.
package struct JournalRecovery: Hashable, Sendable {
  /// The record.
  package var id: WeighingID
  /// Its number.
  package var sequence: Int
  /// The record that reverses it.
  package var reversal: WeighingID
}

/// The incidents of a journal: each is returned once while the process runs, however often the file is opened again.
struct IncidentList {
  private var waiting: [JournalIncident] = []
  private var known: Set<JournalIncident> = []

  /// Whether all have been returned.
  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ found: [JournalIncident]) { waiting += found.filter { known.insert($0).inserted } }

  /// Removes and returns those added since the last call.
  mutating func removeAll() -> [JournalIncident] {
    defer { waiting = [] }
    return waiting
  }
}

extension AuditEntry {
  /// A record was reversed whose request was rejected.
  static func recovered(_ recovery: JournalRecovery) -> AuditEntry {
    AuditEntry(
      .journal,
      RecoveryDetail(
        id: recovery.id.description, recovered: true, reversal: recovery.reversal.description,
        sequence: recovery.sequence))
  }

  /// The recovery recorded by this entry; `nil` for other entries.
  var recovery: JournalRecovery? {
    guard kind == .journal, let detail = try? JSONDecoder().decode(RecoveryDetail.self, from: Data(detail.utf8)),
      detail.recovered, let id = WeighingID(detail.id), let reversal = WeighingID(detail.reversal)
    else { return nil }
    return JournalRecovery(id: id, sequence: detail.sequence, reversal: reversal)
  }

  /// The incident recorded by this entry; `nil` for other entries.
  var incident: JournalIncident? { loss.map(JournalIncident.loss) ?? recovery.map(JournalIncident.recovery) }

  private struct RecoveryDetail: Codable {
    var id: String
    var recovered: Bool
    var reversal: String
    var sequence: Int
  }
}
