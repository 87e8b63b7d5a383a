import Configuration
import Linux
import Logging
import MQTTLink
import Messages
import Weighing

/// One command to a remote appliance through a broker, and its response.
///
/// ```
/// connecting --connected: subscribe, publish once--> waiting --response--> answered
///     |                                                 |
///     +--no broker, or timeout--------------------------+--no subscriber, connection lost, or timeout--> failed
/// ```
/// The command is published only once and expires with the timeout of the caller: it never takes effect twice, and never
/// long after the caller has exited.
package struct CommandCall: Sendable {
  /// The response.
  package struct Answer: Hashable, Sendable {
    /// The payload, JSON.
    package var payload: [UInt8]
    /// The reason of a rejection; `nil` on success.
    package var rejection: String?
    /// What to do about the rejection, or what is wrong with the payload, if the appliance says it.
    package var detail: Sentence?
  }

  private let client: BrokerClient
  private let name: String
  private let label: String?
  private let reference: WeighingReference
  private let parameters: [QuickAction.Parameter]
  private let patience: Interval

  /// Prepares a call from the configuration of the appliance.
  ///
  /// - Parameters:
  ///   - name: The name of the action.
  ///   - label: The label of a weighing; empty to remove a label.
  ///   - reference: The weighing to void or relabel.
  ///   - parameters: What else the action needs, see `Action.parameterNames`.
  ///   - brokers: Used instead of those of the configuration.
  ///   - folder: The folder of the configuration file.
  ///   - patience: The timeout for the whole call.
  /// - Throws: `ClientError`.
  package init(
    _ name: String, label: String?, reference: WeighingReference = .last, parameters: [QuickAction.Parameter] = [],
    _ configuration: Configuration, brokers: [BrokerAddress]?, folder: String, patience: Interval
  ) throws(ClientError) {
    client = try BrokerClient(configuration, brokers: brokers, folder: folder, purpose: "call")
    (self.name, self.label, self.reference) = (name, label, reference)
    (self.parameters, self.patience) = (parameters, patience)
  }

  /// Makes the call; blocks the calling thread until the response arrives.
  package func run(logger: Logger) throws(ClientError) -> Answer {
    let end = Instant.now() + patience
    let progress = Progress()
    client.start(logger: logger) { event in
      switch event {
      case .connected(_, _, let version, _):
        if progress.begin() { publish(version) }
      case .message(let message):
        if let answer = answer(in: message) { progress.end(.success(answer)) }
      case .acknowledged(_, .noMatchingSubscribers): progress.end(.failure(.noSubscriber(client.topics.command(name))))
      case .acknowledged(_, let reason):
        if !reason.isSuccess { progress.end(.failure(.refused("reason \(reason)"))) }
      case .refused(let broker, let reason):
        if progress.refused(by: broker, reason, of: client.brokers.count) {
          progress.end(.failure(.noBroker(reason.sentence.about("\(broker)"))))
        }
      case .subscribed, .dropped, .urgent: break
      case .disconnected(let broker, let reason): progress.end(.failure(.lost(reason.sentence.about("\(broker)"))))
      }
    }
    let result = progress.wait(until: end)
    client.stop()
    guard let result else {
      throw progress.hasBegun
        ? .noAnswer(client.topics.command(name), patience)
        : .noConnection(patience)
    }
    return try result.get()
  }

  private var responseTopic: String { client.topics(.result) + "/" + client.token }

  private func publish(_ version: ProtocolVersion) {
    let payload = Command.payload(
      correlation: client.token, label: label, reference: reference, parameters: parameters,
      source: .commandLine)
    var message = Message(topic: client.topics.command(name), payload: payload, delivery: .assured, expiry: patience)
    // Subscriptions go out before messages, and a broker handles the packets of a client in their order. An appliance
    // that speaks 3.1.1 sees no response topic and answers on `result`.
    client.subscribe([responseTopic, client.topics(.result)])
    if version == .v5 {
      message.responseTopic = responseTopic
      message.correlation = Array(client.token.utf8)
    }
    client.publish(message, token: 1)
  }

  private func answer(in message: IncomingMessage) -> Answer? {
    guard message.topic == responseTopic || message.topic == client.topics(.result),
      let json = try? JSONValue(message.payload, maximumBytes: 1 << 16), json["correlation"]?.text == client.token,
      let isDone = json["ok"]?.isTrue
    else { return nil }
    return Answer(
      payload: message.payload, rejection: isDone ? nil : json["reason"]?.text ?? "no reason given",
      detail: Sentence(json, "detail"))
  }
}
