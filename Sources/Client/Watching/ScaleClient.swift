import Configuration
import Languages
import Linux
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// A connection to a remote appliance through a broker: receives its messages and requests actions.
///
/// Keeps the state of the scale and raises `changes` when it changes.
package final class ScaleClient: Sendable {
  private struct State: Sendable {
    var scale: WatchedScale
    /// The time of the first connection; `nil` before.
    var firstConnected: Instant?
    /// Whether any message of the appliance was received; `availability` is retained, so an appliance that has ever run has
    /// one.
    var hasReceived = false
    /// The titles of the pending requests by their correlation.
    var pending: [String: String] = [:]
    var requests = 0
  }

  /// Maximum number of pending requests; the result of an older one is not shown.
  private static let pendingLimit = 16
  /// A command that is not delivered within this time expires, so that it never takes effect long after the key was pressed.
  private static let patience = Interval.seconds(5)

  /// Raised when the state has changed.
  package let changes = Signal()
  private let state: Mutex<State>
  private let client: BrokerClient
  private let logger: Logger

  /// Prepares a connection from the configuration of the appliance.
  ///
  /// - Parameters:
  ///   - brokers: Used instead of those of the configuration.
  ///   - folder: The folder of the configuration file.
  ///   - texts: The texts in the language of the user.
  /// - Throws: `ClientError`.
  package init(
    _ configuration: Configuration, brokers: [BrokerAddress]?, folder: String, texts: Texts = .english, logger: Logger
  ) throws(ClientError) {
    client = try BrokerClient(lasting: configuration, brokers: brokers, folder: folder, purpose: "watch")
    self.logger = logger
    let scale = WatchedScale(
      topics: client.topics, heartbeat: configuration.publish.heartbeat, display: configuration.scale.display,
      texts: texts)
    state = Mutex(State(scale: scale))
  }

  /// Connects.
  package func connect() {
    client.start(subscribingTo: scale.filters, logger: logger) { [weak self] in self?.handle($0) }
  }

  /// Disconnects.
  package func disconnect() { client.stop() }

  /// The state of the scale.
  package var scale: WatchedScale { state.withLock { $0.scale } }

  /// Whether any message of the appliance was received.
  package var hasReceived: Bool { state.withLock { $0.hasReceived } }

  /// The reason to give up: no connection within `patience`, or no message of the appliance within `patience` of connecting.
  /// `nil` otherwise.
  package func failure(since begin: Instant, at now: Instant, patience: Interval) -> String? {
    state.withLock { state in
      guard let connected = state.firstConnected else {
        guard case .down(let reason?) = state.scale.connection, now - begin > patience else { return nil }
        return state.scale.texts(Sentence(.noBroker, ["reason": reason]))
      }
      guard !state.hasReceived, case .up(let broker) = state.scale.connection, now - connected > patience else {
        return nil
      }
      return state.scale.texts(.noAppliance, ["appliance": String(client.topics.base.dropLast()), "broker": broker])
    }
  }

  /// Shows a notice.
  package func showNotice(_ text: String, isGood: Bool) {
    state.withLock { $0.scale.setNotice(text, isGood: isGood, at: .now()) }
    changes.raise()
  }

  /// Requests an action; the result is shown as a notice.
  ///
  /// - Parameters:
  ///   - name: Its name in commands.
  ///   - title: The name shown to the user.
  package func request(_ name: String, title: String) {
    guard case .up = scale.connection else {
      return showNotice("\(title): \(scale.texts(.notConnected))", isGood: false)
    }
    let correlation = state.withLock { state in
      state.requests += 1
      let correlation = "\(client.token)-\(state.requests)"
      if state.pending.count >= Self.pendingLimit { state.pending = [:] }
      state.pending[correlation] = title
      return correlation
    }
    showNotice("\(title)...", isGood: true)
    let payload = Command.payload(correlation: correlation, source: .commandLine)
    client.publish(
      Message(topic: client.topics.command(name), payload: payload, delivery: .assured, expiry: Self.patience))
  }

  private func handle(_ event: LinkEvent) {
    let now = Instant.now()
    state.withLock { state in
      switch event {
      case .connected(let broker, _, _, _):
        state.firstConnected = state.firstConnected ?? now
        state.scale.setConnection(.up(broker.description), at: now)
      case .disconnected(_, let reason), .refused(_, let reason):
        state.scale.setConnection(.down(reason.sentence), at: now)
      case .message(let message):
        if message.topic == client.topics(.result) { showResult(message, &state, at: now) }
        state.hasReceived = true
        state.scale.update(with: message, at: now)
      case .acknowledged, .subscribed, .dropped, .urgent: break
      }
    }
    changes.raise()
  }

  private func showResult(_ message: IncomingMessage, _ state: inout State, at now: Instant) {
    guard let json = try? JSONValue(message.payload, maximumBytes: 1 << 16),
      let correlation = json["correlation"]?.text,
      let title = state.pending.removeValue(forKey: correlation), let isDone = json["ok"]?.isTrue
    else { return }
    let texts = state.scale.texts
    let reason =
      Sentence(json, "detail").map { texts($0) } ?? json["reason"]?.text.map { texts.reason($0) ?? $0 }
      ?? texts(.noReason)
    state.scale.setNotice("\(title): \(isDone ? texts(.done) : reason)", isGood: isDone, at: now)
  }
}
