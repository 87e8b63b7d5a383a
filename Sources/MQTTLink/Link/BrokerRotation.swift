import Glibc
import Linux
import Messages
import Weighing

/// Selects the broker, the protocol version and the delay of the next attempt; a value without I/O or clock.
///
/// ```
///           failed, more in the list: next broker, no wait
/// broker k ------------------------------------------------> broker k+1
///    |      failed, list exhausted: first broker, wait
///    +-----------------------------------------------------> broker 0
///    |      connected, then lost: the same broker, wait (a short one if the connection lasted)
///    +-----------------------------------------------------> broker k
///    |      connected, then frozen (no answer, no acknowledgement), more in the list: next broker, no wait
///    +-----------------------------------------------------> broker k+1
/// ```
/// If an MQTT 5 attempt fails in a way typical of a broker without MQTT 5, it is repeated with 3.1.1 immediately. This
/// is remembered only for a broker that rejected the version: a closed connection may also come from a proxy or a
/// restarting broker.
package struct BrokerRotation {
  private let brokers: [BrokerAddress]
  private let newest: ProtocolVersion
  private let clientID: String
  private var backOff: BackOff
  private var index = 0
  private var failuresInRound = 0
  private var withoutVersion5: Set<BrokerAddress> = []
  private var fallingBack = false
  /// The last error of each broker since the last connection.
  private var lastErrors: [BrokerAddress: LinkError] = [:]
  /// Number of consecutive connections that the broker closed soon after they were established.
  private var shortConnections = 0

  /// Makes a rotation that begins with the first broker.
  package init(_ settings: LinkSettings) {
    (brokers, newest, clientID) = (settings.brokers, settings.version, settings.clientID)
    backOff = settings.backOff
  }

  /// The broker to try now.
  package var broker: BrokerAddress { brokers[index] }

  /// The version to try.
  package var version: ProtocolVersion { fallingBack || withoutVersion5.contains(broker) ? .v311 : newest }

  /// The broker has accepted the connection.
  package mutating func connected() {
    fallingBack = false
    failuresInRound = 0
    lastErrors = [:]
  }

  /// Records the error of an attempt; returns whether the attempt before at this broker had the same.
  mutating func repeats(_ error: LinkError, of broker: BrokerAddress) -> Bool {
    lastErrors.updateValue(error, forKey: broker) == error
  }

  /// An attempt has failed; returns the delay before the next.
  package mutating func failed(
    because error: LinkError, using generator: inout some RandomNumberGenerator
  ) -> Interval {
    if error.mayBeAboutVersion, version == .v5 {
      if case .versionRefused = error { withoutVersion5.insert(broker) }
      fallingBack = true
      return .zero
    }
    fallingBack = false
    // The broker may have been upgraded: the next round starts with the newest version again.
    if error.mayBeAboutVersion { withoutVersion5.remove(broker) }
    index = (index + 1) % brokers.count
    failuresInRound += 1
    if failuresInRound < brokers.count { return .zero }
    failuresInRound = 0
    index = 0
    return backOff.next(using: &generator)
  }

  /// A connection has ended; returns the delay before the next attempt.
  ///
  /// - Parameter lasted: Whether the connection lasted long enough for a short delay.
  package mutating func lost(
    because error: LinkError, afterLasting lasted: Bool, using generator: inout some RandomNumberGenerator
  ) -> Interval {
    switch error {
    // Its kernel still accepts connections: another attempt at the same broker would only cost time.
    case .silent, .unacknowledged:
      if brokers.count > 1 {
        index = (index + 1) % brokers.count
        return .zero
      }
    // Two clients keep taking over each other's session: the delays have to grow.
    case .sessionTakenOver, .closedRepeatedly: return backOff.next(using: &generator)
    case .unknownHost, .unreachable, .noAnswer, .credentialsRefused, .versionRefused, .refused, .untrustedCertificate,
      .certificateOutOfDate, .wrongServerName, .unusableFile, .tls, .closedBeforeConnack, .closed, .endedByBroker,
      .notMQTT, .broken, .unusableSettings, .stopped:
      break
    }
    if lasted { backOff.reset() }
    return backOff.next(using: &generator)
  }

  /// The cause of the end of a connection, given those before it; called once for each, before `lost`.
  ///
  /// With MQTT 5 a broker can report that another client has taken over the session. With 3.1.1 it closes the
  /// connection repeatedly, as mosquitto before 2.0.15 also does with MQTT 5 (ChangeLog, #2607; seen with 2.0.11).
  mutating func diagnosis(of error: LinkError, afterLasting lasted: Interval) -> LinkError {
    guard error.isUnexplainedClose, lasted < Self.shortConnection else {
      shortConnections = 0
      return error
    }
    shortConnections += 1
    return shortConnections < Self.suspiciousConnections ? error : .closedRepeatedly(clientID: clientID)
  }

  /// Twice the longest delay between two attempts, so that two clients that displace each other are detected.
  private static let shortConnection = Interval.seconds(60)
  private static let suspiciousConnections = 3
}

extension LinkError {
  /// Whether the broker closed the connection without a reason. Writing to a socket that the broker has closed is a
  /// broken pipe.
  fileprivate var isUnexplainedClose: Bool { self == .closed || self == .broken(systemText(EPIPE)) }

  /// Whether this is typical of a broker that does not support MQTT 5.
  ///
  /// The standard requires CONNACK 0x01 (3.1.1) or 0x84 (5). Some brokers close the connection on CONNECT, others
  /// respond in their own version, which an MQTT 5 client cannot parse.
  package var mayBeAboutVersion: Bool {
    switch self {
    case .versionRefused, .closedBeforeConnack, .notMQTT: true
    case .unknownHost, .unreachable, .noAnswer, .credentialsRefused, .refused, .untrustedCertificate,
      .certificateOutOfDate, .wrongServerName, .unusableFile, .tls, .closed, .closedRepeatedly, .endedByBroker,
      .sessionTakenOver, .silent, .unacknowledged, .broken, .unusableSettings, .stopped:
      false
    }
  }
}
