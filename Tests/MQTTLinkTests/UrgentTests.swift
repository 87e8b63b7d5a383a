import Foundation
import Messages
import Testing
import Weighing

@testable import MQTTLink

/// Against a real mosquitto: switching outputs in time, and never again later.
@Suite struct UrgentTests {
  private func on(_ topic: String = "plug") -> Message {
    Message(topic: topic, payload: Array("ON".utf8), delivery: .urgent, expiry: .seconds(5))
  }

  private func off(_ topic: String = "plug") -> Message { Message(topic, "OFF", .urgent) }

  /// What a program of others receives on a topic: the payloads, each with its expiry.
  private func listener(_ broker: TestBroker, _ topics: [String], _ more: [String] = []) async throws -> ChildProcess {
    let words = ["-oL", "mosquitto_sub", "-d", "-V", "5", "-q", "1", "-p", "\(broker.port)", "-F", "got %t %p %r %E"]
    let child = try ChildProcess("stdbuf", words + topics.flatMap { ["-t", $0] } + more)
    try await eventually("subscribed") { child.lines.contains { $0.hasPrefix("Subscribed") } }
    return child
  }

  private func received(_ child: ChildProcess) -> [Substring] {
    child.lines.filter { $0.hasPrefix("got ") }.map { $0.dropFirst(4) }
  }

  private func reports(_ link: TestLink) -> [UrgentReport] {
    link.events.compactMap { if case .urgent(let report) = $0 { report } else { nil } }
  }

  /// The first outputs are switched after the 5,000 messages were published, and arrive before most of them.
  @Test(arguments: ProtocolVersion.allCases)
  func overtakesABacklogInOrder(version: ProtocolVersion) async throws {
    let broker = try await TestBroker(["allow_anonymous true", "max_queued_messages 0"])
    let listener = TestLink(broker, filters: ["event", "plug"])
    try await listener.subscribed()
    let scale = TestLink(broker) { ($0.version, $0.assuredCapacity) = (version, 5000) }
    try await scale.connected()
    // The broker reads nothing until everything is queued.
    broker.send(SIGSTOP)
    for number in 0..<5000 { scale.link.publish(Message("event", "\(number)", .assured)) }
    scale.link.publish(on())
    try await eventually("the window is full") { scale.link.backlog < 5000 }
    broker.send(SIGCONT)
    try await eventually("ON has arrived") { listener.received.contains("plug ON") }
    scale.link.publish(off())
    try await eventually("the last message", within: .seconds(120)) { listener.received.last == "event 4999" }
    #expect(listener.received.filter { $0.hasPrefix("plug") } == ["plug ON", "plug OFF"])
    let before = try #require(listener.received.firstIndex(of: "plug ON"))
    #expect(before < 200, "\(before) messages were sent before")
    #expect(scale.link.droppedCount == 0 && scale.connections == 1)
  }

  /// The broker receives ON, is killed before it acknowledges it, and comes back.
  @Test(arguments: ProtocolVersion.allCases)
  func onIsNotRepeatedAfterTheEndOfTheConnection(version: ProtocolVersion) async throws {
    let server = TinyServer(.unacknowledging)
    let broker = try await TestBroker()
    let listener = try await listener(broker, ["plug"])
    let scale = TestLink([server.address, broker.address]) {
      ($0.version, $0.acknowledgementDeadline, $0.urgentDeadline) = (version, .seconds(4), .milliseconds(100))
    }
    try await scale.connected()
    scale.link.publish(on())
    scale.link.publish(Message("event", "1", .assured))
    try await eventually("the first broker has both") {
      server.count(of: "plug") == 1 && server.count(of: "event") == 1
    }
    // The report comes first, and the connection lasts as long as without outputs.
    try await scale.connected(2)
    let end = LinkEvent.disconnected(broker: server.address, reason: .unacknowledged(.seconds(4)))
    #expect(scale.events.dropFirst().prefix(2) == [.urgent(.late), end])
    scale.link.publish(off())
    try await eventually("OFF and the event are acknowledged") { scale.link.isDrained }
    try await eventually("OFF has arrived") { received(listener) == ["plug OFF 0 "] }
    #expect(reports(scale) == [.late])
  }

  @Test func onIsNotRepeatedByABrokerThatIsKilled() async throws {
    let broker = try await TestBroker(["allow_anonymous true", "log_type all"])
    let scale = TestLink(broker)
    try await scale.connected()
    for round in 1...5 {
      broker.send(SIGSTOP)
      scale.link.publish(on())
      scale.link.publish(Message("event", "\(round)", .assured))
      try await eventually("both are sent") { scale.link.backlog == 0 }
      broker.end()
      try await broker.start()
      try await scale.connected(round + 1)
      scale.link.publish(off())
      try await eventually("OFF and the event are acknowledged") { scale.link.isDrained }
      let packets = { (topic: String) in
        broker.lines.filter { $0.contains("Received PUBLISH") && $0.contains("'\(topic)'") }
      }
      try await eventually("the event is repeated") { packets("event").count == 1 && packets("plug").count == 1 }
      #expect(packets("plug").allSatisfy { $0.contains("(3 bytes)") }, "OFF, not ON: \(packets("plug"))")
    }
  }

