import Configuration
import EventLoop
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// A connection to a remote appliance through a broker: receives its messages and requests actions.
///
/// Keeps the state of the scale and raises `news` when it changes.
package final class ScaleLine: Sendable {
  private struct State: Sendable {
    var scale: WatchedScale
    /// The time of the first connection; `nil` before.
    var firstConnected: Instant?
    /// Whether any message of the appliance was received; `availability` is retained, so an appliance that has ever run has
    /// one.
    var hasHeard = false
    /// The pending requests: by token, the name shown to the user.
    var asked: [String: String] = [:]
    var calls = 0
  }

  /// Maximum number of pending requests; older ones are dropped.
  private static let mostCalls = 16
  /// A command that is not delivered within this time expires, so that it never takes effect long after the key was pressed.
  private static let patience = Interval.seconds(5)

  /// Raised when the state has changed.
  package let news = Signal()
  private let state: Mutex<State>
  private let client: BrokerClient
  private let logger: Logger

  /// Prepares a connection from the configuration of the appliance.
  ///
  /// - Parameters:
  ///   - brokers: Used instead of those of the configuration.
  ///   - folder: The folder of the configuration file.
  /// - Throws: `ClientError`.
  package init(
    _ configuration: Configuration, brokers: [BrokerAddress]?, folder: String, logger: Logger
  ) throws(ClientError) {
    client = try BrokerClient(
      configuration, brokers: brokers, folder: folder, purpose: "watch",
      backOff: BackOff(first: .milliseconds(200), longest: .seconds(2)))
    self.logger = logger
    state = Mutex(State(scale: WatchedScale(topics: client.topics, heartbeat: configuration.publish.heartbeat)))
  }

  /// Connects.
  package func open() {
    client.start(subscribingTo: scale.filters, logger: logger) { [weak self] in self?.take($0) }
  }

  /// Disconnects.
  package func close() { client.stop() }

  /// The state of the scale.
  package var scale: WatchedScale { state.withLock { $0.scale } }

  /// Whether any message of the appliance was received.
  package var isHeard: Bool { state.withLock { $0.hasHeard } }

  /// The reason to give up: no connection within `patience`, or no message of the appliance within `patience` of connecting.
  /// `nil` otherwise.
  package func failure(since begin: Instant, at now: Instant, patience: Interval) -> String? {
    state.withLock { state in
      guard let connected = state.firstConnected else {
        guard case .down(let reason?) = state.scale.line, now - begin > patience else { return nil }
        return "no broker: \(reason)"
      }
      guard !state.hasHeard, case .up(let broker) = state.scale.line, now - connected > patience else { return nil }
      return "no appliance \(client.topics.base.dropLast()) at \(broker): check --device and mqtt.prefix"
    }
  }

  /// Shows a notice.
  package func note(_ text: String, isGood: Bool) {
    state.withLock { $0.scale.note(text, isGood: isGood, at: .now()) }
    news.raise()
  }

  /// Requests an action; the result is shown as a notice.
  ///
  /// - Parameters:
  ///   - name: Its name in commands.
  ///   - words: The name shown to the user.
  package func ask(_ name: String, words: String) {
    guard case .up = scale.line else { return note("\(words): no connection to the broker", isGood: false) }
    let call = state.withLock { state in
      state.calls += 1
      let call = "\(client.token)-\(state.calls)"
      if state.asked.count >= Self.mostCalls { state.asked = [:] }
      state.asked[call] = words
      return call
    }
    note("\(words)...", isGood: true)
    let payload = Command.payload(correlation: call, source: .commandLine)
    client.publish(
      Message(topic: client.topics.command(name), payload: payload, delivery: .assured, expiry: Self.patience))
  }

  private func take(_ event: LinkEvent) {
    let now = Instant.now()
    state.withLock { state in
      switch event {
      case .connected(let broker, _, _, _):
        state.firstConnected = state.firstConnected ?? now
        state.scale.connect(.up(broker.description), at: now)
      case .disconnected(_, let reason), .refused(_, let reason):
        state.scale.connect(.down(reason.description), at: now)
      case .message(let message):
        if message.topic == client.topics(.result) { answer(message, &state, at: now) }
        state.hasHeard = true
        state.scale.take(message, at: now)
      case .acknowledged, .subscribed, .dropped: break
      }
    }
    news.raise()
  }

  private func answer(_ message: IncomingMessage, _ state: inout State, at now: Instant) {
    guard let json = try? JSONValue(message.payload, mostBytes: 1 << 16), let call = json["correlation"]?.text,
      let words = state.asked.removeValue(forKey: call), let isDone = json["ok"]?.isTrue
    else { return }
    let reason = json["reason"]?.text?.replacing("_", with: " ") ?? "no reason given"
    state.scale.note(isDone ? "\(words): done" : "\(words): \(reason)", isGood: isDone, at: now)
  }
}
