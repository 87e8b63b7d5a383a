import Foundation
import Messages
import Testing
import Weighing

@testable import MQTTLink

/// Connections with little traffic.
@Suite struct KeepAliveTests {
  @Test func anIdleLinkKeepsItsConnection() async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker) { $0.keepAlive = .seconds(5) }
    try await scale.connected()
    // The broker ends a connection that was silent for one and a half times the keep-alive.
    try await eventually("a sign of life", within: .seconds(120)) {
      broker.lines.count { $0.contains("exceeded timeout") } > 0 || scale.age > .seconds(12)
    }
    #expect(scale.events.count == 1)
  }

  /// Its acknowledgement puts off the ping of the library.
  @Test func aMessageBetweenTwoPingsDoesNotMakeTheBrokerSilent() async throws {
    let broker = try await TestBroker(["allow_anonymous true", "log_type all"])
    let scale = TestLink(broker, filters: ["command"]) {
      $0.keepAlive = .seconds(5)
      $0.pingDeadline = .seconds(1)
    }
    try await scale.subscribed()
    let sender = TestLink(broker)
    try await sender.connected()
    let start = ContinuousClock.now
    try await eventually("half of the time until the ping") { ContinuousClock.now - start > .seconds(2.5) }
    sender.link.publish(Message("command", "now", .assured))
    try await eventually("the message") { scale.received.contains("command now") }
    let pings: () -> Int = { broker.lines.count { $0.hasSuffix("Received PINGREQ from \(scale.clientID)") } }
    let before = pings()
    try await eventually("the next ping", within: .seconds(120)) { pings() > before }
    #expect(scale.connections == 1, "\(scale.events)")
  }
}
