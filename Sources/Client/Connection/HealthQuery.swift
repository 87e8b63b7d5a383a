import Configuration
import Linux
import Logging
import Messages
import Synchronization
import Weighing

/// Reads the health that the appliance last published, which the broker retains.
package enum HealthQuery {
  /// The retained payload of the topic `health`, JSON.
  ///
  /// - Parameters:
  ///   - folder: The folder of the configuration file.
  ///   - patience: The timeout for the whole query.
  /// - Throws: `ClientError` if no broker is available or it has no health message of this appliance.
  package static func run(
    _ configuration: Configuration, folder: String, patience: Interval, logger: Logger
  ) throws(ClientError) -> [UInt8] {
    let client = try BrokerClient(configuration, folder: folder, purpose: "report")
    let topic = client.topics(.health)
    let state = Mutex((payload: [UInt8]?.none, error: ClientError.noConnection(patience)))
    let ended = Signal()
    client.start(subscribingTo: [topic], logger: logger) { event in
      switch event {
      case .connected: state.withLock { $0.error = .noRetainedMessage(topic) }
      case .message(let message):
        guard message.topic == topic else { return }
        state.withLock { $0.payload = message.payload }
        ended.raise()
      case .refused(let broker, let reason):
        state.withLock { $0.error = .noBroker(reason.sentence.about("\(broker)")) }
      case .acknowledged, .disconnected, .subscribed, .dropped: break
      }
    }
    _ = ended.wait(milliseconds: (Instant.now() + patience).millisecondsAway)
    client.stop()
    let (payload, error) = state.withLock { $0 }
    guard let payload else { throw error }
    return payload
  }
}
