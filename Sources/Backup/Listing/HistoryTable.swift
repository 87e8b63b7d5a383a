import EventLoop
import Journal
import Messages
import Terminal
import Weighing

/// The weighings of a journal as a table in their current state, with totals.
package struct HistoryTable {
  private let weighings: [HistoryEntry]
  /// The sequence numbers of all records, including those not shown.
  private let sequences: [WeighingID: Int]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - entries: The records to show. Voids and relabels have no rows; they only mark the weighing they refer to.
  ///   - all: All records that a mark may refer to.
  package init(_ entries: [HistoryEntry], among all: [HistoryEntry]) {
    weighings = entries.filter { $0.record.kind == .weighing }
    sequences = Dictionary(
      all.map { ($0.record.id, $0.record.sequence) }, uniquingKeysWith: { first, _ in first })
  }

  /// The rows and the totals.
  package var text: String {
    guard !weighings.isEmpty else { return "No weighings.\n" }
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
        (entry.label ?? "").escapedForTerminal, mark(entry),
      ]
    }
    return TextTable.text([heads] + rows, rightAligned: [0, 2, 3, 4, 5]) + totals
  }

  private func mark(_ entry: HistoryEntry) -> String {
    func number(_ id: WeighingID) -> String { sequences[id].map { "#\($0)" } ?? "\(id)" }
    let marks = [
      entry.voidedBy.map { "voided by " + number($0) }, entry.relabelledBy.map { "relabelled by " + number($0) },
    ]
    return marks.compactMap(\.self).joined(separator: ", ")
  }

  /// The number and the sum of the weighings that are not voided, by label and by day if there are several.
  private var totals: String {
    let standing = weighings.filter(\.isStanding)
    let voided = weighings.count - standing.count
    let suffix = voided > 0 ? "; \(voided) voided" : ""
    let total = "\nTotal: \(Self.count(standing)), \(Self.sum(standing)) g net\(suffix)\n"
    var labels: [String?] = []
    for entry in standing where !labels.contains(entry.label) { labels.append(entry.label) }
    let byLabel = Self.rows(standing, by: \.label, of: labels) { $0?.escapedForTerminal ?? "(no label)" }
    var days: [String] = []
    for entry in standing where days.last != HistoryTotals.day(of: entry) { days.append(HistoryTotals.day(of: entry)) }
    return total + byLabel + Self.rows(standing, by: HistoryTotals.day, of: days) { $0 }
  }

  /// A row for each group with its number and sum; none for a single group.
  private static func rows<Key: Equatable>(
    _ entries: [HistoryEntry], by key: (HistoryEntry) -> Key, of groups: [Key], name: (Key) -> String
  ) -> String {
    guard groups.count > 1 else { return "" }
    let rows = groups.map { group in
      let entries = entries.filter { key($0) == group }
      return ["  " + name(group), "\(entries.count)", sum(entries) + " g"]
    }
    return TextTable.text(rows, rightAligned: [1, 2])
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
}
