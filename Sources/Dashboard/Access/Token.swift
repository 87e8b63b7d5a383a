/// The secret that lets somebody act from another machine; never printed, and compared in a time that tells nothing.
package struct Token: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  private let bytes: [UInt8]

  /// A shorter one could be guessed.
  package static let fewestBytes = 16

  /// Makes a token of 16 bytes or more; `nil` for less, or for what no header can carry (RFC 6750, 2.1: `b64token`).
  package init?(_ text: String) {
    let allowed = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    guard (Self.fewestBytes...512).contains(text.utf8.count), allowed else { return nil }
    bytes = Array(text.utf8)
  }

  /// Whether a text is this token.
  func matches(_ text: some StringProtocol) -> Bool {
    let other = Array(text.utf8)
    var difference = UInt8(other.count == bytes.count ? 0 : 1)
    for index in bytes.indices { difference |= bytes[index] ^ (index < other.count ? other[index] : 0) }
    return difference == 0
  }

  /// Not the token.
  package var description: String { "(a token)" }
  /// Not the token.
  package var debugDescription: String { description }
}
