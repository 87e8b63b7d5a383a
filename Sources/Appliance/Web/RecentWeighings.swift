import Journal
import Messages
import Synchronization
import Weighing

/// The newest weighings in memory, so that a page does not go to the disk.
final class RecentWeighings: Sendable {
  /// So many are kept and shown.
  static let capacity = 100

  private struct Entry: Sendable {
    var record: RecordedWeighing
    /// The record that strikes it.
    var voidedBy: WeighingID?
  }

  private let entries = Mutex<[Entry]>([])

  /// Takes what was in the journal before; what was made since stays the newer.
  func begin(_ history: [HistoryEntry]) {
    entries.withLock { entries in
      let first = entries.first?.record.sequence ?? .max
      let since = entries
      entries = history.filter { $0.record.sequence < first }.map { Entry(record: $0.record, voidedBy: $0.voidedBy) }
      for entry in since { Self.append(entry.record, &entries) }
    }
  }

  /// Takes a new record, which may strike one of those before.
  func take(_ record: RecordedWeighing) { entries.withLock { Self.append(record, &$0) } }

  private static func append(_ record: RecordedWeighing, _ entries: inout [Entry]) {
    if let struck = record.voids, let index = entries.lastIndex(where: { $0.record.id == struck }) {
      entries[index].voidedBy = record.id
    }
    entries.append(Entry(record: record, voidedBy: nil))
    if entries.count > capacity { entries.removeFirst(entries.count - capacity) }
  }

  /// A JSON array, newest first: each as it is published, with `voided_by`.
  var json: [UInt8] {
    var json = JSONWriter()
    json.array { json in
      for entry in entries.withLock({ $0 }).reversed() {
        json.object { json in
          json.key("weighing")
          json.weighing(entry.record, historical: false)
          json.key("voided_by")
          if let by = entry.voidedBy { json.string(by.description) } else { json.null() }
        }
      }
    }
    return json.bytes
  }
}
