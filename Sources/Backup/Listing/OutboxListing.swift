import Journal
import Languages
import Linux
import Messages
import Weighing

/// Formats the outbox as one JSON object or as a table for a terminal.
package struct OutboxListing {
  /// The number of weighings of each state that the table shows.
  package static let rows = 20

  private let isJSON: Bool
  private let texts: Texts
  private var json = JSONWriter()
  private var waiting = 0
  private var parked = 0
  private var table: [[String]] = []
  /// The time zones of the rows.
  private var zones: [String] = []

  /// Makes an empty output.
  ///
  /// - Parameter texts: The texts of the table in the language of the user.
  package init(isJSON: Bool, texts: Texts = .english) {
    (self.isJSON, self.texts) = (isJSON, texts)
  }

  /// Adds a weighing; returns the bytes to write now.
  package mutating func add(_ entry: OutboxEntry) -> [UInt8] {
    let isFirst = waiting + parked == 0
    let count: Int
    switch entry.state {
    case .waiting:
      waiting += 1
      count = waiting
    case .parked:
      parked += 1
      count = parked
    }
    guard isJSON else {
      if count <= Self.rows { table.append(row(entry)) }
      return []
    }
    json.reset()
    write(entry)
    return Array((isFirst ? "{\"records\":[\n" : ",\n").utf8) + json.bytes
  }

  /// Returns the bytes to write at the end.
  package func end() -> [UInt8] {
    if isJSON {
      let begin = waiting + parked == 0 ? "{\"records\":[]" : "\n]"
      return Array("\(begin),\"waiting\":\(waiting),\"parked\":\(parked)}\n".utf8)
    }
    if waiting + parked == 0 { return Array("\(texts(.outboxEmpty))\n".utf8) }
    let head = [
      "#", texts(.listTime, ["zone": zones.joined(separator: "/")]), texts(.listNet), texts(.listLabel),
      texts(.listState),
    ]
    var text = TextTable.text([head] + table, rightAligned: [0, 2])
    let hidden = max(0, waiting - Self.rows) + max(0, parked - Self.rows)
    if hidden > 0 { text += texts(.outboxMore, ["number": String(hidden)]) + "\n" }
    text += texts(.outboxSummary, ["waiting": String(waiting), "parked": String(parked)]) + "\n"
    if parked > 0 { text += texts(.outboxRetryHint, ["command": "`grampad outbox retry`"]) + "\n" }
    return Array(text.utf8)
  }

  private mutating func write(_ entry: OutboxEntry) {
    let record = entry.record
    json.object { json in
      json.field("sequence", record.sequence)
      json.fields(("id", record.id.description), ("time", WallClock.recorded.text(record.time)))
      json.field("net_g", record.measurement.net)
      json.field("label", record.label)
      switch entry.state {
      case .waiting: json.fields(("state", "waiting"))
      case .parked(let time, let reason, let isDue):
        json.fields(("state", "parked"), ("parked_at", WallClock.recorded.text(time)), ("reason", reason))
        json.field("due", isDue)
      }
    }
  }

  private mutating func row(_ entry: OutboxEntry) -> [String] {
    let record = entry.record
    let time = LocalMoment(record.time)
    if !zones.contains(time.zone) { zones.append(time.zone) }
    let state: String =
      switch entry.state {
      case .waiting: texts(.outboxWaiting)
      case .parked(_, let reason, let isDue): texts(isDue ? .outboxDue : .outboxParked, ["reason": reason])
      }
    return [
      "\(record.sequence)", time.text, "\(record.measurement.net)",
      (record.label ?? "").replacingUnprintable { _ in "?" },
      state.replacingUnprintable { _ in "?" },
    ]
  }
}
