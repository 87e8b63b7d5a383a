import Foundation
import Logging
import Messages
import Synchronization
import Testing
import Weighing

@testable import MQTTLink

/// A link with everything it told.
final class TestLink: Sendable {
  let link: MQTTLink
  let clientID: String
  private let began = ContinuousClock.now
  private let log: EventLog

  /// Starts a link to one broker or several.
  init(
    _ brokers: [BrokerAddress], filters: [String] = [], prepare: (inout LinkSettings) -> Void = { _ in },
    before: (MQTTLink) -> Void = { _ in }
  ) {
    var settings = LinkSettings(brokers: brokers, clientID: "test-\(UUID().uuidString)")
    settings.backOff = BackOff(first: .milliseconds(50), longest: .milliseconds(400))
    prepare(&settings)
    clientID = settings.clientID
    let log = EventLog()
    self.log = log
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    link = MQTTLink(settings: settings, logger: logger) { event in log.append(event) }
    link.subscribe(filters)
    before(link)
    link.start()
  }

  convenience init(
    _ broker: TestBroker, filters: [String] = [], prepare: (inout LinkSettings) -> Void = { _ in },
    before: (MQTTLink) -> Void = { _ in }
  ) {
    self.init([broker.address], filters: filters, prepare: prepare, before: before)
  }

  deinit { link.stop(within: .milliseconds(200)) }

  var events: [LinkEvent] { log.events }
  /// Topic and text of the messages so far.
  var received: [String] { messages.map { "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))" } }

  var messages: [IncomingMessage] {
    events.compactMap { event in
      if case .message(let message) = event { message } else { nil }
    }
  }

  var connections: Int {
    events.count { event in
      if case .connected = event { true } else { false }
    }
  }

  var faults: [LinkError] {
    events.compactMap { event in
      if case .refused(_, let reason) = event { reason } else { nil }
    }
  }

  var acknowledgements: [UInt64: ReasonCode] {
    var answers: [UInt64: ReasonCode] = [:]
    for case .acknowledged(let token, let reason) in events { answers[token] = reason }
    return answers
  }

  /// How long it has been there.
  var age: Duration { ContinuousClock.now - began }
  /// Whether its thread has ended.
  var hasEnded: Bool { link.hasEnded }

  /// Waits for the connection number `count`.
  func connected(_ count: Int = 1, within limit: Duration = .seconds(60)) async throws {
    try await eventually("connection \(count)", within: limit) { connections >= count }
  }

  /// Waits until all its subscriptions are in force: a message to itself has come back, and a broker keeps the order.
  func subscribed() async throws {
    try await connected()
    let topic = "probe/\(UUID().uuidString)"
    link.subscribe([topic])
    link.publish(Message(topic, "there", .assured))
    try await eventually("subscriptions") { messages.contains { $0.topic == topic } }
  }
}

private final class EventLog: Sendable {
  private let list = Mutex<[LinkEvent]>([])
  var events: [LinkEvent] { list.withLock { $0 } }
  func append(_ event: LinkEvent) { list.withLock { $0.append(event) } }
}

extension Message {
  /// A message with a text.
  init(_ topic: String, _ text: String, _ delivery: Delivery) {
    self.init(topic: topic, payload: Array(text.utf8), delivery: delivery)
  }
}
