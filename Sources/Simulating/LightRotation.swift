import Linux
import MQTTLink
import Messages
import Weighing

extension LightFleetSettings {
  /// The brokers in the order in which a device tries them.
  ///
  /// - Parameter number: The number of the device; each begins with another broker.
  func rotation(of number: Int) -> BrokerRotation {
    let first = number % brokers.count
    return BrokerRotation(
      LinkSettings(brokers: Array(brokers[first...] + brokers[..<first]), clientID: "", version: version))
  }
}

extension BrokerRotation {
  /// Selects the next broker; returns the delay before the next attempt.
  ///
  /// - Parameter since: When the broker accepted the connection; `nil` if it did not.
  mutating func wait(
    after error: LinkError, since: Instant?, at now: Instant, using generator: inout some RandomNumberGenerator
  ) -> Interval {
    guard let since else { return failed(because: error, using: &generator) }
    return lost(because: error, afterLasting: now - since >= Self.lastingConnection, using: &generator)
  }

  /// As in `LinkSettings`.
  private static let lastingConnection = Interval.seconds(3)
}

extension LightConnection.End {
  /// The same for the code that selects the next broker.
  ///
  /// - Parameters:
  ///   - isConnected: Whether the broker had accepted the connection.
  ///   - version: The version of the connection.
  func error(isConnected: Bool, _ version: ProtocolVersion) -> LinkError {
    switch self {
    case .closed: isConnected ? .closed : .closedBeforeConnack
    case .system(let code): isConnected ? .broken(systemText(code)) : .unreachable(systemText(code))
    case .notMQTT: .notMQTT("")
    case .silent: .silent
    // 0x01 in 3.1.1 (table 3.1), 0x84 in 5 (3.2.2.2).
    case .refused(let code):
      code.rawValue == 0x01 || code.rawValue == 0x84 ? .versionRefused(version) : .refused(code)
    }
  }
}
