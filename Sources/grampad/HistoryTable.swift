import Glibc
import Journal
import Messages
import Weighing

/// The weighings of a journal as a table in their current state, with totals.
struct HistoryTable {
  private let weighings: [HistoryEntry]
  /// The sequence numbers of all records, including those not shown.
  private let sequences: [WeighingID: Int]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - entries: The records to show. Voids and relabels have no rows; they only mark the weighing they refer to.
  ///   - all: All records that a mark may refer to.
  init(_ entries: [HistoryEntry], among all: [HistoryEntry]) {
    weighings = entries.filter { $0.record.kind == .weighing }
    sequences = Dictionary(
      all.map { ($0.record.id, $0.record.sequence) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes the rows and the totals.
  func write(to output: inout Output) throws {
    guard !weighings.isEmpty else { return try output.write(Array("No weighings.\n".utf8)) }
    let times = weighings.map { LocalMoment($0.record.time) }
    var zones: [String] = []
    for time in times where !zones.contains(time.zone) { zones.append(time.zone) }
    let heads = [
      "#", "Time (\(zones.joined(separator: "/")))", "Net g", "Gross g", "Tare g", "± g", "Source", "Label", "",
    ]
    let rows = zip(weighings, times).map { entry, time in
      let record = entry.record
      let measurement = record.measurement
      return [
        "\(record.sequence)", time.text, "\(measurement.net)", "\(measurement.gross)", "\(measurement.tare)",
        measurement.uncertainty.map { DecimalText.fixed($0.value, decimals: 1) } ?? "", record.source.rawValue,
        HistoryText.visible(entry.label ?? ""), mark(entry),
      ]
    }
    try Self.write([heads] + rows, rightAligned: [0, 2, 3, 4, 5], to: &output)
    try writeTotals(to: &output)
  }

  private func mark(_ entry: HistoryEntry) -> String {
    func number(_ id: WeighingID) -> String { sequences[id].map { "#\($0)" } ?? "\(id)" }
    let marks = [
      entry.voidedBy.map { "voided by " + number($0) }, entry.relabelledBy.map { "relabelled by " + number($0) },
    ]
    return marks.compactMap(\.self).joined(separator: ", ")
  }

  /// Writes the number and the sum of the weighings that are not voided, and per label if there are several labels.
  private func writeTotals(to output: inout Output) throws {
    let standing = weighings.filter(\.isStanding)
    let voided = weighings.count - standing.count
    let note = voided > 0 ? "; \(voided) voided" : ""
    try output.write(
      Array("\nTotal: \(Self.count(standing)), \(Self.sum(standing)) g net\(note)\n".utf8))
    var labels: [String?] = []
    for entry in standing where !labels.contains(entry.label) { labels.append(entry.label) }
    guard labels.count > 1 else { return }
    let rows = labels.map { label in
      let entries = standing.filter { $0.label == label }
      return ["  " + (label.map(HistoryText.visible) ?? "(no label)"), "\(entries.count)", Self.sum(entries) + " g"]
    }
    try Self.write(rows, rightAligned: [1, 2], to: &output)
  }

  private static func count(_ entries: [HistoryEntry]) -> String {
    "\(entries.count) \(entries.count == 1 ? "weighing" : "weighings")"
  }

  /// The sum of the net weights, with as many decimals as the finest division.
  private static func sum(_ entries: [HistoryEntry]) -> String {
    let nets = entries.map(\.record.measurement.net)
    let decimals = nets.reduce(0) { max($0, $1.division.decimals) }
    return DecimalText.fixed(nets.reduce(0) { $0 + $1.mass.value }, decimals: decimals)
  }

  private static func write(_ rows: [[String]], rightAligned: Set<Int>, to output: inout Output) throws {
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.reduce(0) { max($0, $1[column].count) } }
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
}

/// A local time, `2026-11-21 06:30:00`, with the abbreviation of its time zone. `localtime_r(3)`
struct LocalMoment {
  let text: String
  let zone: String

  init(_ time: Instant) {
    var seconds = time_t((Double(time.nanoseconds) / 1e9).rounded(.down))
    var parts = tm()
    localtime_r(&seconds, &parts)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = "\(value)"
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    text =
      digits(parts.tm_year + 1900, 4) + "-" + digits(parts.tm_mon + 1, 2) + "-" + digits(parts.tm_mday, 2) + " "
      + [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }.joined(separator: ":")
    zone = parts.tm_zone.map { String(cString: $0) } ?? "local"
  }
}
