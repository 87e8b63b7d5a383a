import Messages
import Weighing

/// Which broker is tried next, in which version, and after what wait; a value without I/O.
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
/// An attempt in MQTT 5 that fails as with a broker that does not know it is repeated in 3.1.1 at once. Only a broker that
/// refused the version itself is remembered: a closed connection may also come from a proxy or a restarting broker.
struct BrokerRotation {
  private let brokers: [BrokerAddress]
  private let newest: ProtocolVersion
  private var backOff: BackOff
  private var index = 0
  private var failuresInRound = 0
  private var withoutVersion5: Set<BrokerAddress> = []
  private var fallingBack = false

  init(_ settings: LinkSettings) {
    brokers = settings.brokers
    newest = settings.version
    backOff = settings.backOff
  }

  /// The broker to be tried now.
  var broker: BrokerAddress { brokers[index] }

  /// The version to try it in.
  var version: ProtocolVersion { fallingBack || withoutVersion5.contains(broker) ? .v311 : newest }

  /// The broker has accepted the connection.
  mutating func connected() {
    fallingBack = false
    failuresInRound = 0
  }

  /// An attempt has failed; returns the wait before the next.
  mutating func failed(
    because fault: LinkFault, using generator: inout some RandomNumberGenerator
  ) -> Interval {
    if fault.mayBeAboutVersion, version == .v5 {
      if case .versionRefused = fault { withoutVersion5.insert(broker) }
      fallingBack = true
      return .zero
    }
    fallingBack = false
    // A broker may have been replaced by a newer one: the next attempt begins with the newest version again.
    if fault.mayBeAboutVersion { withoutVersion5.remove(broker) }
    index = (index + 1) % brokers.count
    failuresInRound += 1
    if failuresInRound < brokers.count { return .zero }
    failuresInRound = 0
    index = 0
    return backOff.next(using: &generator)
  }

  /// A connection has ended; returns the wait before the next attempt.
  ///
  /// - Parameter lasted: Whether it lasted long enough for a short wait.
  mutating func lost(
    because fault: LinkFault, afterLasting lasted: Bool, using generator: inout some RandomNumberGenerator
  ) -> Interval {
    switch fault {
    // Its kernel goes on accepting connections: an attempt at the same broker would only cost time.
    case .silent, .unacknowledged:
      if brokers.count > 1 {
        index = (index + 1) % brokers.count
        return .zero
      }
    // Two clients that take the session from each other, over and over: the waits have to grow.
    case .sessionTakenOver, .closedRepeatedly: return backOff.next(using: &generator)
    case .unknownHost, .unreachable, .noAnswer, .credentialsRefused, .versionRefused, .refused, .untrustedCertificate,
      .certificateOutOfDate, .wrongServerName, .unusableFile, .tls, .closedBeforeGreeting, .closed, .endedByBroker,
      .notMQTT, .broken, .unusableSettings, .stopped:
      break
    }
    if lasted { backOff.reset() }
    return backOff.next(using: &generator)
  }
}

extension LinkFault {
  /// Whether this is how a broker that does not know MQTT 5 behaves.
  ///
  /// The standard asks for CONNACK 0x01 (3.1.1) or 0x84 (5); some close at CONNECT, some answer in their own version,
  /// which MQTT 5 cannot read.
  package var mayBeAboutVersion: Bool {
    switch self {
    case .versionRefused, .closedBeforeGreeting, .notMQTT: true
    case .unknownHost, .unreachable, .noAnswer, .credentialsRefused, .refused, .untrustedCertificate,
      .certificateOutOfDate, .wrongServerName, .unusableFile, .tls, .closed, .closedRepeatedly, .endedByBroker,
      .sessionTakenOver, .silent, .unacknowledged, .broken, .unusableSettings, .stopped:
      false
    }
  }
}
