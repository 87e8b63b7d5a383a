import Messages
import Weighing

/// The unit in which an appliance displays masses, as its readings show it.
struct TerminalUnit: Hashable, Sendable {
  private var unit = MassUnit.gram
  private var decimals = 0

  /// Grams.
  init() {}

  /// Reads the unit and the number of decimals from a display: `2.55 oz`, `385+ g`; `nil` if it has no number.
  init?(printable: String) {
    let parts = printable.split(separator: " ")
    guard parts.count == 2, parts[0].contains(where: \.isNumber), let unit = MassUnit(rawValue: String(parts[1])) else {
      return nil
    }
    self.unit = unit
    decimals = parts[0].split(separator: ".").dropFirst().first?.prefix(while: \.isNumber).count ?? 0
  }

  /// A mass with its unit; grams with the digits of the payload.
  func text(_ grams: Double?) -> String {
    guard unit != .gram, let grams else { return "\(WatchedScale.mass(grams.map(JSONValue.number))) \(unit.rawValue)" }
    return "\(DecimalText.fixed(grams / unit.mass.value, decimals: decimals)) \(unit.rawValue)"
  }

  /// An uncertainty, with one decimal more than a mass; in grams with two.
  func text(uncertainty grams: Double) -> String {
    let decimals = unit == .gram ? 2 : decimals + 1
    return "\(DecimalText.fixed(grams / unit.mass.value, decimals: decimals)) \(unit.rawValue)"
  }
}
