import CMosquitto
import Glibc
import Languages
import Linux
import Weighing

extension MosquittoHandle {
  /// The error for the result of a libmosquitto function, the error number and the logged lines.
  func linkError(for code: Int32, errno: Int32) -> LinkError {
    if let error = tlsError() { return error }
    switch mosq_err_t(rawValue: code) {
    case MOSQ_ERR_EAI: return .unknownHost(String(cString: gai_strerror(errno)))
    case MOSQ_ERR_CONN_LOST: return .closed
    case MOSQ_ERR_KEEPALIVE: return .silent
    // No error number: the other side closed the connection in the middle of a packet.
    case MOSQ_ERR_ERRNO: return errno == 0 ? .closed : .broken(systemText(errno))
    case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE: return .tls("the handshake failed")
    case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_DUPLICATE_PROPERTY:
      return .notMQTT(String(cString: mosquitto_strerror(code)))
    default: return .broken(String(cString: mosquitto_strerror(code)))
    }
  }

  /// What went wrong with TLS, as far as the error lines and OpenSSL's verification result show.
  private func tlsError() -> LinkError? {
    if errorLines.contains(where: { $0.contains("host name verification failed") }) {
      return .wrongServerName(broker.host)
    }
    // The file is named in lines such as: Error: Unable to load client certificate "/path".
    if let line = errorLines.first(where: { $0.contains("Unable to load") }) {
      let path = line.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
      return .unusableFile(path: path, reason: opensslText.map { .verbatim($0) } ?? Sentence(.tlsNotPEM))
    }
    if let line = errorLines.first(where: { $0.contains("inconsistent") }) { return .tls(line) }
    guard let text = opensslText else { return nil }
    guard text.contains("certificate verify failed") else { return .tls(text) }
    guard let verdict else { return .untrustedCertificate(text) }
    return verdict.isAboutTime ? .certificateOutOfDate(verdict.text) : .untrustedCertificate(verdict.text)
  }

  /// The last part of OpenSSL's first error: `certificate verify failed` of `error:0A000086:SSL routines::...`.
  private var opensslText: String? {
    errorLines.first { $0.hasPrefix("OpenSSL Error") }.flatMap { $0.split(separator: ":").last.map(String.init) }
  }
}

/// OpenSSL's verification result for the certificate of the other side.
///
/// libmosquitto does not expose it, but has loaded OpenSSL itself; so the two functions are looked up at run time,
/// without headers of OpenSSL. If they are missing, the reason is less specific.
struct CertificateVerdict {
  let code: Int
  let text: String

  init?(_ session: UnsafeMutableRawPointer) {
    typealias Verdict = @convention(c) (UnsafeMutableRawPointer) -> Int
    typealias Text = @convention(c) (Int) -> UnsafePointer<CChar>?
    guard let verdict = dlsym(nil, "SSL_get_verify_result"), let text = dlsym(nil, "X509_verify_cert_error_string")
    else { return nil }
    // The types are those of openssl/ssl.h and openssl/x509.h, unchanged since OpenSSL 0.9.
    code = unsafeBitCast(verdict, to: Verdict.self)(session)
    guard code != 0, let words = unsafeBitCast(text, to: Text.self)(code) else { return nil }
    self.text = String(cString: words)
  }

  /// X509_V_ERR_CERT_NOT_YET_VALID (9) and X509_V_ERR_CERT_HAS_EXPIRED (10), openssl/x509_vfy.h.
  var isAboutTime: Bool { code == 9 || code == 10 }
}
