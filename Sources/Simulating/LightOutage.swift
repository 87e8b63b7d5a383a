import Linux
import Logging
import MQTTLink
import Messages
import Weighing

/// Logs why devices are not connected: each reason once, however many devices there are, and the end of the outage.
struct LightOutage {
  private struct Reason: Hashable {
    let broker: BrokerAddress
    let error: LinkError
  }

  private let logger: Logger
  /// What was logged since all devices were connected; few, since a broker fails in few ways.
  private var reasons: Set<Reason> = []
  /// For devices that keep losing their connections.
  private var throttle = LogThrottle()

  init(logger: Logger) { self.logger = logger }

  /// A device has lost its connection, or could not connect.
  mutating func report(_ error: LinkError, of broker: BrokerAddress, at now: Instant) {
    let reason = Reason(broker: broker, error: error)
    guard !reasons.contains(reason), throttle.admit(at: now) != nil else { return }
    reasons.insert(reason)
    logger.warning(
      "devices are not connected; retrying",
      metadata: ["broker.address": "\(broker)", "broker.reason": "\(error)"])
  }

  /// All devices are connected.
  mutating func end() {
    guard !reasons.isEmpty else { return }
    reasons = []
    logger.notice("all devices are connected")
  }
}