  @Test func aSlowBrokerIsReportedAndCatchesUp() async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker) { $0.urgentDeadline = .milliseconds(200) }
    try await scale.connected()
    broker.send(SIGSTOP)
    scale.link.publish(on())
    try await eventually("late") { reports(scale) == [.late] }
    scale.link.publish(off())
    broker.send(SIGCONT)
    try await eventually("caught up") { reports(scale) == [.late, .caughtUp] }
    #expect(scale.link.isDrained && scale.connections == 1)
  }

  /// A plug that was offline gets OFF, but not the ON of long ago.
  @Test func aBrokerKeepsOnForAFewSecondsOnly() async throws {
    let broker = try await TestBroker()
    let session = ["-c", "-i", "plug", "-x", "3600"]
    let absent = try await listener(broker, ["plug", "other"], session)
    absent.end()
    try await eventually("the plug is gone") { broker.lines.contains { $0.contains("plug") && $0.contains("closed") } }
    let scale = TestLink(broker)
    try await scale.connected()
    var (short, long) = (on("other"), on())
    (short.expiry, long.expiry) = (.seconds(1), .seconds(3600))
    for message in [short, long] { scale.link.publish(message) }
    try await eventually("the broker has them") { scale.link.isDrained }
    // The broker's clock decides, in whole seconds.
    let since = ContinuousClock.now
    try await eventually("the first ON has expired") { ContinuousClock.now - since > .seconds(3) }
    scale.link.publish(off("other"))
    let returned = try await listener(broker, ["plug", "other"], session)
    try await eventually("OFF, which does not expire") { received(returned).contains("other OFF 0 ") }
    let texts = received(returned)
    #expect(!texts.contains { $0.hasPrefix("other ON") }, "\(texts)")
    #expect(texts.contains { $0.hasPrefix("plug ON 0 3") }, "it expires: \(texts)")
  }

  @Test func aRefusalIsReportedWithItsMessage() async throws {
    let folder = try TemporaryFolder()
    let access = try folder.write("access", "topic read #\ntopic write plug\n")
    let broker = try await TestBroker(["allow_anonymous true", "acl_file \(access)"], in: folder)
    let scale = TestLink(broker)
    try await scale.connected()
    scale.link.publish(on())
    scale.link.publish(on("else"))
    scale.link.publish(on("not/#/a topic"))
    try await eventually("both refusals") {
      Set(reports(scale)) == [.rejected(on("else"), .notAuthorized), .rejected(on("not/#/a topic"), .topicNameInvalid)]
    }
  }

  /// The broker rejects the first two messages: ON ends a dose, and OFF has to arrive all the same.
  @Test func offIsRepeatedAfterARejection() async throws {
    let server = TinyServer(.limiting)
    let scale = TestLink([server.address]) { $0.version = .v5 }
    try await scale.connected()
    scale.link.publish(on())
    try await eventually("ON is rejected") { reports(scale) == [.rejected(on(), .quotaExceeded)] }
    scale.link.publish(off())
    try await eventually("OFF is accepted in the end") { server.count(of: "OFF") == 2 && scale.link.isDrained }
    #expect(reports(scale) == [.rejected(on(), .quotaExceeded), .rejected(off(), .quotaExceeded)])
    #expect(server.count(of: "ON") == 1 && scale.connections == 1)
  }

  /// A broker that accepts one message at a time: OFF waits for one at most, not for the backlog.
  @Test(arguments: [1, 2]) func offGoesOutWithASmallReceiveMaximum(_ maximum: Int) async throws {
    let broker = try await TestBroker([
      "allow_anonymous true", "max_queued_messages 0", "max_inflight_messages \(maximum)",
    ])
    let listener = TestLink(broker, filters: ["event", "plug"])
    try await listener.subscribed()
    let scale = TestLink(broker) { ($0.version, $0.assuredCapacity) = (.v5, 1000) }
    try await scale.connected()
    broker.send(SIGSTOP)
    for number in 0..<1000 { scale.link.publish(Message("event", "\(number)", .assured)) }
    try await eventually("the first is in flight") { scale.link.backlog < 1000 }
    scale.link.publish(on())
    scale.link.publish(off())
    broker.send(SIGCONT)
    try await eventually("all have arrived") { listener.received.last == "event 999" }
    let before = try #require(listener.received.firstIndex(of: "plug OFF"))
    #expect(before <= 3, "\(listener.received.prefix(before))")
    #expect(scale.connections == 1)
  }

  @Test func offIsSentBeforeTheLinkEnds() async throws {
    let broker = try await TestBroker(["allow_anonymous true", "max_queued_messages 0"])
    let listener = TestLink(broker, filters: ["#"])
    try await listener.subscribed()
    let scale = TestLink(broker) { $0.assuredCapacity = 10_000 }
    try await scale.connected()
    scale.link.publish(on())
    for number in 0..<5000 { scale.link.publish(Message("event", "\(number)", .assured)) }
    scale.link.publish(off())
    scale.link.stop(final: [off("other"), Message("availability", "offline", .retained)], within: .seconds(60))
    try await eventually("all have arrived") { listener.received.last == "availability offline" }
    #expect(listener.received.filter { $0.hasPrefix("plug") }.last == "plug OFF")
    #expect(listener.received.suffix(2).first == "other OFF")
  }
}
