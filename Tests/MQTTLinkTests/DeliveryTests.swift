import Foundation
import Messages
import Testing
import Weighing

@testable import MQTTLink

/// Against a real mosquitto: what is delivered, in which order, and what survives a broker.
@Suite struct DeliveryTests {
  @Test(arguments: ProtocolVersion.allCases)
  func publishesAndReceives(version: ProtocolVersion) async throws {
    let broker = try await TestBroker()
    let listener = TestLink(broker, filters: ["scale/#"]) { $0.version = version }
    try await listener.subscribed()
    let scale = TestLink(broker) { $0.version = version }
    try await scale.connected()
    guard case .connected(broker.address, false, version, _)? = scale.events.first else {
      Issue.record("connected to \(broker.address) by \(version): \(scale.events)")
      return
    }
    scale.link.publish(Message("scale/availability", "online", .retained))
    scale.link.publish(Message("scale/event", "tared", .assured))
    scale.link.publish(Message("scale/live", "73 g", .live))
    try await eventually("all three") {
      Set(listener.received).isSuperset(of: ["scale/availability online", "scale/event tared", "scale/live 73 g"])
    }
    let late = TestLink(broker, filters: ["scale/#"]) { $0.version = version }
    try await late.subscribed()
    #expect(late.messages.first?.isRetained == true)
    #expect(late.received.contains("scale/availability online"))
    #expect(!late.received.contains("scale/event tared"))
  }

