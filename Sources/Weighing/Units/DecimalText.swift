/// Decimal digits of a number, without a library.
public enum DecimalText {
  /// A number rounded to 0...9 decimals, including trailing zeros; never `-0`.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    var bytes: [UInt8] = []
    bytes.append(upTo: 32) { $0.put(value, decimals: decimals) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same as `fixed` without trailing zeros: `30`, `2.5`.
  package static func trimmed(_ value: Double, decimals: Int) -> String {
    var text = fixed(value, decimals: decimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A number rounded to 1...9 significant digits: `0.00012`, `12.5`, `1.2e-12`; integers are not rounded.
  package static func significant(_ value: Double, digits: Int) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : String(value) }
    var (significand, exponent) = (value, 0)
    while significand.magnitude >= 10 { (significand, exponent) = (significand / 10, exponent + 1) }
    while significand.magnitude < 1 { (significand, exponent) = (significand * 10, exponent - 1) }
    let decimals = digits - 1 - exponent
    guard decimals <= 9 else { return fixed(significand, decimals: digits - 1) + "e\(exponent)" }
    return fixed(value, decimals: max(decimals, 0))
  }
}

/// The shortest decimal text that parses as the same number, without `.0` for integers.
package func numberText(_ number: Double) -> String {
  let text = number.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
