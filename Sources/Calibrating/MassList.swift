import Weighing

/// Masses as typed by the user.
package enum MassList {
  /// Masses above zero, separated by commas or spaces; `nil` if one is invalid.
  package static func parse(_ text: String) -> [Grams]? {
    let parts = text.split(whereSeparator: { $0 == "," || $0.isWhitespace })
    let masses = parts.compactMap { mass($0) }
    return masses.count == parts.count && masses.allSatisfy { $0 > .zero } ? masses : nil
  }

  /// One mass: `100`, `100 g`, `99,5`; `nil` for anything else and for masses above 100 kg.
  static func mass(_ text: some StringProtocol) -> Grams? {
    var digits = text.lowercased().filter { !$0.isWhitespace }
    if digits.hasSuffix("g") { digits.removeLast() }
    guard let value = Double(digits.replacing(",", with: ".")), value >= 0, value <= Grams.maximum.value else {
      return nil
    }
    return Grams(value)
  }
}
