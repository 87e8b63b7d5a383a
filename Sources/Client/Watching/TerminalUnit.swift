import Messages
import Weighing

/// The unit in which an appliance displays masses, as its readings show it.
struct TerminalUnit: Hashable, Sendable {
  private var unit = MassUnit.gram
  private var decimals = 0
  /// The step of the display, in the unit; `nil` if only its decimals are known.
  private var step: Double?

  /// Grams.
  init() {}

  /// The unit of a display.
  init(_ display: DisplayUnit) { (unit, decimals, step) = (display.unit, display.decimals, display.step) }

  /// Reads the unit and the number of decimals from a display: `2.55 oz`, `385+ g`; `nil` if it has no number.
  ///
  /// - Parameter configured: The display as the appliance or the local configuration says it, whose step applies if the unit
  ///   and the decimals are the same; a display shows only the decimals of its step.
  init?(printable: String, configured: DisplayUnit? = nil) {
    let parts = printable.split(separator: " ")
    guard parts.count == 2, parts[0].contains(where: \.isNumber), let unit = MassUnit(rawValue: String(parts[1])) else {
      return nil
    }
    self.unit = unit
    decimals = parts[0].split(separator: ".").dropFirst().first?.prefix(while: \.isNumber).count ?? 0
    if let configured, configured.unit == unit, configured.decimals == decimals { step = configured.step }
  }

  /// A mass with its unit, rounded to the step of the display. Masses in grams are rounded already, perhaps to a finer
  /// division than the present one, so that no digit is removed.
  func text(_ grams: Double?) -> String { "\(number(grams)) \(unit.rawValue)" }

  private func number(_ grams: Double?) -> String {
    let given = WatchedScale.mass(grams.map(JSONValue.number))
    guard let grams, !given.contains("e") else { return given }
    if unit == .gram {
      let digits = given.split(separator: ".").dropFirst().first?.count ?? 0
      return DecimalText.fixed(grams, decimals: max(decimals, digits))
    }
    let value = grams / unit.mass.value
    return DecimalText.fixed(step.map { (value / $0).rounded() * $0 } ?? value, decimals: decimals)
  }

  /// An uncertainty, with one decimal more than a mass; in grams with two.
  func text(uncertainty grams: Double) -> String {
    let decimals = unit == .gram ? 2 : decimals + 1
    return "\(DecimalText.fixed(grams / unit.mass.value, decimals: decimals)) \(unit.rawValue)"
  }

  /// A mass that a user has given, such as a target, which may be finer than the display.
  func text(given grams: Double) -> String {
    if unit == .gram { return "\(number(grams)) \(unit.rawValue)" }
    return "\(DecimalText.trimmed(grams / unit.mass.value, decimals: decimals + 2)) \(unit.rawValue)"
  }

  /// The mass of a single piece, which may be far lighter than the step of the display.
  func text(piece grams: Double) -> String {
    "\(DecimalText.significant(grams / unit.mass.value, digits: 3)) \(unit.rawValue)"
  }

  /// The limits of a chart: `0...120 g`.
  func text(_ range: ClosedRange<Double>) -> String {
    let limits = [range.lowerBound, range.upperBound].map {
      DecimalText.fixed($0 / unit.mass.value, decimals: unit == .gram ? 0 : decimals)
    }
    return "\(limits[0])...\(limits[1]) \(unit.rawValue)"
  }
}
