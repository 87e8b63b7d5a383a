/// Decimal digits of a number, without a library.
public enum DecimalText {
  /// A number rounded to 0...9 decimals, including trailing zeros; never `-0`.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    var bytes: [UInt8] = []
    append(value, decimals: decimals, to: &bytes)
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

  /// Appends the text of `fixed` in ASCII.
  static func append(_ value: Double, decimals: Int, to bytes: inout [UInt8]) {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 9e15 else { return bytes.append(contentsOf: String(value).utf8) }
    if scaled <= -1 { bytes.append(UInt8(ascii: "-")) }
    let (whole, fraction) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: UInt64(scale))
    bytes.append(digits: whole)
    guard decimals > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(digits: fraction, atLeast: decimals)
  }
}

extension [UInt8] {
  /// Appends the decimal digits of a number in ASCII, with leading zeros up to a count of at most 20.
  package mutating func append(digits number: UInt64, atLeast width: Int = 1) {
    if number < 10 && width <= 1 { return append(UInt8(ascii: "0") + UInt8(number)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = 20
      var rest = number
      while rest > 0 || first > 20 - width {
        first -= 1
        digits.initializeElement(at: first, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }
}

/// The shortest decimal text that parses as the same number, without `.0` for integers.
package func numberText(_ number: Double) -> String {
  let text = number.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
