import EventLoop
import Journal
import Messages
import Weighing

/// Formats the records of a journal, its audit trail and the result of its verification; see also `HistoryTable`.
package enum JournalListing {
  /// Writes the records as a JSON array in the published format, one per line.
  package static func json<Failure: Error>(
    _ entries: [HistoryEntry], write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var json = JSONWriter()
    try write(Array("[".utf8))
    for (index, entry) in entries.enumerated() {
      json.reset()
      json.weighing(entry.record, historical: false)
      try write(Array((index == 0 ? "\n" : ",\n").utf8) + json.bytes)
    }
    try write(Array((entries.isEmpty ? "]\n" : "\n]\n").utf8))
  }

  /// What was checked and the faults found, one per line.
  package static func text(of verification: Verification) -> String {
    let checked = "\(verification.weighings) weighings and \(verification.audits) entries of the audit trail checked"
    let reported =
      verification.losses.map { "reported: \($0)\n" }.joined()
      + (verification.isMarkDamaged ? "the high-water mark cannot be read; the next weighing rewrites it\n" : "")
    guard !verification.isClean else {
      return reported + checked + ": nothing was altered\(verification.losses.isEmpty ? " or lost" : "").\n"
    }
    let faults = verification.faults.map { fault in
      let location = fault.sequence.map { " weighing \($0)" } ?? fault.position.map { " record \($0)" } ?? ""
      return "\(fault.kind.rawValue)\(location): \(fault.description)\n"
    }
    return reported + faults.joined() + checked + ": \(faults.count) \(faults.count == 1 ? "fault" : "faults").\n"
  }

  /// The audit trail, one entry per line.
  package static func text(of records: [AuditRecord]) -> String {
    records.map { record in
      let time = LocalMoment(record.time)
      return "\(time.text) \(time.zone)  \(record.entry.kind.rawValue) \(record.counter)  \(record.entry.detail)\n"
    }.joined()
  }
}
