import CCrypto

/// A SHA-256 digest (FIPS 180-4), 32 bytes.
package struct Digest: Hashable, Sendable {
  let bytes: [UInt8]

  /// The predecessor of the first record of a file: 32 zero bytes.
  static let zero = Digest(stored: [UInt8](repeating: 0, count: 32))

  /// The digest of a message. `EVP_Digest(3)`
  package init(of message: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: 32)
    // It fails only if a provider does not support the algorithm, and every provider has SHA-256.
    let done = EVP_Digest(message, message.count, &bytes, nil, EVP_sha256(), nil)
    precondition(done == 1, "libcrypto has no SHA-256")
    self.bytes = bytes
  }

  /// A stored digest of any length.
  init(stored bytes: [UInt8]) { self.bytes = bytes }

  /// 64 hexadecimal digits.
  package var text: String { bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }

  /// Eight bytes from `index`, big-endian.
  func word(at index: Int) -> UInt64 { bytes[index..<index + 8].reduce(0) { $0 << 8 | UInt64($1) } }
}
