/// The secret that allows actions from other machines; never printed, and compared in constant time.
package struct Token: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  private let bytes: [UInt8]

  /// Minimum length in bytes; a shorter token could be guessed.
  package static let fewestBytes = 16

  /// Makes a token; `nil` if it is shorter than 16 bytes or not valid in a header (RFC 6750, 2.1: `b64token`).
  package init?(_ text: String) {
    let allowed = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    guard (Self.fewestBytes...512).contains(text.utf8.count), allowed else { return nil }
    bytes = Array(text.utf8)
  }

  /// Whether a text equals this token.
  func matches(_ text: some StringProtocol) -> Bool {
    let other = Array(text.utf8)
    var difference = UInt8(other.count == bytes.count ? 0 : 1)
    for index in bytes.indices { difference |= bytes[index] ^ (index < other.count ? other[index] : 0) }
    return difference == 0
  }

  /// A placeholder instead of the token.
  package var description: String { "(a token)" }
  /// A placeholder instead of the token.
  package var debugDescription: String { description }
}
