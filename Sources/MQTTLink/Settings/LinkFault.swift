import Weighing

/// Why a connection could not be made or has ended.
package enum LinkFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the broker could not be resolved; with the resolver's words.
  case unknownHost(String)
  /// Nothing accepts connections there; with the system's words.
  case unreachable(String)
  /// The broker took the connection and did not let us in within this time.
  case noAnswer(Interval)
  /// User name or password are wrong, missing or not authorised.
  case credentialsRefused(ReasonCode)
  /// The broker does not speak this version.
  case versionRefused(ProtocolVersion)
  /// The broker refuses for another reason; with its code.
  case refused(ReasonCode)
  /// The broker's certificate is signed by nobody we trust; with the words of OpenSSL.
  case untrustedCertificate(String)
  /// The broker's certificate has expired or is not valid yet; with the words of OpenSSL.
  case certificateOutOfDate(String)
  /// The broker's certificate is for somebody else than this host.
  case wrongServerName(String)
  /// A certificate or key file cannot be used; with the reason.
  case unusableFile(path: String, reason: String)
  /// TLS failed otherwise; with the words of OpenSSL.
  case tls(String)
  /// The broker closed the connection before it let us in.
  case closedBeforeGreeting
  /// The broker closed the connection.
  case closed
  /// The broker closed this connection shortly after it was made, as several before it.
  case closedRepeatedly(clientID: String)
  /// The broker ended the connection and said why.
  case endedByBroker(ReasonCode)
  /// Another client connected to the broker under our client identifier.
  case sessionTakenOver(clientID: String)
  /// The broker did not answer a ping in time.
  case silent
  /// The broker answers, but did not acknowledge a message or a subscription within this time.
  case unacknowledged(Interval)
  /// What came was not MQTT.
  case notMQTT(String)
  /// The connection broke; with the system's words.
  case broken(String)
  /// libmosquitto refused a setting; with its words.
  case unusableSettings(String)
  /// We ended it ourselves.
  case stopped

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .unknownHost(let text): "the host name cannot be resolved (\(text)): check mqtt.broker and the name server"
    case .unreachable(let text): "nothing to connect to (\(text)): check host and port, and that the broker runs"
    case .noAnswer(let time):
      "no answer within \(DecimalText.trimmed(time.seconds, decimals: 3)) s: check that an MQTT broker listens on this port"
    case .credentialsRefused(let code):
      "the broker refuses user name or password (\(code)): check username and password_file"
    case .versionRefused(let version): "the broker does not speak MQTT \(version)"
    case .refused(let code): "the broker refuses the connection (reason \(code)): see the broker's log"
    case .untrustedCertificate(let text): "the broker's certificate is not trusted (\(text)): check ca_file"
    case .certificateOutOfDate(let text):
      "the broker's certificate is out of date (\(text)): renew it, or set this machine's clock"
    case .wrongServerName(let host):
      "the broker's certificate is not for '\(host)': connect by a name that is in it, or have it reissued"
    case .unusableFile(let path, let reason): "cannot use '\(path)': \(reason)"
    case .tls(let text): "no secure connection (\(text)): check the port, ca_file, certificate_file and key_file"
    case .closedBeforeGreeting:
      "the broker closed the connection without an answer: check the port, and whether it wants mqtts:// or a client "
        + "certificate"
    case .closed: "the broker closed the connection"
    case .closedRepeatedly(let clientID):
      "the broker keeps closing the connection: check whether another client uses the client identifier '\(clientID)', "
        + "such as a second appliance with the same device.id"
    case .endedByBroker(let code): "the broker ended the connection (reason \(code))"
    case .sessionTakenOver(let clientID):
      "another client connected with the client identifier '\(clientID)': give each appliance on this broker a device.id "
        + "of its own"
    case .silent: "the broker does not answer"
    case .unacknowledged(let time):
      "the broker has not acknowledged anything for \(DecimalText.trimmed(time.seconds, decimals: 3)) s: check its log and restart it"
    case .notMQTT(let text): "the other side does not speak MQTT (\(text)): check the port"
    case .broken(let text): "the connection broke (\(text))"
    case .unusableSettings(let text): "libmosquitto refuses a setting (\(text)): check client id, will and credentials"
    case .stopped: "ended by us"
    }
  }
}
