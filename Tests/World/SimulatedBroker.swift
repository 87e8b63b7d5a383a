import Messages
import Weighing

@testable import MQTTLink

/// A broker as MQTT allows it to be: it delivers with QoS 1 while both sides are connected, keeps retained messages, and may lose them.
final class SimulatedBroker {
  /// Who is connected.
  protocol Client: AnyObject {
    func receive(_ message: IncomingMessage)
  }

  /// What a client gets on one connection, in order.
  private final class Subscription {
    let client: any Client
    var filters: [(name: String, matches: (String) -> Bool)] = []
    var last = Instant(nanoseconds: 0)

    init(_ client: any Client) { self.client = client }

    func matches(_ topic: String) -> Bool { filters.contains { $0.matches(topic) } }
  }

  private unowned let world: World
  private var retained: [String: [UInt8]] = [:]
  private var subscriptions: [Subscription] = []
  private var taps: [String: (Message) -> Void] = [:]

  init(_ world: World) { self.world = world }

  /// Subscribes a client to a filter for its connection, and sends what is retained.
  func subscribe(_ client: any Client, to filter: String, _ matches: @escaping (String) -> Bool) {
    let known = subscriptions.first { $0.client === client }
    let subscription = known ?? Subscription(client)
    if known == nil { subscriptions.append(subscription) }
    subscription.filters.append((filter, matches))
    for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) where matches(topic) {
      deliver(IncomingMessage(topic: topic, payload: payload, isRetained: true), to: subscription)
    }
  }

  /// Removes a filter of a client.
  func unsubscribe(_ client: any Client, from filter: String) {
    subscriptions.first { $0.client === client }?.filters.removeAll { $0.name == filter }
  }

  /// The connection of a client has ended.
  func disconnect(_ client: any Client) { subscriptions.removeAll { $0.client === client } }

  /// Retained messages are lost.
  func forget() {
    world.count(.loseRetained)
    retained = [:]
  }

  /// Lets a part of the world see what is accepted on a topic.
  func tap(_ topic: String, _ body: @escaping (Message) -> Void) { taps[topic] = body }

  /// What is retained on a topic.
  func retainedPayload(_ topic: String) -> [UInt8]? { retained[topic] }

  /// Accepts a message; returns whether there are subscribers.
  @discardableResult func publish(_ message: Message) -> Bool {
    if message.delivery == .retained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
    taps[message.topic]?(message)
    let subscribers = subscriptions.filter { $0.matches(message.topic) }
    for subscription in subscribers {
      var incoming = IncomingMessage(topic: message.topic, payload: message.payload, isRetained: false)
      (incoming.responseTopic, incoming.correlation) = (message.responseTopic, message.correlation)
      incoming.expiry = message.expiry
      deliver(incoming, to: subscription)
      // A message that was not acknowledged in time is sent again.
      if world.occurs(.twice) { deliver(incoming, to: subscription) }
    }
    return !subscribers.isEmpty
  }

  /// Delivers a message after those before it, unless the connection ends before.
  private func deliver(_ message: IncomingMessage, to subscription: Subscription) {
    let time = world.now + world.milliseconds(world.occurs(.late) ? 1...3000 : 1...20)
    subscription.last = max(subscription.last, time)
    world.after(subscription.last - world.now) { [self] in
      if subscriptions.contains(where: { $0 === subscription }) { subscription.client.receive(message) }
    }
  }
}
