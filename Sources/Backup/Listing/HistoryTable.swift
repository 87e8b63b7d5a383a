import Journal
import Languages
import Linux
import Weighing

/// The weighings of a journal as a table in their current state, with totals; voids and relabels have no rows, they only mark the
/// weighing they refer to.
package struct HistoryTable {
  private let texts: Texts
  private let hasIDs: Bool
  private let numberOf: (WeighingID) throws -> Int?
  private var table = TextTable(rightAligned: [0, 2, 3, 4, 5])
  private var zones: [String] = []
  private var count = 0
  private var total = WeighingSum()
  private var byLabel = GroupedSums<String?>()
  private var byDay = GroupedSums<String>()

  /// Writes the weighings of a snapshot, which it reads twice: before the first row, the widths of the columns have to be known.
  ///
  /// - Parameter hasIDs: Whether there is a column with the ids.
  package static func write(
    _ snapshot: HistorySnapshot, withIDs hasIDs: Bool = false, texts: Texts = .english, _ body: (String) throws -> Void
  ) throws {
    var table = HistoryTable(texts, hasIDs: hasIDs, numberOf: snapshot.sequence)
    try snapshot.forEach { try table.measure($0) }
    guard table.count > 0 else { return try body(texts(.listNone) + "\n") }
    try body(table.header)
    try snapshot.forEach { try body(table.table.line(table.row($0))) }
    try body(table.totals)
  }

  private init(_ texts: Texts, hasIDs: Bool, numberOf: @escaping (WeighingID) throws -> Int?) {
    (self.texts, self.hasIDs, self.numberOf) = (texts, hasIDs, numberOf)
  }

  private mutating func measure(_ entry: HistoryEntry) throws {
    let zone = LocalMoment(entry.record.time).zone
    if !zones.contains(zone) { zones.append(zone) }
    table.measure(try row(entry))
    count += 1
    guard entry.isStanding else { return }
    total.add(entry)
    byLabel.add(entry, to: entry.label)
    byDay.add(entry, to: HistoryTotals.day(of: entry))
  }

  /// The names of the columns; they can be wider than the cells.
  private var header: String {
    mutating get {
      let names =
        [
          "#", texts(.listTime, ["zone": zones.joined(separator: "/")]), texts(.listNet), texts(.listGross),
          texts(.listTare), "± g", texts(.listSource), texts(.listLabel), "",
        ] + (hasIDs ? ["id"] : [])
      table.measure(names)
      return table.line(names)
    }
  }

  private func row(_ entry: HistoryEntry) throws -> [String] {
    let record = entry.record
    let measurement = record.measurement
    return [
      "\(record.sequence)", LocalMoment(record.time).text, "\(measurement.net)", "\(measurement.gross)",
      "\(measurement.tare)", measurement.uncertainty.map { DecimalText.fixed($0.value, decimals: 1) } ?? "",
      record.source.rawValue, (entry.label ?? "").escapedForTerminal, try mark(entry),
    ] + (hasIDs ? [record.id.description] : [])
  }

  private func mark(_ entry: HistoryEntry) throws -> String {
    func number(_ id: WeighingID) throws -> String { try numberOf(id).map { "#\($0)" } ?? "\(id)" }
    let marks = [
      try entry.voidedBy.map { texts(.listVoidedBy, ["record": try number($0)]) },
      try entry.relabelledBy.map { texts(.listRelabelledBy, ["record": try number($0)]) },
    ]
    return marks.compactMap(\.self).joined(separator: ", ")
  }

  /// The number and the sum of the weighings that are not voided, by label and by day if there are several.
  private var totals: String {
    let voided = count - total.count
    let suffix = voided > 0 ? "; " + texts(.listVoided, count: voided) : ""
    let weighings = texts(.listWeighings, count: total.count)
    return "\n\(texts(.listTotal, ["weighings": weighings, "mass": total.text + " g"]))\(suffix)\n"
      + Self.rows(byLabel) { $0?.escapedForTerminal ?? texts(.listNoLabel) } + Self.rows(byDay) { $0 }
  }

  /// A row for each group with its number and sum; none for a single group.
  private static func rows<Key>(_ sums: GroupedSums<Key>, name: (Key) -> String) -> String {
    guard sums.groups.count > 1 else { return "" }
    let rows = sums.groups.map { key, sum in ["  " + name(key), "\(sum.count)", sum.text + " g"] }
    return TextTable.text(rows, rightAligned: [1, 2])
  }
}
