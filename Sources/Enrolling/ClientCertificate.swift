import CCrypto

/// What renewal needs to know of a client certificate.
package struct ClientCertificate: Hashable, Sendable {
  /// From the first to the last second of its validity, in seconds.
  package let lifetime: Int
  /// From now to the last second, in seconds; negative if it has expired.
  package let secondsLeft: Int

  /// Reads the first certificate of a PEM text; `nil` without one.
  package init?(_ text: [UInt8]) {
    let life = Self.with(text) { certificate -> (Int, Int)? in
      let end = X509_get0_notAfter(certificate)
      func seconds(from start: UnsafePointer<ASN1_TIME>?) -> Int? {
        var (days, seconds): (Int32, Int32) = (0, 0)
        // Without a start: from now.
        guard ASN1_TIME_diff(&days, &seconds, start, end) == 1 else { return nil }
        return Int(days) * 86_400 + Int(seconds)
      }
      guard let total = seconds(from: X509_get0_notBefore(certificate)), let left = seconds(from: nil) else {
        return nil
      }
      return (total, left)
    }
    guard let (total, left) = life ?? nil else { return nil }
    (lifetime, secondsLeft) = (total, left)
  }

  /// Whether less than a third is left.
  package var isDueForRenewal: Bool { secondsLeft < lifetime / 3 }

  /// Whether a certificate belongs to a key; both in PEM format.
  static func matches(_ text: [UInt8], key: [UInt8]) -> Bool {
    guard let key = CertificateRequest.parse(key) else { return false }
    defer { EVP_PKEY_free(key) }
    return with(text) { X509_check_private_key($0, key) == 1 } ?? false
  }

  private static func with<Result>(_ text: [UInt8], _ body: (OpaquePointer) -> Result) -> Result? {
    defer { ERR_clear_error() }
    return text.withUnsafeBytes { bytes -> Result? in
      guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(memory) }
      guard let certificate = PEM_read_bio_X509(memory, nil, nil, nil) else { return nil }
      defer { X509_free(certificate) }
      return body(certificate)
    }
  }
}
