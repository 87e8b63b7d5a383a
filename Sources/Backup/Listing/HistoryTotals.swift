import EventLoop
import Journal
import Messages
import Terminal
import Weighing

/// The number and the net weight of weighings by day and label. Voided weighings are not counted; labels are as amended.
package struct HistoryTotals {
  /// What the weighings of one day or with one label come to.
  struct Sum: Hashable {
    var count = 0
    var net = 0.0
    /// The number of decimals of the finest division.
    var decimals = 0

    mutating func add(_ entry: HistoryEntry) {
      let net = entry.record.measurement.net
      count += 1
      self.net += net.mass.value
      decimals = max(decimals, net.division.decimals)
    }

    /// The net weight in grams.
    var text: String { DecimalText.fixed(net, decimals: decimals) }
  }

  private struct Group: Hashable {
    /// In local time, `2026-11-21`.
    var day: String
    var label: String?
    var sum = Sum()
  }

  /// In the order of the weighings.
  private var groups: [Group] = []
  private var total = Sum()

  /// Makes the totals of those entries that are weighings and not voided.
  package init(_ entries: [HistoryEntry]) {
    for entry in entries where entry.isStanding {
      let day = Self.day(of: entry)
      let index = groups.lastIndex { $0.day == day && $0.label == entry.label }
      if index == nil { groups.append(Group(day: day, label: entry.label)) }
      groups[index ?? groups.count - 1].sum.add(entry)
      total.add(entry)
    }
  }

  /// The day of a record in local time.
  static func day(of entry: HistoryEntry) -> String { String(LocalMoment(entry.record.time).text.prefix(10)) }

  /// A table for a terminal.
  package var text: String {
    guard !groups.isEmpty else { return "No weighings.\n" }
    let rows = groups.map { group in
      [group.day, group.label?.escapedForTerminal ?? "(no label)", "\(group.sum.count)", group.sum.text]
    }
    let head = ["Day", "Label", "Weighings", "Net g"]
    return TextTable.text([head] + rows + [["Total", "", "\(total.count)", total.text]], rightAligned: [2, 3])
  }

  /// Comma-separated values with a header line (RFC 4180).
  ///
  /// - Parameter field: Quotes a text.
  package func csv(field: (String?) -> String) -> String {
    groups.reduce("day,label,weighings,net_g\r\n") { text, group in
      text + "\(group.day),\(field(group.label)),\(group.sum.count),\(group.sum.text)\r\n"
    }
  }

  /// A JSON array: `[{"day", "label", "weighings", "net_g"}, ...]`.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.array { json in
      for group in groups {
        json.object { json in
          json.key("day")
          json.string(group.day)
          json.key("label")
          json.string(group.label)
          json.key("weighings")
          json.integer(group.sum.count)
          json.key("net_g")
          json.number(group.sum.net, decimals: group.sum.decimals)
        }
      }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
