import CCrypto

/// A SHA-256 digest (FIPS 180-4), 32 bytes.
package struct Digest: Hashable, Sendable {
  let bytes: [UInt8]

  /// What the first record of a file follows: 32 zero bytes.
  static let zero = Digest(stored: [UInt8](repeating: 0, count: 32))

  /// The digest of a message. `EVP_Digest(3)`
  package init(of message: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: 32)
    // It fails only where a provider refuses the algorithm, and every provider has SHA-256.
    let done = EVP_Digest(message, message.count, &bytes, nil, EVP_sha256(), nil)
    precondition(done == 1, "libcrypto has no SHA-256")
    self.bytes = bytes
  }

  /// A digest as it was stored, whatever its length.
  init(stored bytes: [UInt8]) { self.bytes = bytes }

  /// 64 hexadecimal digits.
  package var text: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The eight bytes from `index` on, the first one highest.
  func word(at index: Int) -> UInt64 { bytes[index..<index + 8].reduce(0) { $0 << 8 | UInt64($1) } }
}
