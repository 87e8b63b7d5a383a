import Languages
import Terminal
import Weighing

/// The lines of `watch` for target, flow, timer and pieces, each only while it is in use.
///
/// ```
/// target      ██████████░░░░░░░░░░  under, 5.5 g to go   of 18 g ± 0.5 g
/// timer       0:27   pour 2   1.8 g/s
/// pieces      42 ± 0.12   0.32 g each
/// ```
/// The most important text is first: a narrow terminal cuts the rest. Every line can be understood without its label,
/// which a narrow terminal does not show.
struct InstrumentLines {
  /// A line: its label, and its parts from left to right.
  struct Line {
    var label: String
    var parts: [(text: String, face: TerminalStyle.Face)]
  }

  private let reading: WatchedScale.DisplayedReading
  private let unit: TerminalUnit
  private let style: TerminalStyle
  private let texts: Texts
  private let hasBar: Bool

  /// Makes the lines of a reading.
  ///
  /// - Parameter columns: The width of the terminal.
  init(
    _ reading: WatchedScale.DisplayedReading, _ unit: TerminalUnit, columns: Int, _ style: TerminalStyle, _ texts: Texts
  ) {
    (self.reading, self.unit, self.style, self.texts) = (reading, unit, style, texts)
    hasBar = columns >= 70
  }

  /// The lines of what is in use.
  var lines: [Line] {
    let instruments = reading.instruments
    return [instruments.target.map(line), pour(instruments), instruments.count.map(line)].compactMap(\.self)
  }

  private func line(_ target: WatchedInstruments.Target) -> Line {
    let check = check(target)
    let plusMinus = style.isUTF8 ? "±" : "+-"
    let tolerance = target.tolerance.map { " \(plusMinus) \(unit.text(given: $0))" } ?? ""
    let goal = texts(.targetOf, ["target": unit.text(given: target.mass) + tolerance])
    var parts = [check, ("   " + goal, TerminalStyle.Face.dim)]
    if hasBar, target.mass > 0 {
      let share = target.remaining.map { min(max(1 - $0 / target.mass, 0), 1) } ?? 0
      parts.insert((style.bar(share, width: 20) + "  ", check.face), at: 0)
    }
    return Line(label: texts(target.dose == nil ? .labelTarget : .actionDose), parts: parts)
  }

  private func check(_ target: WatchedInstruments.Target) -> (text: String, face: TerminalStyle.Face) {
    let remaining = target.remaining ?? 0
    return switch target.check {
    case .under: (texts(.targetUnder, ["mass": unit.text(remaining)]), .plain)
    case .ok where remaining > 0: (texts(.targetOKLess, ["mass": unit.text(remaining)]), .good)
    case .ok where remaining < 0: (texts(.targetOKMore, ["mass": unit.text(-remaining)]), .good)
    case .ok: ("OK", .good)
    case .over: (texts(.targetOver, ["mass": unit.text(-remaining)]), .bad)
    case nil: (texts(.targetNoWeight), .dim)
    }
  }

  /// The flow while something flows, or the timer is in use.
  private func pour(_ instruments: WatchedInstruments) -> Line? {
    let timer = instruments.timer.map { seconds in
      let rest = Int(seconds) % 60
      return "\(Int(seconds) / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
    let flow = instruments.flow.flatMap { $0 != 0 || timer != nil ? $0 : nil }
      .map { DecimalText.fixed($0, decimals: 1) + " g/s" }
    guard timer != nil || flow != nil else { return nil }
    let pour = instruments.pours.map { texts(.pour, ["number": String($0)]) }
    let parts = [timer.map { ($0, TerminalStyle.Face.bold) }, pour.map { ($0, .plain) }, flow.map { ($0, .plain) }]
      .compactMap(\.self)
    return Line(label: texts(timer == nil ? .labelFlow : .labelTimer), parts: separated(parts))
  }

  private func line(_ count: WatchedInstruments.Count) -> Line {
    var parts: [(text: String, face: TerminalStyle.Face)] = []
    if count.maximum == 0 {
      parts.append((texts(.piecesTooLight), .warning))
    } else if let pieces = count.pieces {
      parts.append((texts(.pieces, count: pieces), .bold))
      if let uncertainty = count.uncertainty {
        let sign = style.isUTF8 ? "± " : "+- "
        parts.append((sign + DecimalText.significant(uncertainty, digits: 2), .dim))
      }
    } else if let maximum = count.maximum, count.uncertainty != nil {
      parts.append((texts(.piecesMoreThan, ["number": String(maximum)]), .warning))
    } else {
      parts.append((texts(reading.state == .settling ? .piecesSettling : .piecesNoCount), .plain))
    }
    parts.append((texts(.pieceMass, ["mass": unit.text(piece: count.pieceMass)]), .dim))
    return Line(label: texts(.labelCount), parts: separated(parts))
  }

  private func separated(
    _ parts: [(text: String, face: TerminalStyle.Face)]
  ) -> [(text: String, face: TerminalStyle.Face)] {
    parts.enumerated().map { ($0 == 0 ? $1.text : "   " + $1.text, $1.face) }
  }
}

extension TerminalStyle {
  /// A bar that is filled to a share of 0...1.
  func bar(_ share: Double, width: Int) -> String {
    let filled = Int((share * Double(width)).rounded())
    return String(repeating: isUTF8 ? "█" : "#", count: filled)
      + String(repeating: isUTF8 ? "░" : ".", count: width - filled)
  }
}
