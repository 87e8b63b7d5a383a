import CCrypto

/// A SHA-256 digest of a message in several pieces, such as a large file.
package struct RunningDigest: ~Copyable {
  private let context: OpaquePointer

  /// Starts an empty message. `EVP_DigestInit_ex(3)`
  package init() {
    // As for `Digest`: every provider has SHA-256; and a context takes only some hundred bytes.
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("libcrypto has no SHA-256")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds the next piece. `EVP_DigestUpdate(3)`
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let done = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(done == 1, "libcrypto rejects a piece of a message")
  }

  /// The digest of the message. `EVP_DigestFinal_ex(3)`
  package consuming func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: 32)
    let done = EVP_DigestFinal_ex(context, &bytes, nil)
    precondition(done == 1, "libcrypto failed to finish a digest")
    return Digest(stored: bytes)
  }
}
