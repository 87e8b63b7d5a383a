import EventLoop
import Journal
import Languages
import Messages
import Terminal
import Weighing

/// The weighings of a journal as a table in their current state, with totals.
package struct HistoryTable {
  private let weighings: [HistoryEntry]
  /// The sequence numbers of all records, including those not shown.
  private let sequences: [WeighingID: Int]
  private let texts: Texts

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - entries: The records to show. Voids and relabels have no rows; they only mark the weighing they refer to.
  ///   - all: All records that a mark may refer to.
  ///   - texts: The texts in the language of the user.
  package init(_ entries: [HistoryEntry], among all: [HistoryEntry], texts: Texts = .english) {
    self.texts = texts
    weighings = entries.filter { $0.record.kind == .weighing }
    sequences = Dictionary(
      all.map { ($0.record.id, $0.record.sequence) }, uniquingKeysWith: { first, _ in first })
  }

  /// The rows and the totals.
  package var text: String {
    guard !weighings.isEmpty else { return texts(.listNone) + "\n" }
    let times = weighings.map { LocalMoment($0.record.time) }
    var zones: [String] = []
    for time in times where !zones.contains(time.zone) { zones.append(time.zone) }
    let heads = [
      "#", texts(.listTime, ["zone": zones.joined(separator: "/")]), texts(.listNet), texts(.listGross),
      texts(.listTare), "± g", texts(.listSource), texts(.listLabel), "",
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
      entry.voidedBy.map { texts(.listVoidedBy, ["record": number($0)]) },
      entry.relabelledBy.map { texts(.listRelabelledBy, ["record": number($0)]) },
    ]
    return marks.compactMap(\.self).joined(separator: ", ")
  }

  /// The number and the sum of the weighings that are not voided, by label and by day if there are several.
  private var totals: String {
    var total = WeighingSum()
    var byLabel = GroupedSums<String?>()
    var byDay = GroupedSums<String>()
    for entry in weighings where entry.isStanding {
      total.add(entry)
      byLabel.add(entry, to: entry.label)
      byDay.add(entry, to: HistoryTotals.day(of: entry))
    }
    let voided = weighings.count - total.count
    let suffix = voided > 0 ? "; " + texts(.listVoided, count: voided) : ""
    let count = texts(.listWeighings, count: total.count)
    return "\n\(texts(.listTotal, ["weighings": count, "mass": total.text + " g"]))\(suffix)\n"
      + Self.rows(byLabel) { $0?.escapedForTerminal ?? texts(.listNoLabel) } + Self.rows(byDay) { $0 }
  }

  /// A row for each group with its number and sum; none for a single group.
  private static func rows<Key>(_ sums: GroupedSums<Key>, name: (Key) -> String) -> String {
    guard sums.groups.count > 1 else { return "" }
    let rows = sums.groups.map { key, sum in ["  " + name(key), "\(sum.count)", sum.text + " g"] }
    return TextTable.text(rows, rightAligned: [1, 2])
  }
}
