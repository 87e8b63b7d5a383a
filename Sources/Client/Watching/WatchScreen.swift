import Foundation
import Terminal
import Weighing

/// The frame for a scale in a terminal, line by line; a function of the state, the size and the time.
///
/// ```
/// title: device, broker, whether it is live
/// big digits, or one bold line where they do not fit        state marks
/// target, flow and timer, pieces: each while it is in use
/// bar of the press
/// the last minute
/// weighings, as many as fit
/// health
/// what happened last
/// keys
/// ```
package struct WatchScreen: Sendable {
  private let style: TerminalStyle
  private let columns: Int
  private let rows: Int
  private var lines: [String] = []

  /// The lines of the frame, at most `rows`, none wider than `columns`.
  package static func lines(
    _ scale: WatchedScale, columns: Int, rows: Int, _ style: TerminalStyle, at now: Instant
  ) -> [String] {
    var screen = WatchScreen(style: style, columns: max(columns, 1), rows: max(rows, 1))
    screen.draw(scale, at: now)
    return Array(screen.lines.prefix(max(rows, 1)))
  }

  private init(style: TerminalStyle, columns: Int, rows: Int) {
    (self.style, self.columns, self.rows) = (style, columns, rows)
  }

  private mutating func draw(_ scale: WatchedScale, at now: Instant) {
    let isRoomy = rows >= 14
    let footer = footer(scale, at: now)
    guard rows >= 5 else {
      // The weight has priority.
      drawWeight(scale, at: now)
      lines += footer
      return
    }
    put([(title(scale), .dim)])
    if isRoomy { space() }
    drawWeight(scale, at: now)
    if isRoomy { space() }
    drawInstruments(scale, at: now)
    if let control = scale.control { drawControl(control) } else { drawPress(scale.press, scale.unit) }
    drawLastMinute(scale, at: now)
    if isRoomy { space() }
    let height = rows - lines.count - footer.count - (isRoomy ? 1 : 0)
    drawWeighings(scale, atMost: height)
    while lines.count + footer.count < rows { space() }
    lines.removeLast(min(max(lines.count + footer.count - rows, 0), lines.count))
    lines += footer
  }

  private func title(_ scale: WatchedScale) -> String {
    let dot = style.isUTF8 ? " · " : " - "
    let place =
      switch scale.connection {
      case .up(let broker): broker
      case .down(nil): "connecting"
      case .down(let reason?): "no broker: " + reason
      }
    return String(scale.topics.base.dropLast()) + dot + place
  }

  // MARK: The weight

  private mutating func drawWeight(_ scale: WatchedScale, at now: Instant) {
    let isStale = scale.isStale(at: now)
    let printable = scale.reading?.printable ?? "-- g"
    let face: TerminalStyle.Face = isStale ? .dim : scale.reading?.state == .overload ? .bad : .bold
    let marks = marks(scale, isStale: isStale)
    let side = columns >= 70 ? 24 : 0
    // At most half of the height: the rest must be visible too.
    let digits = BigDigits.lines(printable, columns: columns - 2 - side, rows: max(rows / 2 - 1, 1), style)
    guard let digits, rows >= 12 else {
      put(
        [(" " + TextColumns.alignRight(clean(printable), 10), face)]
          + marks.prefix(1).map { ("  " + $0.text, $0.face) })
      if rows >= 10 { putWrapped(Array(marks.dropFirst())) }
      return
    }
    let width = TextColumns.width(digits[0])
    for (row, line) in digits.enumerated() {
      var parts: [(String, TerminalStyle.Face)] = []
      if side > 0 {
        let gap = String(repeating: " ", count: max(columns - side - width - 1, 0))
        parts = [(gap + line + "  ", face)]
        if row < marks.count { parts.append((marks[row].text, marks[row].face)) }
      } else {
        parts = [(String(repeating: " ", count: max(columns - width - 2, 0)) + line, face)]
      }
      put(parts)
    }
    if side == 0 { putWrapped(marks) }
  }

  /// The state as a mark and a text, and the values that belong to it.
  private func marks(_ scale: WatchedScale, isStale: Bool) -> [(text: String, face: TerminalStyle.Face)] {
    if case .down = scale.connection { return [(style.isUTF8 ? "✗ NO BROKER" : "x NO BROKER", .bad)] }
    if scale.isOnline == false { return [(style.isUTF8 ? "✗ OFFLINE" : "x OFFLINE", .bad)] }
    guard let reading = scale.reading else { return [("waiting for a reading", .dim)] }
    if isStale { return [(style.isUTF8 ? "◌ STALE" : "? STALE", .warning)] }
    var marks: [(String, TerminalStyle.Face)] = []
    switch reading.state {
    case .empty: marks.append((style.isUTF8 ? "○ empty" : "o empty", .plain))
    case .settling: marks.append((style.isUTF8 ? "◐ settling" : "~ settling", .warning))
    case .stable: marks.append((style.isUTF8 ? "● STABLE" : "* STABLE", .good))
    case .overload: marks.append((style.isUTF8 ? "▲ OVERLOAD" : "! OVERLOAD", .bad))
    case .pressing: marks.append((style.isUTF8 ? "◉ pressing" : "@ pressing", .warning))
    case .offline: marks.append((style.isUTF8 ? "✗ NO PAD" : "x NO PAD", .bad))
    }
    if reading.isUnderloaded { marks.append((style.isUTF8 ? "▼ UNDERLOAD" : "v UNDERLOAD", .warning)) }
    if reading.tare != 0 {
      marks.append(("tare  " + scale.unit.text(reading.tare), .plain))
      marks.append(("gross " + scale.unit.text(reading.gross), .plain))
    }
    if let container = reading.instruments.container { marks.append(("in    " + clean(container), .plain)) }
    if let uncertainty = reading.uncertainty {
      let sign = style.isUTF8 ? "± " : "+- "
      marks.append((sign + scale.unit.text(uncertainty: uncertainty), .dim))
    }
    return marks
  }

  // MARK: Instruments, the press and the last minute

  private mutating func drawInstruments(_ scale: WatchedScale, at now: Instant) {
    guard let reading = scale.reading, !scale.isStale(at: now) else { return }
    for line in InstrumentLines(reading, scale.unit, columns: columns, style).lines {
      put([(label(line.label), .dim)] + line.parts)
    }
  }

  private mutating func drawPress(_ press: WatchedPress?, _ unit: TerminalUnit) {
    guard let press else { return put([(label("press") + (style.isUTF8 ? "—" : "-"), .dim)]) }
    let state: (text: String, face: TerminalStyle.Face) =
      switch press.state {
      case .idle, .updating: ("\(Int((press.intention * 100).rounded())) %", .plain)
      case .selected: ("SELECTED, slide up", .warning)
      case .confirmed: ("CONFIRM, let go", .good)
      case .unavailable: ("load too heavy for a press", .bad)
      }
    if let weighing = press.weighing {
      let text = clean(weighing.text(unit)) + (press.state == .confirmed ? ", recalled" : ", slide up")
      return drawBar(press.action, press.intention, text, state.face)
    }
    drawBar(press.action, press.intention, state.text, state.face)
  }

  private mutating func drawControl(_ control: WatchedControl) {
    drawBar(control.name.description, control.value, "\(Int((control.value * 100).rounded())) %", .plain)
  }

  private mutating func drawBar(_ name: String, _ fraction: Double, _ text: String, _ face: TerminalStyle.Face) {
    let bar = style.bar(fraction, width: min(max(columns - 34, 8), 40))
    put([(label(clean(name)), .bold), (bar + " ", face), (text, face)])
  }

  private mutating func drawLastMinute(_ scale: WatchedScale, at now: Instant) {
    let width = min(max(columns - 28, 8), 60)
    let (text, range) = LastMinute.sparkline(scale.lastMinute.columns(width, until: now), style)
    put([(label("minute"), .dim), (text, .plain), (" " + scale.unit.text(range), .dim)])
  }

  // MARK: Weighings

  private mutating func drawWeighings(_ scale: WatchedScale, atMost room: Int) {
    guard room > 1 else { return }
    let (records, standing) = (scale.records, scale.records.standing)
    let rows = records.rows(room)
    guard !rows.isEmpty else { return put([(label("weighed") + "none yet", .dim)]) }
    for (index, record) in rows.enumerated() {
      let isLast = record.id == standing?.id
      let (text, face) = recordText(record, records)
      put([
        (label(isLast ? "last" : index == 0 ? "weighed" : ""), .dim),
        (TextColumns.alignRight("#\(record.sequence)", 6) + "  " + LocalTime.text(record.time) + "  ", .dim),
        (text, isLast ? .bold : face),
      ])
    }
  }

  /// A weighing in its current state, or the effect of a void or a relabel.
  private func recordText(
    _ record: WatchedRecords.Record, _ records: WatchedRecords
  ) -> (String, TerminalStyle.Face) {
    if let text = records.description(of: record) { return (clean(text), .dim) }
    let isVoided = records.isVoided(record)
    let parts = [records.label(of: record).map { clean($0) }, isVoided ? "(voided)" : nil].compactMap(\.self)
    let mass = TextColumns.alignRight(records.unit.text(record.net), 9)
    return (mass + "  " + parts.joined(separator: " "), isVoided ? .dim : .plain)
  }

  // MARK: Footer

  private func footer(_ scale: WatchedScale, at now: Instant) -> [String] {
    var foot = WatchScreen(style: style, columns: columns, rows: rows)
    if rows >= 8, !scale.health.isEmpty {
      foot.put(healthParts(scale.health))
    }
    if let notice = scale.notice {
      let isRecent = now - notice.time < .seconds(5)
      foot.put([(" " + clean(notice.text), isRecent ? (notice.isGood ? .good : .bad) : .dim)])
    } else {
      foot.space()
    }
    var keys = ["t tare", "T clear", "z zero", "c commit", "v void"]
    keys += scale.quickActions.enumerated().map { "\($0 + 1) " + clean($1.title) }
    keys.append("q quit")
    foot.put([(TextColumns.fit(" " + keys.joined(separator: "  "), columns), .reverse)])
    return foot.lines
  }

  /// Faults first, then the other items as far as they fit. An item is shown whole or not at all, except for a long fault.
  private func healthParts(_ health: [WatchedScale.HealthItem]) -> [(String, TerminalStyle.Face)] {
    var parts: [(String, TerminalStyle.Face)] = []
    var room = columns
    for item in health.filter({ !$0.isGood }) + health.filter(\.isGood) {
      let mark = item.isGood ? "" : style.isUTF8 ? "✗ " : "x "
      let text = (parts.isEmpty ? " " : "   ") + mark + item.name + " " + clean(item.text)
      if item.isGood && TextColumns.width(text) > room { continue }
      room -= TextColumns.width(text)
      parts.append((text, item.isGood ? .dim : .bad))
    }
    return parts
  }

  // MARK: Lines

  private func label(_ text: String) -> String { columns < 50 ? " " : TextColumns.fit(" " + text, 12) }

  private func clean(_ text: String) -> String { style.sanitized(text) }

  private mutating func space() { lines.append("") }

  /// Adds parts in as many lines as they need.
  private mutating func putWrapped(_ parts: [(text: String, face: TerminalStyle.Face)]) {
    var line: [(String, TerminalStyle.Face)] = []
    var width = 0
    for (text, face) in parts {
      let gap = line.isEmpty ? " " : "   "
      if !line.isEmpty, width + TextColumns.width(gap + text) > columns {
        put(line)
        (line, width) = ([], 0)
      }
      line.append(((line.isEmpty ? " " : gap) + text, face))
      width += TextColumns.width(line[line.count - 1].0)
    }
    if !line.isEmpty { put(line) }
  }

  /// Adds a line of parts, cut at the right edge.
  private mutating func put(_ parts: [(String, TerminalStyle.Face)]) {
    var room = columns
    var line = ""
    for (text, face) in parts where room > 0 {
      let text = clean(text)
      let fitted = TextColumns.fit(text, min(TextColumns.width(text), room))
      room -= TextColumns.width(fitted)
      line += style.text(fitted, face)
    }
    lines.append(line)
  }
}
