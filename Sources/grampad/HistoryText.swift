import Appliance
import Journal
import Messages
import Weighing

/// The weighings of a journal as text, each of them for others than a person at a terminal to read as well.
enum HistoryText {
  /// One JSON array of the weighings as they are published, a line each.
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

  /// Columns for a person; what was struck is marked.
  static func table(_ entries: [HistoryEntry], to output: inout Output) throws {
    guard !entries.isEmpty else {
      return try output.write(Array("No weighings.\n".utf8))
    }
    let sequences = Dictionary(
      entries.map { ($0.record.id, $0.record.sequence) }, uniquingKeysWith: { first, _ in first })
    func mark(_ entry: HistoryEntry) -> String {
      if let voids = entry.record.voids { return "strikes " + (sequences[voids].map { "#\($0)" } ?? "\(voids)") }
      if let by = entry.voidedBy { return "struck by " + (sequences[by].map { "#\($0)" } ?? "\(by)") }
      return ""
    }
    let rows =
      [["#", "Time (UTC)", "Net g", "Gross g", "Tare g", "± g", "Source", "Label", ""]]
      + entries.map { entry in
        let record = entry.record
        let measurement = record.measurement
        return [
          "\(record.sequence)", seconds(record.time), "\(measurement.net)", "\(measurement.gross)",
          "\(measurement.tare)", uncertainty(measurement, decimals: 1), record.source.rawValue,
          visible(record.label ?? ""), mark(entry),
        ]
      }
    let widths = rows[0].indices.map { column in rows.reduce(0) { max($0, $1[column].count) } }
    for row in rows {
      let cells = row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return rightAligned.contains(column) ? padding + text : text + padding
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      try output.write(Array((line + "\n").utf8))
    }
  }

  /// What was checked and what is wrong with it, a line each.
  static func text(of verification: Verification) -> String {
    let checked = "\(verification.weighings) weighings and \(verification.audits) entries of the audit trail checked"
    let reported =
      verification.losses.map { "reported: \($0)\n" }.joined()
      + (verification.isMarkDamaged ? "the high-water mark cannot be read; the next weighing writes it again\n" : "")
    guard !verification.isClean else {
      return reported + checked + ": nothing was altered\(verification.losses.isEmpty ? " or lost" : "").\n"
    }
    let faults = verification.faults.map { fault in
      let place = fault.sequence.map { " weighing \($0)" } ?? fault.position.map { " record \($0)" } ?? ""
      return "\(fault.kind.rawValue)\(place): \(fault.description)\n"
    }
    return reported + faults.joined() + checked + ": \(faults.count) \(faults.count == 1 ? "fault" : "faults").\n"
  }

  /// The audit trail, a line each.
  static func text(of records: [AuditRecord]) -> String {
    records.map { record in
      "\(seconds(record.time))  \(record.entry.kind.rawValue) \(record.counter)  \(record.entry.detail)\n"
    }.joined()
  }

  private static let rightAligned: Set<Int> = [0, 2, 3, 4, 5]

  /// A time to the second, `2026-11-21 06:30:00`.
  static func seconds(_ time: Instant) -> String {
    WallClock.recorded.text(time).replacing("T", with: " ").prefix(19).description
  }

  private static func uncertainty(_ measurement: Measurement, decimals: Int) -> String {
    measurement.uncertainty.map { DecimalText.fixed($0.value, decimals: decimals) } ?? ""
  }

  /// A label without what would move a terminal's cursor.
  private static func visible(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : $0 }))
  }
}
