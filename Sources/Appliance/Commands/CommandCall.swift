import EventLoop
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// One command to an appliance elsewhere, through a broker, and its answer.
///
/// ```
/// connecting --connected: subscribe, publish once--> waiting --the answer--> answered
///     |                                                 |
///     +--no broker, or the time is up-------------------+--nobody listens, connection lost, time is up--> failed
/// ```
/// The command is published once only and expires with the patience of the caller: it is never done twice, and never
/// long after its caller has gone.
package struct CommandCall: Sendable {
  /// What came back.
  package struct Answer: Hashable, Sendable {
    /// The payload, JSON.
    package var payload: [UInt8]
    /// Why it was not done; `nil` when it was.
    package var rejection: String?
  }

  private let settings: LinkSettings
  private let topics: Topics
  private let name: String
  private let label: String?
  private let id: String?
  private let patience: Interval
  /// Tells this call from all others: 16 hexadecimal digits.
  private let token: String

  /// Prepares a call by the configuration of the appliance.
  ///
  /// - Parameters:
  ///   - name: The name of the action.
  ///   - label: What a weighing is labelled with; empty to remove a label.
  ///   - id: The identifier of the weighing that a void or a relabel is about; the last one where `nil`.
  ///   - brokers: Instead of those of the configuration.
  ///   - folder: That of the configuration file.
  ///   - patience: How long to wait for all of it.
  /// - Throws: `CommandCallFault`.
  package init(
    _ name: String, label: String?, id: String? = nil, _ configuration: Configuration, brokers: [BrokerAddress]?,
    folder: String,
    patience: Interval
  ) throws(CommandCallFault) {
    let token = String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 16)
    let resolved = configuration.resolvingPaths(in: folder)
    do throws(PasswordFault) {
      settings = try resolved.mqtt.linkSettings(
        brokers ?? resolved.mqtt.addresses, clientID: "grampad-call-\(token)", folder: folder)
    } catch {
      throw .password(error)
    }
    guard !settings.brokers.isEmpty else { throw .portUnknown }
    topics = Topics(prefix: configuration.mqtt.prefix, id: configuration.device.id)
    self.name = name
    self.label = label
    self.id = id
    self.patience = patience
    self.token = token
  }

  /// Makes the call; waits for the answer on the calling thread.
  package func run(logger: Logger) throws(CommandCallFault) -> Answer {
    let end = Instant.now() + patience
    let progress = Progress()
    let line = Mutex<MQTTLink?>(nil)
    let link = MQTTLink(settings: settings, logger: logger) { event in
      switch event {
      case .connected(_, _, let version, _):
        if let link = line.withLock({ $0 }), progress.begin() { publish(on: link, version) }
      case .message(let message):
        if let answer = answer(in: message) { progress.end(.success(answer)) }
      case .acknowledged(_, .nobodyListens): progress.end(.failure(.nobodyListens(topics.command(name))))
      case .acknowledged(_, let reason):
        if !reason.isSuccess { progress.end(.failure(.refused("reason \(reason)"))) }
      case .refused(let broker, let reason):
        if progress.refused(by: broker, reason, of: settings.brokers.count) {
          progress.end(.failure(.noBroker("\(broker): \(reason)")))
        }
      case .subscribed, .dropped: break
      case .disconnected(let broker, let reason): progress.end(.failure(.lost("\(broker): \(reason)")))
      }
    }
    line.withLock { $0 = link }
    link.start()
    let result = progress.wait(until: end)
    link.stop(within: .milliseconds(500))
    line.withLock { $0 = nil }
    guard let result else {
      throw progress.hasBegun
        ? .noAnswer(topics.command(name), patience) : .noBroker("no connection within \(patience.seconds) s")
    }
    return try result.get()
  }

  private var responseTopic: String { topics(.result) + "/" + token }

  private func publish(on link: MQTTLink, _ version: ProtocolVersion) {
    let payload = Command.payload(correlation: token, label: label, id: id, source: .commandLine)
    var message = Message(topic: topics.command(name), payload: payload, delivery: .assured, expiry: patience)
    // Subscriptions go out before messages, and a broker handles the packets of a client in their order. An appliance
    // that speaks 3.1.1 sees no response topic and answers on `result`.
    link.subscribe([responseTopic, topics(.result)])
    if version == .v5 {
      message.responseTopic = responseTopic
      message.correlation = Array(token.utf8)
    }
    _ = link.publish(message, token: 1)
  }

  private func answer(in message: IncomingMessage) -> Answer? {
    guard message.topic == responseTopic || message.topic == topics(.result),
      let json = try? JSONValue(message.payload, mostBytes: 1 << 16), json["correlation"]?.text == token,
      let isDone = json["ok"]?.isTrue
    else { return nil }
    return Answer(payload: message.payload, rejection: isDone ? nil : json["reason"]?.text ?? "no reason given")
  }
}

extension Configuration.MQTT {
  /// The brokers as others on this machine reach them; none for an embedded one on any free port.
  var addresses: [BrokerAddress] {
    switch broker {
    case .external(let addresses): addresses
    case .embedded:
      UInt16(exactly: embeddedPort).map { $0 == 0 ? [] : [BrokerAddress(host: "127.0.0.1", port: $0)] } ?? []
    }
  }
}
