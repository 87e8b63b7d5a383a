/// Hexadecimal digits of a number, without a library.
public enum HexadecimalText {
  /// All digits that the type has, in lower case, leading zeros written: 4 of 16 bits, 16 of 64.
  public static func fixed(_ value: some FixedWidthInteger & UnsignedInteger) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
  }
}
