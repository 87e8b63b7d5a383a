import Appliance
import EventLoop
import Journal
import Messages
import Weighing

/// Formats the records of a journal, its audit trail and its verification; see also `HistoryTable`.
enum HistoryText {
  /// One JSON array of the records in the published format, one per line.
  static func json(_ entries: [HistoryEntry], to output: inout Output) throws {
    var json = JSONWriter()
    try output.write(Array("[".utf8))
    for (index, entry) in entries.enumerated() {
      json.reset()
      json.weighing(entry.record, historical: false)
      try output.write(Array((index == 0 ? "\n" : ",\n").utf8) + json.bytes)
    }
    try output.write(Array((entries.isEmpty ? "]\n" : "\n]\n").utf8))
  }

  /// Comma-separated values with a header (RFC 4180).
  static func csv(_ entries: [HistoryEntry], to output: inout Output) throws {
    try output.write(Array(HistoryCSV.header.utf8))
    for entry in entries { try output.write(Array(HistoryCSV.line(entry).utf8)) }
  }

  /// What was checked and the faults found, one per line.
  static func text(of verification: Verification) -> String {
    let checked = "\(verification.weighings) weighings and \(verification.audits) entries of the audit trail checked"
    let reported =
      verification.losses.map { "reported: \($0)\n" }.joined()
      + (verification.isMarkDamaged ? "the high-water mark cannot be read; the next weighing rewrites it\n" : "")
    guard !verification.isClean else {
      return reported + checked + ": nothing was altered\(verification.losses.isEmpty ? " or lost" : "").\n"
    }
    let faults = verification.faults.map { fault in
      let place = fault.sequence.map { " weighing \($0)" } ?? fault.position.map { " record \($0)" } ?? ""
      return "\(fault.kind.rawValue)\(place): \(fault.description)\n"
    }
    return reported + faults.joined() + checked + ": \(faults.count) \(faults.count == 1 ? "fault" : "faults").\n"
  }

  /// The audit trail, one entry per line.
  static func text(of records: [AuditRecord]) -> String {
    records.map { record in
      let time = LocalMoment(record.time)
      return "\(time.text) \(time.zone)  \(record.entry.kind.rawValue) \(record.counter)  \(record.entry.detail)\n"
    }.joined()
  }

  /// A label on one line, safe to write to a terminal.
  static func visible(_ text: String) -> String {
    text.escapedForTerminal
  }
}
