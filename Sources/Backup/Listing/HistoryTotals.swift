import Journal
import Languages
import Linux
import Messages
import Weighing

/// The number and the net weight of weighings by day and label. Voided weighings are not counted; labels are as amended.
package struct HistoryTotals {
  private struct Key: Hashable {
    /// In local time, `2026-11-21`.
    var day: String
    var label: String?
  }

  private var sums = GroupedSums<Key>()
  private var total = WeighingSum()

  /// Makes the totals of no weighings.
  package init() {}

  /// Adds an entry if it is a weighing and not voided.
  package mutating func add(_ entry: HistoryEntry) {
    guard entry.isStanding else { return }
    sums.add(entry, to: Key(day: Self.day(of: entry), label: entry.label))
    total.add(entry)
  }

  /// The day of a record in local time.
  static func day(of entry: HistoryEntry) -> String { LocalMoment(entry.record.time).day }

  /// A table for a terminal.
  package func text(_ texts: Texts = .english) -> String {
    guard !sums.groups.isEmpty else { return texts(.listNone) + "\n" }
    let rows = sums.groups.map { key, sum in
      [key.day, key.label?.escapedForTerminal ?? texts(.listNoLabel), "\(sum.count)", sum.text]
    }
    let head = [texts(.listDay), texts(.listLabel), texts(.listCount), texts(.listNet)]
    let sum = [texts(.listSum), "", "\(total.count)", total.text]
    return TextTable.text([head] + rows + [sum], rightAligned: [2, 3])
  }

  /// Comma-separated values with a header line (RFC 4180).
  ///
  /// - Parameter field: Quotes a text.
  package func csv(field: (String?) -> String) -> String {
    sums.groups.reduce(into: "day,label,weighings,net_g\r\n") { text, group in
      text += "\(group.key.day),\(field(group.key.label)),\(group.sum.count),\(group.sum.text)\r\n"
    }
  }

  /// A JSON array: `[{"day", "label", "weighings", "net_g"}, ...]`.
  package var json: [UInt8] {
    JSONWriter.array { json in
      for (key, sum) in sums.groups {
        json.object { json in
          json.fields(("day", key.day), ("label", key.label), ("weighings", sum.count))
          json.field("net_g", sum.net, decimals: sum.decimals)
        }
      }
    } + [UInt8(ascii: "\n")]
  }
}
