import Configuration
import Messages

/// What a device gets for its request: its certificate, and where to connect with it.
package struct CertificateAnswer: Hashable, Sendable {
  /// The brokers in order of preference, all with TLS.
  package let brokers: [BrokerAddress]
  /// The common prefix of all appliances, `mqtt.prefix`.
  package let prefix: String
  /// The certificate of the device, in PEM format.
  let certificate: [UInt8]

  /// Maximum size of an answer in bytes; one with a certificate has about 1 KB.
  static let maximumBytes = 16 * 1024

  /// Parses an answer of `grampad-broker issue`.
  ///
  /// - Parameter key: The key that the certificate has to be for.
  /// - Throws: `EnrollmentError.refused` with the reason of the server, `.invalidAnswer`.
  init(_ payload: [UInt8], id: String, key: [UInt8]) throws(EnrollmentError) {
    guard let json = try? JSONValue(payload, maximumBytes: Self.maximumBytes) else { throw .invalidAnswer }
    if let reason = json["error"]?.text { throw .refused(String(reason.prefix(500))) }
    guard json["id"]?.text == id, let prefix = json["prefix"]?.text, let certificate = json["certificate"]?.text,
      case .array(let list)? = json["brokers"], !list.isEmpty
    else { throw .invalidAnswer }
    brokers = list.compactMap { $0.text.flatMap { try? BrokerAddress(url: $0) } }
    guard brokers.count == list.count, brokers.allSatisfy(\.isSecure) else { throw .invalidAnswer }
    self.prefix = prefix
    self.certificate = Array(certificate.utf8)
    guard ClientCertificate.matches(self.certificate, key: key) else { throw .invalidAnswer }
  }
}
