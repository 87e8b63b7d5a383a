import Configuration
import Linux
import Logging
import Messages
import Synchronization
import Weighing

/// Reads what the appliance last published on a topic whose messages the broker retains.
package enum RetainedQuery {
  private struct State {
    var payload: [UInt8]?
    var error: ClientError
    var refusals = 0
  }

  /// How long a broker may take to send a retained message after the subscription.
  private static let grace = Interval.seconds(2)

  /// The retained payload of a topic.
  ///
  /// - Parameters:
  ///   - brokers: Used instead of those of the configuration.
  ///   - folder: The folder of the configuration file.
  ///   - patience: The timeout for the whole query.
  /// - Throws: `ClientError` if no broker is available; `.noRetainedMessage` if it has no message on the topic.
  package static func run(
    _ topic: Topic, of configuration: Configuration, brokers: [BrokerAddress]? = nil, folder: String,
    patience: Interval, logger: Logger
  ) throws(ClientError) -> [UInt8] {
    let client = try BrokerClient(configuration, brokers: brokers, folder: folder, purpose: "query")
    let name = client.topics(topic)
    let state = Mutex(State(error: .noConnection(patience)))
    let (subscribed, ended) = (Signal(), Signal())
    client.start(subscribingTo: [name], logger: logger) { event in
      switch event {
      case .connected: state.withLock { $0.error = .noRetainedMessage(name) }
      case .subscribed: subscribed.raise()
      case .message(let message):
        guard message.topic == name else { return }
        state.withLock { $0.payload = message.payload }
        for signal in [subscribed, ended] { signal.raise() }
      case .refused(let broker, let reason):
        let refusals = state.withLock { state in
          state.error = .noBroker(reason.sentence.about("\(broker)"))
          state.refusals += 1
          return state.refusals
        }
        // A broker is tried in both versions of MQTT: by now each may have refused both.
        if refusals >= 2 * client.brokers.count { for signal in [subscribed, ended] { signal.raise() } }
      case .acknowledged, .disconnected, .dropped, .urgent: break
      }
    }
    let end = Instant.now() + patience
    if subscribed.wait(milliseconds: end.millisecondsAway) {
      _ = ended.wait(milliseconds: min(end, .now() + grace).millisecondsAway)
    }
    client.stop()
    let result = state.withLock { $0 }
    guard let payload = result.payload else { throw result.error }
    return payload
  }
}
