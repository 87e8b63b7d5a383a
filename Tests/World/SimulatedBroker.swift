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
    let connection: Int
    let matches: (String) -> Bool
    var last = Instant(nanoseconds: 0)

    init(_ client: any Client, _ connection: Int, _ matches: @escaping (String) -> Bool) {
      (self.client, self.connection, self.matches) = (client, connection, matches)
    }
  }

  private unowned let world: World
  private var retained: [String: [UInt8]] = [:]
  private var subscriptions: [Subscription] = []

  init(_ world: World) { self.world = world }

  /// Subscribes a client for one of its connections, and sends what is retained.
  func subscribe(_ client: any Client, connection: Int, to matches: @escaping (String) -> Bool) {
    let subscription = Subscription(client, connection, matches)
    subscriptions.append(subscription)
    for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) where matches(topic) {
      deliver(IncomingMessage(topic: topic, payload: payload, isRetained: true), to: subscription)
    }
  }

  /// The connection of a client has ended.
  func disconnect(_ client: any Client) { subscriptions.removeAll { $0.client === client } }

  /// Retained messages are lost.
  func forget() {
    world.count(.loseRetained)
    retained = [:]
  }

  /// What is retained on a topic.
  func retainedPayload(_ topic: String) -> [UInt8]? { retained[topic] }

  /// Accepts a message.
  func publish(_ message: Message) {
    if message.delivery == .retained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
    for subscription in subscriptions where subscription.matches(message.topic) {
      var incoming = IncomingMessage(topic: message.topic, payload: message.payload, isRetained: false)
      (incoming.responseTopic, incoming.correlation) = (message.responseTopic, message.correlation)
      incoming.expiry = message.expiry
      deliver(incoming, to: subscription)
      // A message that was not acknowledged in time is sent again.
      if world.occurs(.twice) { deliver(incoming, to: subscription) }
    }
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