  @Test func retainedStateIsThereAgainAfterTheBrokerLostIt() async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker) {
      $0.will = Message("scale/availability", "offline", .retained)
    }
    scale.link.publish(Message("scale/health", "good", .retained))
    scale.link.publish(Message("scale/availability", "online", .retained))
    try await scale.connected()
    broker.end()
    scale.link.publish(Message("scale/health", "better", .retained))
    try await broker.start()
    try await scale.connected(2)
    let listener = TestLink(broker, filters: ["scale/#"])
    try await eventually("retained state") {
      Set(listener.received) == ["scale/availability online", "scale/health better"]
    }
  }

  @Test(arguments: ProtocolVersion.allCases)
  func assuredMessagesSurviveABrokerInOrder(version: ProtocolVersion) async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker) { $0.version = version }
    let listener = TestLink(broker, filters: ["event"])
    try await scale.connected()
    try await listener.subscribed()
    // Stopped, killed and started again while messages come: none may be missing, none may overtake another.
    for number in 0..<100 { scale.link.publish(Message("event", "\(number)", .assured)) }
    try await eventually("the first hundred") { listener.received.count > 100 }
    broker.send(SIGSTOP)
    for number in 100..<150 { scale.link.publish(Message("event", "\(number)", .assured)) }
    broker.end()
    for number in 150..<300 { scale.link.publish(Message("event", "\(number)", .assured)) }
    // The messages are held until the subscriber is back; otherwise the broker would discard them.
    try await broker.start()
    try await eventually("the last") { listener.connections >= 2 && scale.connections >= 2 }
    scale.link.publish(Message("event", "300", .assured))
    try await eventually("the last message") { listener.received.last == "event 300" }
    let numbers = listener.messages.filter { $0.topic == "event" }
      .compactMap { Int(String(decoding: $0.payload, as: UTF8.self)) }
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).isSuperset(of: 0..<100))
  }

  @Test func noAssuredMessageIsLostWhenTheConnectionIs() async throws {
    let broker = try await TestBroker()
    let listener = TestLink(broker, filters: ["event"])
    try await listener.subscribed()
    // Some wait since before the start, more come while clients of the same name throw the link out again and again.
    let scale = TestLink(
      broker,
      before: { link in for number in 0..<500 { link.publish(Message("event", "\(number)", .assured)) } })
    for round in 1...3 {
      try await scale.connected(round)
      for number in 0..<300 { scale.link.publish(Message("event", "\(200 + 300 * round + number)", .assured)) }
      let rival = try ChildProcess(
        "mosquitto_pub", ["-p", "\(broker.port)", "-i", scale.clientID, "-t", "rival", "-m", ""])
      try await eventually("the rival's end") { !rival.isRunning }
      try await scale.connected(round + 1)
      try await eventually("all acknowledged") { scale.link.isDrained }
    }
    #expect(scale.link.droppedCount == 0)
    // The broker acknowledges a message before the listener has it.
    try await eventually("the last message") { listener.received.contains("event 1399") }
    let numbers = listener.messages.filter { $0.topic == "event" }
      .compactMap { Int(String(decoding: $0.payload, as: UTF8.self)) }
    // QoS 1: messages in flight may be delivered twice; first deliveries are in order.
    var seen: Set<Int> = []
    let firsts = numbers.filter { seen.insert($0).inserted }
    #expect(firsts == Array(0..<1400))
    #expect(numbers.count <= 1400 + 3 * 20)
  }

  /// A message to a topic that was subscribed to just before comes back, however busy the machine is.
  @Test func aSubscriptionPrecedesWhatIsPublishedAfterIt() async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker)
    try await scale.connected()
    for number in 0..<500 {
      scale.link.subscribe(["echo/\(number)"])
      scale.link.publish(Message("echo/\(number)", "", .assured))
      if number % 50 == 49 { try await eventually("acknowledged") { scale.link.isDrained } }
    }
    try await eventually("500 messages") { scale.messages.count >= 500 }
  }

  @Test func tokensAreAcknowledged() async throws {
    let broker = try await TestBroker()
    let scale = TestLink(
      broker,
      before: { #expect($0.publish(Message("weighing", "0", .assured), token: 0) == .notConnected) })
    try await scale.connected()
    for token in 1...50 as ClosedRange<UInt64> {
      #expect(scale.link.publish(Message("weighing", "\(token)", .assured), token: token) == .accepted)
    }
    #expect(scale.link.publish(Message("not/#/a topic", "", .assured), token: 51) == .accepted)
    try await eventually("51 answers") { scale.acknowledgements.count == 51 }
    // There are no subscribers; reason code 0x10 is a success.
    #expect(scale.acknowledgements.filter { $0.value.isSuccess }.count == 50)
    #expect(scale.acknowledgements[51] == .topicNameInvalid)
  }

  @Test func expiryAndCorrelationReachTheOtherSide() async throws {
    let broker = try await TestBroker()
    let listener = try ChildProcess(
      "stdbuf",
      [
        "-oL", "mosquitto_sub", "-d", "-V", "5", "-p", "\(broker.port)", "-t", "scale/#", "-F",
        "got %t expiry=%E correlation=%D type=%C %p",
      ])
    try await eventually("subscribed") { listener.lines.contains { $0.hasPrefix("Subscribed") } }
    let scale = TestLink(broker)
    try await scale.connected()
    scale.link.publish(
      Message(
        topic: "scale/result", payload: Array(#"{"ok":true}"#.utf8), delivery: .assured, expiry: .seconds(30),
        correlation: Array("c-17".utf8)))
    try await eventually("the message with its properties") {
      listener.lines.contains(#"got scale/result expiry=30 correlation=c-17 type=application/json {"ok":true}"#)
    }
  }

  @Test func responseTopicCorrelationAndExpiryComeIn() async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker, filters: ["scale/command/+"])
    try await scale.subscribed()
    let request = try ChildProcess(
      "mosquitto_rr",
      [
        "-V", "5", "-p", "\(broker.port)", "-t", "scale/command/tare", "-e", "answers/7", "-m", "{}", "-q", "1", "-W",
        "10",
        "-D", "publish", "correlation-data", "abc", "-D", "publish", "message-expiry-interval", "90",
      ])
    try await eventually("the command") { scale.messages.contains { $0.topic == "scale/command/tare" } }
    let command = try #require(scale.messages.first { $0.topic == "scale/command/tare" })
    #expect(command.responseTopic == "answers/7")
    #expect(command.correlation == Array("abc".utf8))
    // The broker takes off what has passed since it got the message.
    let expiry = try #require(command.expiry)
    #expect((Interval.seconds(80)...Interval.seconds(90)).contains(expiry))
    #expect(!command.isRetained)
    scale.link.publish(
      Message(
        topic: "answers/7", payload: Array("done".utf8), delivery: .assured, correlation: command.correlation))
    try await eventually("the answer") { request.lines.contains("done") }
  }

  @Test func theWillIsPublishedWhenTheProcessIsKilled() async throws {
    let broker = try await TestBroker()
    let listener = TestLink(broker, filters: ["probe/availability"])
    try await listener.subscribed()
    let probe = try ChildProcess(probePath, ["link", "\(broker.port)"])
    try await eventually("online") { listener.received.contains("probe/availability online") }
    probe.send(SIGKILL)
    try await eventually("offline") { listener.received.last == "probe/availability offline" }
  }

  @Test func leavesWithTheLastMessagesAndWithoutTheWill() async throws {
    let broker = try await TestBroker()
    let listener = TestLink(broker, filters: ["scale/#"])
    try await listener.subscribed()
    let scale = TestLink(broker) { $0.will = Message("scale/availability", "the will", .retained) }
    try await scale.connected()
    for number in 0..<200 { scale.link.publish(Message("scale/event", "\(number)", .assured)) }
    let time = ContinuousClock().measure {
      scale.link.stop(final: [Message("scale/availability", "offline", .retained)], within: .seconds(60))
    }
    #expect(time < .seconds(30))
    try await eventually("offline") { listener.received.last == "scale/availability offline" }
    #expect(listener.received.contains("scale/event 199"))
    #expect(scale.events.last == .disconnected(broker: broker.address, reason: .stopped))
    try await eventually("the broker saw the goodbye") {
      broker.lines.contains { $0.contains("disconnected.") && $0.contains(scale.clientID) }
    }
    #expect(!listener.received.contains("scale/availability the will"))
  }
}

/// The executable of the target `brokerprobe`, built next to the tests.
let probePath = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
  .deletingLastPathComponent().appending(path: "brokerprobe").path
