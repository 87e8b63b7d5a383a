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
/// ```
/// A broker that turns MQTT 5 down is tried in 3.1.1 at once; what it accepted is remembered.
struct BrokerRotation {
  private let brokers: [BrokerAddress]
  private let newest: ProtocolVersion
  private var backOff: BackOff
  private var index = 0
  private var failuresInRound = 0
  private var accepted: [BrokerAddress: ProtocolVersion] = [:]
  private var fallingBack = false

  init(_ settings: LinkSettings) {
    brokers = settings.brokers
    newest = settings.version
    backOff = settings.backOff
  }

  /// The broker to be tried now.
  var broker: BrokerAddress { brokers[index] }

  /// The version to try it in.
  var version: ProtocolVersion { fallingBack ? .v311 : accepted[broker] ?? newest }

  /// The broker has let us in.
  mutating func connected() {
    accepted[broker] = version
    fallingBack = false
    failuresInRound = 0
  }

  /// An attempt has failed; returns the wait before the next.
  mutating func failed(
    because fault: LinkFault, using generator: inout some RandomNumberGenerator
  ) -> Interval {
    if fault.mayBeAboutVersion, version == .v5, !fallingBack {
      fallingBack = true
      return .zero
    }
    fallingBack = false
    // A broker may have been replaced by a newer one: the next attempt begins with the newest version again.
    if fault.mayBeAboutVersion { accepted[broker] = nil }
    index = (index + 1) % brokers.count
    failuresInRound += 1
    if failuresInRound < brokers.count { return .zero }
    failuresInRound = 0
    index = 0
    return backOff.next(using: &generator)
  }

  /// A connection has ended; returns the wait before the next attempt.
  mutating func lost(afterLasting lasted: Bool, using generator: inout some RandomNumberGenerator) -> Interval {
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
      .certificateOutOfDate, .wrongServerName, .unusableFile, .tls, .closed, .endedByBroker, .silent, .broken,
      .unusableSettings, .stopped:
      false
    }
  }
}
