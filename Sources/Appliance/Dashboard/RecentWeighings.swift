import Journal
import Linux
import Messages
import Synchronization
import Weighing

/// The newest weighings, kept in memory so that a page does not read the disk.
final class RecentWeighings: Sendable {
  /// Number of records that are kept and shown.
  static let capacity = 100

  private let entries = Mutex<[HistoryEntry]>([])

  /// Replaces the records up to the newest of the journal's; records made since then stay newer.
  func prepend(_ history: [HistoryEntry]) {
    entries.withLock { entries in
      let last = history.last?.record.sequence ?? 0
      let since = entries.filter { $0.record.sequence > last }
      entries = history
      for entry in since { Self.append(entry.record, &entries) }
    }
  }

  /// Adds a new record, which may void or relabel an earlier one; the journal may have shown it already.
  func append(_ record: RecordedWeighing) {
    entries.withLock { entries in
      if !entries.contains(where: { $0.record.id == record.id }) { Self.append(record, &entries) }
    }
  }

  private static func append(_ record: RecordedWeighing, _ entries: inout [HistoryEntry]) {
    if let other = record.voids ?? record.amends,
      let index = entries.lastIndex(where: { $0.record.id == other })
    {
      switch record.kind {
      case .weighing: break
      case .void: entries[index].voidedBy = record.id
      case .relabel: (entries[index].relabelledBy, entries[index].label) = (record.id, record.label)
      }
    }
    entries.append(HistoryEntry(record: record, label: record.label))
    if entries.count > capacity { entries.removeFirst(entries.count - capacity) }
  }

  /// The sequence number of the newest record; 0 without records.
  var sequence: Int { entries.withLock { $0.last?.record.sequence ?? 0 } }

  /// A JSON array of the records, newest first.
  var json: [UInt8] {
    var json = JSONWriter()
    json.array { json in
      for entry in entries.withLock({ $0 }).reversed() { json.entry(entry) }
    }
    return json.bytes
  }
}

extension JSONWriter {
  /// A record with its later changes: `weighing` as published, the ids `voided_by` and `relabelled_by` of the records that void or
  /// relabel it, the effective `label`, and its `day` in local time.
  mutating func entry(_ entry: HistoryEntry) {
    object { json in
      json.key("weighing")
      json.weighing(entry.record, historical: false)
      json.field("voided_by", entry.voidedBy?.description)
      json.field("relabelled_by", entry.relabelledBy?.description)
      json.field("label", entry.label)
      json.field("day", LocalMoment(entry.record.time).day)
    }
  }
}
