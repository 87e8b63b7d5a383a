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
  public init?(_ text: String) { self.init(Array(text.utf8)[...]) }

  /// Parses the 36 characters of a UUID of version 7, in UTF-8.
  package init?(_ characters: ArraySlice<UInt8>) {
    guard characters.count == 36 else { return nil }
    var (high, low) = (UInt64(0), UInt64(0))
    for (index, character) in characters.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.digit(character) else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | digit
    }
    guard high >> 12 & 0xf == 7, low >> 62 == 2 else { return nil }
    (self.high, self.low) = (high, low)
  }

  private static func digit(_ character: UInt8) -> UInt64? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(character - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(character - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// When it was made, in milliseconds since 1970 in UTC.
  public var milliseconds: Int { Int(high >> 16) }

  /// When it was made, since 1970 in UTC; the latest instant if it is later than that.
  package var time: Instant {
    let (nanoseconds, isTooLarge) = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
    return Instant(nanoseconds: isTooLarge ? .max : nanoseconds)
  }

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
