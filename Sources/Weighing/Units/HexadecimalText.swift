/// Hexadecimal digits of a number, without a library.
public enum HexadecimalText {
  /// All digits of the type in lower case, with leading zeros: 4 for 16 bits, 16 for 64.
  public static func fixed(_ value: some FixedWidthInteger & UnsignedInteger) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
  }
}
