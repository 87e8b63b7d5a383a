import Weighing

/// Changes of a scale as plain lines for a file or a pipe.
package struct WatchLines: Sendable {
  private let style = TerminalStyle(isUTF8: true, hasColour: false)
  private var said = Said()

  /// What has been printed.
  private struct Said {
    var line: WatchedScale.Line = .down(nil)
    var isOnline: Bool?
    var shown: String?
    /// The identifiers of the records.
    var records: Set<String> = []
    /// The last weighing that is not voided.
    var standing: WatchedRecords.Record?
    var notice: String?
  }

  /// Makes an empty state.
  package init() {}

  /// The lines for the changes, each with the time of day: `14:05:09  73 g  stable`.
  package mutating func news(of scale: WatchedScale) -> [String] {
    var news: [String] = []
    if scale.line != said.line {
      said.line = scale.line
      switch scale.line {
      case .up(let broker): news.append("connected to \(broker)")
      case .down(let reason): news.append("connection lost" + (reason.map { ": " + $0 } ?? ""))
      }
    }
    if scale.isOnline != said.isOnline {
      said.isOnline = scale.isOnline
      if let isOnline = scale.isOnline { news.append(isOnline ? "online" : "offline") }
    }
    if let reading = scale.reading, case let shown = "\(reading.printable)  \(reading.state.rawValue)",
      shown != said.shown
    {
      said.shown = shown
      news.append(shown)
    }
    let records = scale.records
    for record in records.newest.reversed() where !said.records.contains(record.id) {
      news.append(records.words(record) ?? "weighing " + text(record, records))
    }
    let known = Set(records.newest.map(\.id))
    said.records.formUnion(known)
    if let text = standing(records) { news.append(text) }
    if said.records.count > 2 * WatchedRecords.capacity { said.records.formIntersection(known) }
    if let notice = scale.notice?.text, notice != said.notice {
      said.notice = notice
      news.append(notice)
    }
    return news.map { LocalTime.now() + "  " + TerminalText.clean($0, style) }
  }
  /// The last weighing if no record reports it: after connecting, after a void, and when it arrives before its record.
  private mutating func standing(_ records: WatchedRecords) -> String? {
    let (before, now) = (said.standing, records.standing)
    guard before?.id != now?.id else { return nil }
    said.standing = now
    guard let now else { return "last weighing: none (all voided)" }
    let isNew = said.records.insert(now.id).inserted
    if let before, now.sequence < before.sequence { return "last weighing " + text(now, records) }
    return isNew ? (before == nil ? "last weighing " : "weighing ") + text(now, records) : nil
  }

  private func text(_ record: WatchedRecords.Record, _ records: WatchedRecords) -> String {
    "#\(record.sequence)  \(WatchedRecords.mass(record.net))" + (records.label(of: record).map { "  " + $0 } ?? "")
  }
}
