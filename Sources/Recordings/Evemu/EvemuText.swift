/// Appends text and numbers to a byte buffer in the formats of C's `printf`.
extension [UInt8] {
  /// `%s`
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// `%0<width>x`
  mutating func append(hexadecimal number: UInt16, width: Int) {
    for digit in stride(from: Swift.max(width, 1) - 1, through: 0, by: -1) {
      let nibble = UInt8(number >> UInt16(digit * 4) & 0xf)
      append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
    }
  }

  /// `%<width>d`, or `%0<width>d` with a `fill` of "0"; the width includes the sign.
  mutating func append(decimal number: Int64, width: Int = 0, fill: UInt8 = UInt8(ascii: " ")) {
    var digits = 1
    var rest = number.magnitude
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    let padding = Swift.max(width - digits - (number < 0 ? 1 : 0), 0)
    let zeros = fill == UInt8(ascii: "0")
    if number < 0 && zeros { append(UInt8(ascii: "-")) }
    for _ in 0..<padding { append(fill) }
    if number < 0 && !zeros { append(UInt8(ascii: "-")) }
    let start = count
    rest = number.magnitude
    for _ in 0..<digits {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    self[start...].reverse()
  }

  /// `%#04x`
  mutating func append(prefixed number: UInt16) {
    let digits = String(number, radix: 16)
    append(number == 0 ? "0000" : "0x" + (digits.count < 2 ? "0" : "") + digits)
  }
}
