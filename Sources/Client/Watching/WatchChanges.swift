import Languages
import Terminal
import Weighing

/// Changes of a scale as plain lines for a file or a pipe.
package struct WatchChanges: Sendable {
  private let style = TerminalStyle(isUTF8: true, hasColour: false)
  private var printed = Printed()

  /// What has been printed.
  private struct Printed {
    var connection = WatchedScale.Connection.down(nil)
    var isOnline: Bool?
    var reading: String?
    /// The identifiers of the records.
    var records: Set<String> = []
    /// The last weighing that is not voided.
    var standing: WatchedRecords.Record?
    var notice: String?
  }

  /// Makes an empty state.
  package init() {}

  /// The lines for the changes, each with the time of day: `14:05:09  73 g  stable`.
  package mutating func lines(for scale: WatchedScale) -> [String] {
    let texts = scale.texts
    var lines: [String] = []
    if scale.connection != printed.connection {
      printed.connection = scale.connection
      switch scale.connection {
      case .up(let broker): lines.append(texts(.connectedTo, ["broker": broker]))
      case .down(let reason): lines.append(texts(.disconnected) + (reason.map { ": " + texts($0) } ?? ""))
      }
    }
    if scale.isOnline != printed.isOnline {
      printed.isOnline = scale.isOnline
      if let isOnline = scale.isOnline { lines.append(texts(isOnline ? .online : .offline)) }
    }
    if let reading = scale.reading,
      case let shown = "\(reading.printable)  \(texts.state(reading.state, origin: reading.origin))",
      shown != printed.reading
    {
      printed.reading = shown
      lines.append(shown)
    }
    let records = scale.records
    for record in records.newest.reversed() where !printed.records.contains(record.id) {
      lines.append(records.description(of: record, texts) ?? texts(.weighing) + " " + text(record, records))
    }
    let known = Set(records.newest.map(\.id))
    printed.records.formUnion(known)
    if let text = standing(records, texts) { lines.append(text) }
    if printed.records.count > 2 * WatchedRecords.capacity { printed.records.formIntersection(known) }
    if let notice = scale.notice?.text, notice != printed.notice {
      printed.notice = notice
      lines.append(notice)
    }
    return lines.map { LocalTime.now() + "  " + style.sanitized($0) }
  }

  /// The last weighing if no record reports it: after connecting, after a void, and when it arrives before its record.
  private mutating func standing(_ records: WatchedRecords, _ texts: Texts) -> String? {
    let (before, now) = (printed.standing, records.standing)
    guard before?.id != now?.id else { return nil }
    printed.standing = now
    guard let now else { return texts(.lastWeighingNone) }
    let isNew = printed.records.insert(now.id).inserted
    if let before, now.sequence < before.sequence { return "\(texts(.lastWeighing)) \(text(now, records))" }
    return isNew ? "\(texts(before == nil ? .lastWeighing : .weighing)) \(text(now, records))" : nil
  }

  private func text(_ record: WatchedRecords.Record, _ records: WatchedRecords) -> String {
    "#\(record.sequence)  \(records.unit.text(record.net))" + (records.label(of: record).map { "  " + $0 } ?? "")
  }
}
