import CCrypto

/// A P-256 key of this device and the request for its certificate, in PEM format.
///
/// The key never leaves the device; the request has its public half.
struct CertificateRequest: Sendable {
  /// The private key.
  let key: [UInt8]
  /// The request (PKCS #10), signed with the key.
  let request: [UInt8]

  /// Makes a request; `nil` if libcrypto fails, for example without memory.
  ///
  /// - Parameters:
  ///   - name: The common name. The CA may replace it.
  ///   - key: A key of an earlier request, in PEM format; without one, or if it cannot be used, a new key is made.
  init?(name: String, key: [UInt8]?) {
    defer { ERR_clear_error() }
    guard let pair = key.flatMap(Self.parse) ?? Self.make() else { return nil }
    defer { EVP_PKEY_free(pair) }
    guard let draft = X509_REQ_new() else { return nil }
    defer { X509_REQ_free(draft) }
    // MBSTRING_ASC, which asn1.h defines by an expression.
    let ascii: Int32 = 0x1001
    guard X509_REQ_set_version(draft, 0) == 1,
      X509_NAME_add_entry_by_txt(
        X509_REQ_get_subject_name(draft), "CN", ascii, Array(name.utf8), Int32(name.utf8.count), -1, 0) == 1,
      X509_REQ_set_pubkey(draft, pair) == 1, X509_REQ_sign(draft, pair, EVP_sha256()) > 0,
      let key = Self.written({ PEM_write_bio_PrivateKey($0, pair, nil, nil, 0, nil, nil) }),
      let request = Self.written({ PEM_write_bio_X509_REQ($0, draft) })
    else { return nil }
    (self.key, self.request) = (key, request)
  }

  private static func make() -> OpaquePointer? {
    guard let context = EVP_PKEY_CTX_new_id(NID_X9_62_id_ecPublicKey, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var pair: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1, EVP_PKEY_keygen(context, &pair) == 1
    else { return nil }
    return pair
  }

  /// The first private key of a PEM text; `nil` without one, or if it is encrypted.
  static func parse(_ text: [UInt8]) -> OpaquePointer? {
    text.withUnsafeBytes { bytes in
      guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(memory) }
      // Called only if the key is encrypted; without a callback OpenSSL would prompt on the terminal.
      return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
    }
  }

  /// What a function of libcrypto writes to memory.
  private static func written(_ write: (OpaquePointer) -> Int32) -> [UInt8]? {
    guard let memory = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(memory) }
    guard write(memory) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = BIO_read(memory, &bytes, Int32(bytes.count))
    return count > 0 ? Array(bytes[..<Int(count)]) : nil
  }
}
