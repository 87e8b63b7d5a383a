import Weighing

/// Why a connection could not be made or has ended.
package enum LinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host name of the broker could not be resolved; with the resolver's message.
  case unknownHost(String)
  /// The connection could not be established; with the system's message.
  case unreachable(String)
  /// The broker accepted the TCP connection, but did not send CONNACK within this time.
  case noAnswer(Interval)
  /// User name or password are wrong, missing or not authorised.
  case credentialsRefused(ReasonCode)
  /// The broker does not support this protocol version.
  case versionRefused(ProtocolVersion)
  /// The broker refused the connection for another reason; with the reason code.
  case refused(ReasonCode)
  /// The broker's certificate is not signed by a trusted CA; with OpenSSL's message.
  case untrustedCertificate(String)
  /// The broker's certificate has expired or is not yet valid; with OpenSSL's message.
  case certificateOutOfDate(String)
  /// The broker's certificate is not valid for this host name.
  case wrongServerName(String)
  /// A certificate or key file cannot be used; with the reason.
  case unusableFile(path: String, reason: String)
  /// Any other TLS failure; with OpenSSL's message.
  case tls(String)
  /// The broker closed the connection before CONNACK.
  case closedBeforeConnack
  /// The broker closed the connection.
  case closed
  /// The broker closed the connection shortly after it was established, as it did with several before.
  case closedRepeatedly(clientID: String)
  /// The broker ended the connection with a reason code.
  case endedByBroker(ReasonCode)
  /// Another client connected with our client identifier.
  case sessionTakenOver(clientID: String)
  /// The broker did not answer a ping in time.
  case silent
  /// The broker is responsive, but did not acknowledge a message or a subscription within this time.
  case unacknowledged(Interval)
  /// The data received is not MQTT.
  case notMQTT(String)
  /// The connection broke; with the system's message.
  case broken(String)
  /// libmosquitto rejected a setting; with its message.
  case unusableSettings(String)
  /// We ended the connection.
  case stopped

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .unknownHost(let text): "cannot resolve the host name (\(text)): check mqtt.broker and the DNS server"
    case .unreachable(let text): "cannot connect (\(text)): check host and port, and that the broker is running"
    case .noAnswer(let time):
      "no response within \(DecimalText.trimmed(time.seconds, decimals: 3)) s: check that an MQTT broker listens on this port"
    case .credentialsRefused(let code):
      "the broker rejected the user name or password (\(code)): check username and password_file"
    case .versionRefused(let version): "the broker does not support MQTT \(version)"
    case .refused(let code): "the broker refused the connection (reason \(code)): check the broker's log"
    case .untrustedCertificate(let text): "the broker's certificate is not trusted (\(text)): check ca_file"
    case .certificateOutOfDate(let text):
      "the broker's certificate has expired or is not yet valid (\(text)): renew it, or correct this machine's clock"
    case .wrongServerName(let host):
      "the broker's certificate is not valid for '\(host)': connect by a name in the certificate, or reissue it"
    case .unusableFile(let path, let reason): "cannot use '\(path)': \(reason)"
    case .tls(let text): "TLS failed (\(text)): check the port, ca_file, certificate_file and key_file"
    case .closedBeforeConnack:
      "the broker closed the connection without a response: check the port, and whether it requires mqtts:// or a client "
        + "certificate"
    case .closed: "the broker closed the connection"
    case .closedRepeatedly(let clientID):
      "the broker keeps closing the connection: check whether another client uses the client identifier '\(clientID)', "
        + "such as a second appliance with the same device.id"
    case .endedByBroker(let code): "the broker ended the connection (reason \(code))"
    case .sessionTakenOver(let clientID):
      "another client connected with the client identifier '\(clientID)': give each appliance on this broker its own device.id"
    case .silent: "the broker is not responding"
    case .unacknowledged(let time):
      "no acknowledgement from the broker for \(DecimalText.trimmed(time.seconds, decimals: 3)) s: check its log and restart it"
    case .notMQTT(let text): "the server does not speak MQTT (\(text)): check the port"
    case .broken(let text): "connection lost (\(text))"
    case .unusableSettings(let text):
      "libmosquitto rejected a setting (\(text)): check client identifier, will and credentials"
    case .stopped: "disconnected by the client"
    }
  }
}
