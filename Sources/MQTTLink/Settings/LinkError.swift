import Languages
import Messages
import Weighing

/// Why a connection could not be made or has ended.
package enum LinkError: SentenceError, Hashable {
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
  case unusableFile(path: String, reason: Sentence)
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

  /// What failed and what to do about it; messages of the broker, the system and OpenSSL are in English.
  package var sentence: Sentence {
    func seconds(_ time: Interval) -> String { DecimalText.trimmed(time.seconds, decimals: 3) }
    return switch self {
    case .unknownHost(let text): Sentence(.linkUnknownHost, ["text": text])
    case .unreachable(let text): Sentence(.linkUnreachable, ["text": text])
    case .noAnswer(let time): Sentence(.linkNoAnswer, ["seconds": seconds(time)])
    case .credentialsRefused(let code): Sentence(.linkCredentials, ["code": code])
    case .versionRefused(let version): Sentence(.linkVersion, ["version": version])
    case .refused(let code): Sentence(.linkRefused, ["code": code])
    case .untrustedCertificate(let text): Sentence(.linkUntrusted, ["text": text])
    case .certificateOutOfDate(let text): Sentence(.linkOutOfDate, ["text": text])
    case .wrongServerName(let host): Sentence(.linkWrongName, ["host": host])
    case .unusableFile(let path, let reason): Sentence(.linkUnusableFile, ["path": path, "reason": reason])
    case .tls(let text): Sentence(.linkTLS, ["text": text])
    case .closedBeforeConnack: Sentence(.linkClosedEarly)
    case .closed: Sentence(.linkClosed)
    case .closedRepeatedly(let client): Sentence(.linkClosedRepeatedly, ["client": client])
    case .endedByBroker(let code): Sentence(.linkEnded, ["code": code])
    case .sessionTakenOver(let client): Sentence(.linkTakenOver, ["client": client])
    case .silent: Sentence(.linkSilent)
    case .unacknowledged(let time): Sentence(.linkUnacknowledged, ["seconds": seconds(time)])
    case .notMQTT(let text): Sentence(.linkNotMQTT, ["text": text])
    case .broken(let text): Sentence(.linkBroken, ["text": text])
    case .unusableSettings(let text): Sentence(.linkUnusableSettings, ["text": text])
    case .stopped: Sentence(.linkStopped)
    }
  }
}
