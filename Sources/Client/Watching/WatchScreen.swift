import Foundation
import Languages
import Linux
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
  private let texts: Texts
  private let columns: Int
  private let rows: Int
  private var lines: [String] = []

  /// The lines of the frame, at most `rows`, none wider than `columns`.
  package static func lines(
    _ scale: WatchedScale, columns: Int, rows: Int, _ style: TerminalStyle, at now: Instant
  ) -> [String] {
    var screen = WatchScreen(style, scale.texts, columns: max(columns, 1), rows: max(rows, 1))
    screen.draw(scale, at: now)
    return Array(screen.lines.prefix(max(rows, 1)))
  }

  private init(_ style: TerminalStyle, _ texts: Texts, columns: Int, rows: Int) {
    (self.style, self.texts, self.columns, self.rows) = (style, texts, columns, rows)
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
      case .down(nil): texts(.connecting)
      case .down(let reason?): texts(Sentence(.noBroker, ["reason": reason]))
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
    func mark(_ symbol: String, _ ascii: String, _ text: String, _ face: TerminalStyle.Face) -> (
      String, TerminalStyle.Face
    ) {
      ((style.isUTF8 ? symbol : ascii) + " " + text, face)
    }
    if case .down = scale.connection { return [mark("✗", "x", texts(.markNoBroker).uppercased(), .bad)] }
    if scale.isOnline == false { return [mark("✗", "x", texts(.offline).uppercased(), .bad)] }
    guard let reading = scale.reading else { return [(texts(.waitingForReading), .dim)] }
    if isStale { return [mark("◌", "?", texts(.markStale).uppercased(), .warning)] }
    var marks: [(String, TerminalStyle.Face)] = []
    let state = texts.state(reading.state, origin: reading.origin)
    switch reading.state {
    case .empty: marks.append(mark("○", "o", state, .plain))
    case .settling: marks.append(mark("◐", "~", state, .warning))
    case .stable: marks.append(mark("●", "*", state.uppercased(), .good))
    case .overload: marks.append(mark("▲", "!", state.uppercased(), .bad))
    case .pressing: marks.append(mark("◉", "@", state, .warning))
    case .offline: marks.append(mark("✗", "x", state.uppercased(), .bad))
    }
    if reading.isUnderloaded { marks.append(mark("▼", "v", texts(.markUnderload).uppercased(), .warning)) }
    let names = [texts(.labelTare), texts(.labelGross), texts(.labelContainer)]
    let width = names.map(TextColumns.width).max() ?? 0
    func value(_ index: Int, _ text: String) { marks.append((TextColumns.fit(names[index], width + 1) + text, .plain)) }
    if reading.tare != 0 {
      value(0, scale.unit.text(reading.tare))
      value(1, scale.unit.text(reading.gross))
    }
    if let container = reading.instruments.container { value(2, clean(container)) }
    if let label = reading.instruments.label { marks.append((texts(.labelNext, ["label": clean(label)]), .bold)) }
    if let uncertainty = reading.uncertainty {
      let sign = style.isUTF8 ? "± " : "+- "
      marks.append((sign + scale.unit.text(uncertainty: uncertainty), .dim))
    }
    return marks
  }

  // MARK: Instruments, the press and the last minute

  private mutating func drawInstruments(_ scale: WatchedScale, at now: Instant) {
    guard let reading = scale.reading, !scale.isStale(at: now) else { return }
    for line in InstrumentLines(reading, scale.unit, columns: columns, style, texts).lines {
      put([(label(line.label), .dim)] + line.parts)
    }
  }

  private mutating func drawPress(_ press: WatchedPress?, _ unit: TerminalUnit) {
    guard let press else { return put([(label(texts(.labelPress)) + (style.isUTF8 ? "—" : "-"), .dim)]) }
    let state: (text: String, face: TerminalStyle.Face) =
      switch press.state {
      case .idle, .updating: ("\(Int((press.intention * 100).rounded())) %", .plain)
      case .selected: (texts(.pressSelected), .warning)
      case .confirmed: (texts(.pressConfirmed), .good)
      case .unavailable: (texts(.pressUnavailable), .bad)
      }
    let name = texts.title(ofAction: press.action)
    if let weighing = press.weighing {
      let next = texts(press.state == .confirmed ? .pressRecalled : .pressSlideUp)
      let text = clean(weighing.text(unit)) + ", " + next
      return drawBar(name, press.intention, text, state.face)
    }
    drawBar(name, press.intention, state.text, state.face)
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
    put([(label(texts(.labelMinute)), .dim), (text, .plain), (" " + scale.unit.text(range), .dim)])
  }

  // MARK: Weighings

  private mutating func drawWeighings(_ scale: WatchedScale, atMost room: Int) {
    guard room > 1 else { return }
    let (records, standing) = (scale.records, scale.records.standing)
    let rows = records.rows(room)
    guard !rows.isEmpty else { return put([(label(texts(.labelWeighed)) + texts(.noneYet), .dim)]) }
    for (index, record) in rows.enumerated() {
      let isLast = record.id == standing?.id
      let (text, face) = recordText(record, records)
      put([
        (label(isLast ? texts(.labelLast) : index == 0 ? texts(.labelWeighed) : ""), .dim),
        (TextColumns.alignRight("#\(record.sequence)", 6) + "  " + LocalTime.text(record.time) + "  ", .dim),
        (text, isLast ? .bold : face),
      ])
    }
  }

  /// A weighing in its current state, or the effect of a void or a relabel.
  private func recordText(
    _ record: WatchedRecords.Record, _ records: WatchedRecords
  ) -> (String, TerminalStyle.Face) {
    if let text = records.description(of: record, texts) { return (clean(text), .dim) }
    let isVoided = records.isVoided(record)
    let parts = [records.label(of: record).map { clean($0) }, isVoided ? "(\(texts(.labelVoided)))" : nil].compactMap(
      \.self)
    let mass = TextColumns.alignRight(records.unit.text(record.net), 9)
    return (mass + "  " + parts.joined(separator: " "), isVoided ? .dim : .plain)
  }

  // MARK: Footer

  private func footer(_ scale: WatchedScale, at now: Instant) -> [String] {
    var foot = WatchScreen(style, texts, columns: columns, rows: rows)
    if rows >= 8, !scale.health.isEmpty {
      foot.put(healthParts(scale.health))
    }
    if let notice = scale.notice {
      let isRecent = now - notice.time < .seconds(5)
      foot.put([(" " + clean(notice.text), isRecent ? (notice.isGood ? .good : .bad) : .dim)])
    } else {
      foot.space()
    }
    var keys = [
      "t " + texts(.actionTare), "T " + texts(.keyClear), "z " + texts(.actionZero), "c " + texts(.actionCommit),
      "v " + texts(.actionVoid),
    ]
    if scale.reading?.instruments.target?.dose == .running { keys.insert("s " + texts(.keyStop), at: 0) }
    keys += scale.quickActions.enumerated().map { "\($0 + 1) " + clean($1.title) }
    let quit = "  q " + texts(.keyQuit)
    let all = " " + keys.joined(separator: "  ")
    // On a narrow terminal the other keys give way.
    let room = max(columns - TextColumns.width(quit), 0)
    let list = TextColumns.width(all) <= room ? all : TextColumns.fit(all, room)
    foot.put([(TextColumns.fit(list + quit, columns), .reverse)])
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
