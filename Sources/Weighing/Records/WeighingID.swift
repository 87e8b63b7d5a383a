/// The identifier of a record: a UUID of version 7, which sorts by time (RFC 9562, 5.7).
public struct WeighingID: Hashable, Sendable, CustomStringConvertible {
  /// The first 8 bytes: 48 bits of milliseconds since 1970, the version, 12 random bits.
  public let high: UInt64
  /// The last 8 bytes: the variant and 62 random bits.
  public let low: UInt64

  /// Makes an identifier.
  ///
  /// - Parameters:
  ///   - time: The time since 1970 in UTC; before that counts as 1970.
  ///   - randomness: 128 bits, of which 74 are used.
  public init(time: Instant, randomness: (UInt64, UInt64)) {
    let milliseconds = UInt64(max(time.nanoseconds, 0) / 1_000_000)
    high = milliseconds << 16 | 0x7000 | randomness.0 & 0x0fff
    low = 0x8000_0000_0000_0000 | randomness.1 & 0x3fff_ffff_ffff_ffff
  }

  /// Parses the 36 characters of a UUID of version 7, in lower or upper case; `nil` for any other text.
  public init?(_ text: String) {
    let characters = Array(text.utf8)
    guard characters.count == 36, [8, 13, 18, 23].allSatisfy({ characters[$0] == UInt8(ascii: "-") }) else {
      return nil
    }
    var digits = characters
    for index in [23, 18, 13, 8] { digits.remove(at: index) }
    let text = digits.map { Character(UnicodeScalar($0)) }
    guard text.allSatisfy(\.isHexDigit), let high = UInt64(String(text[..<16]), radix: 16),
      let low = UInt64(String(text[16...]), radix: 16), high >> 12 & 0xf == 7, low >> 62 == 2
    else { return nil }
    self.high = high
    self.low = low
  }

  /// When it was made, in milliseconds since 1970 in UTC.
  public var milliseconds: Int { Int(high >> 16) }

  /// The usual 36 characters in lower case.
  public var description: String {
    let digits = HexadecimalText.fixed(high) + HexadecimalText.fixed(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
