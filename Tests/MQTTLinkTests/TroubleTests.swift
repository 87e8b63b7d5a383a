import Foundation
import Messages
import Testing
import Weighing

@testable import MQTTLink

/// Brokers that refuse connections, hang or disappear, and servers that are not brokers.
@Suite struct TroubleTests {
  @Test(arguments: [TinyServer.Manner.oldVersion, .careless, .closing])
  func fallsBackToTheOlderVersion(manner: TinyServer.Manner) async throws {
    let server = TinyServer(manner)
    let scale = TestLink([server.address])
    if case .closing = manner {
      // It refuses both: five and three in turn, never in a hurry.
      try await eventually("two rounds") { server.seenLevels.count >= 4 }
      #expect(Array(server.seenLevels.prefix(4)) == [5, 4, 5, 4])
      #expect(scale.faults.first == .closedBeforeConnack)
    } else {
      try await scale.connected()
      #expect(server.seenLevels == [5, 4])
      #expect(scale.events.last == .connected(broker: server.address, sessionPresent: false, version: .v311))
    }
  }

  /// As a broker does that wants TLS and reads a packet without it.
  @Test func aResetIsNoRefusalWheneverItComes() async throws {
    let server = TinyServer(.resetting)
    let scale = TestLink([server.address]) { $0.backOff = BackOff(first: .milliseconds(1), longest: .milliseconds(1)) }
    try await eventually("many rounds") { scale.faults.count >= 3000 }
    #expect(Set(scale.faults) == [.closedBeforeConnack])
  }

  @Test func aWantedOlderVersionIsTheOnlyOne() async throws {
    let server = TinyServer(.oldVersion)
    let scale = TestLink([server.address]) { $0.version = .v311 }
    try await scale.connected()
    #expect(server.seenLevels == [4])
  }

  @Test func goesOnToTheNextBrokerAndStaysThere() async throws {
    let first = try await TestBroker()
    let second = try await TestBroker()
    first.end()
    let scale = TestLink([first.address, second.address])
    try await scale.connected()
    #expect(scale.events.last == .connected(broker: second.address, sessionPresent: false, version: .v5))
    #expect(
      scale.events.first.map { if case .refused(first.address, .unreachable) = $0 { true } else { false } } == true,
      "\(scale.events)")
    try await first.start()
    // Another client of the same name: the broker throws the first one out.
    let rival = try ChildProcess(
      "mosquitto_pub", ["-V", "5", "-p", "\(second.port)", "-i", scale.clientID, "-t", "x", "-m", "x"])
    _ = rival
    try await scale.connected(2)
    #expect(scale.events.last == .connected(broker: second.address, sessionPresent: false, version: .v5))
    second.end()
    try await scale.connected(3)
    #expect(scale.events.last == .connected(broker: first.address, sessionPresent: false, version: .v5))
  }

  @Test func aServerThatNeverAnswersIsLeftAfterTheDeadline() async throws {
    let server = TinyServer(.silent)
    let broker = try await TestBroker()
    let scale = TestLink([server.address, broker.address]) { $0.answerDeadline = .milliseconds(300) }
    try await scale.connected()
    #expect(scale.faults == [.noAnswer(.milliseconds(300))])
  }

  @Test(arguments: [
    (TinyServer.Manner.breakingOff, LinkError.closed),
    (.dismissing, .endedByBroker(ReasonCode(rawValue: 0x8B))),
  ])
  func aServerThatEndsTheConnectionIsLeft(manner: TinyServer.Manner, reason: LinkError) async throws {
    let server = TinyServer(manner)
    let scale = TestLink([server.address], filters: ["x"])
    try await eventually("the end") {
      scale.events.contains(.disconnected(broker: server.address, reason: reason))
    }
    try await scale.connected(2)
  }

  /// The reset can arrive while the link writes, before it has read the refusal.
  @Test func aRefusalThatPrecedesAResetIsReported() async throws {
    for round in 0..<40 {
      let server = TinyServer(.refusing)
      let scale = TestLink([server.address])
      try await scale.connected()
      for token in 0..<200 as Range<UInt64> {
        _ = scale.link.publish(Message("event", "\(token)", .assured), token: token)
      }
      try await eventually("the end") {
        scale.events.contains { if case .disconnected = $0 { true } else { false } }
      }
      #expect(scale.acknowledgements[0] == ReasonCode(rawValue: 0x87), "round \(round): \(scale.events)")
    }
  }

  /// A RabbitMQ cluster without the node that the client was connected to accepts it with QoS 0 only.
  @Test(arguments: [(ProtocolVersion.v5, [1, 1] as [UInt8]), (.v311, [1, 0])])
  func aSubscriptionThatEndsTheConnectionIsRepeatedWithLess(version: ProtocolVersion, qualities: [UInt8]) async throws {
    let server = TinyServer(.evicting)
    let scale = TestLink([server.address], filters: ["command"]) { $0.version = version }
    try await eventually("two subscriptions") { server.seenOptions.count >= 2 }
    #expect(server.seenOptions.prefix(2).map { $0 & 3 } == qualities)
    withExtendedLifetime(scale) {}
  }

  /// As a NATS server does without a leader in its cluster.
  @Test(arguments: ProtocolVersion.allCases)
  func aRejectedSubscriptionIsRequestedAgain(version: ProtocolVersion) async throws {
    let server = TinyServer(.rejecting)
    let scale = TestLink([server.address], filters: ["command"]) { $0.version = version }
    try await eventually("it is granted", within: .seconds(120)) {
      scale.events.count { $0 == .subscribed(filter: "command") } == 3
    }
    #expect(server.seenOptions.count == 3)
    // 2 s and 4 s.
    #expect(scale.age > .seconds(6))
    #expect(scale.connections == 1)
  }

  @Test func aNameThatDoesNotExistIsTold() async throws {
    let scale = TestLink([BrokerAddress(host: "grampad.invalid", port: 1883)])
    try await eventually("a refusal") { !scale.faults.isEmpty }
    guard case .unknownHost? = scale.faults.first else {
      Issue.record("\(scale.faults)")
      return
    }
  }

  @Test func aNameWithTwoAddressesIsTriedOnBoth() async throws {
    // `localhost` is ::1 first where IPv6 is on; mosquitto listens on 127.0.0.1 alone.
    let broker = try await TestBroker()
    let scale = TestLink([BrokerAddress(host: "localhost", port: broker.port)])
    try await scale.connected()
    #expect(scale.faults.isEmpty)
  }

  @Test func liveValuesDoNotPileUpBehindABrokerThatStopped() async throws {
    let broker = try await TestBroker()
    let listener = TestLink(broker, filters: ["live"])
    try await listener.subscribed()
    // On a busy machine the messages take longer than the 12 s after which a stopped broker is left otherwise.
    let scale = TestLink(broker) { $0.keepAlive = .seconds(60) }
    try await scale.connected()
    broker.send(SIGSTOP)
    // 40,000 readings of 4 kB, over an hour of a scale's, in a few seconds: 160 MB, far beyond what the kernel keeps for a socket. Other
    // tests of this process use memory meanwhile.
    let reading = String(repeating: " ", count: 4000)
    let before = residentBytes()
    for number in 0..<40_000 {
      scale.link.publish(Message("live", "\(number)\(reading)", .live))
      if number % 100 == 0 { await Task.yield() }
    }
    #expect(residentBytes() - before < 60_000_000)
    let resumed = ContinuousClock.now
    broker.send(SIGCONT)
    try await eventually("the newest") { listener.messages.contains { $0.number == 39_999 } }
    #expect(ContinuousClock.now - resumed < .seconds(20))
    let numbers = listener.messages.compactMap(\.number)
    #expect(numbers == numbers.sorted())
    #expect(numbers.count < 20_000, "most values gave way: \(numbers.count) of 40,000 arrived")
    #expect(scale.connections == 1)
  }

  @Test func aBrokerThatStopsIsNoticedByItsSilence() async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker) {
      $0.keepAlive = .seconds(5)
      $0.will = Message("scale/availability", "offline", .retained)
      $0.answerDeadline = .milliseconds(500)
    }
    scale.link.publish(Message("scale/availability", "online", .retained))
    try await scale.connected()
    broker.send(SIGSTOP)
    try await eventually("the end", within: .seconds(120)) {
      scale.events.contains(.disconnected(broker: broker.address, reason: .silent))
    }
    // Attempts that were given up wait in the broker's queue, each with the will: none of them may have the last word.
    try await eventually("attempts in vain") { scale.faults.count > 2 }
    broker.send(SIGCONT)
    try await scale.connected(2)
    try await eventually("a quiet broker") { scale.link.isDrained }
    let listener = TestLink(broker, filters: ["scale/#"])
    try await listener.subscribed()
    try await eventually("online in the end") {
      listener.messages.last { $0.topic == "scale/availability" }?.payload == Array("online".utf8)
    }
  }

  /// 12 s by the settings, and as much again for a busy machine.
  @Test func aFrozenBrokerIsLeftForTheNext() async throws {
    let (first, second) = (try await TestBroker(), try await TestBroker())
    let scale = TestLink([first.address, second.address])
    try await scale.connected()
    let frozen = ContinuousClock.now
    first.send(SIGSTOP)
    try await scale.connected(2)
    #expect(ContinuousClock.now - frozen < .seconds(25))
    #expect(scale.events.last == .connected(broker: second.address, sessionPresent: false, version: .v5))
  }

  @Test func aBrokerThatAcknowledgesNothingIsLeftAndReadingsFlowUntilThen() async throws {
    let server = TinyServer(.unacknowledging)
    let broker = try await TestBroker()
    let scale = TestLink([server.address, broker.address]) { $0.acknowledgementDeadline = .seconds(8) }
    // More than the window of 18: the others wait, and the readings must not.
    for number in 0..<30 { scale.link.publish(Message("kept/\(number)", "state", .retained)) }
    try await scale.connected()
    let began = ContinuousClock.now
    for number in 1...10 {
      scale.link.publish(Message("live", "reading \(number).", .live))
      try await eventually("reading \(number) has arrived") { server.count(of: "reading \(number).") == 1 }
    }
    try await scale.connected(2, within: .seconds(20))
    #expect(ContinuousClock.now - began > .seconds(2))
    #expect(server.count(of: "state") == 18)
    #expect(scale.events.contains(.disconnected(broker: server.address, reason: .unacknowledged(.seconds(8)))))
    try await eventually("everything has arrived") { scale.link.isDrained }
  }

  @Test func anUnansweredSubscriptionIsAnAcknowledgementThatIsOwed() async throws {
    let server = TinyServer(.unacknowledging)
    let scale = TestLink([server.address], filters: ["command/#"]) { $0.acknowledgementDeadline = .seconds(1) }
    try await eventually("the end") {
      scale.events.contains(.disconnected(broker: server.address, reason: .unacknowledged(.seconds(1))))
    }
  }

  @Test func anotherClientWithTheSameIdentifierIsNamed() async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker)
    try await scale.connected()
    let rival = TestLink(broker) { $0.clientID = scale.clientID }
    // mosquitto sends the reason since 2.0.15; with 2.0.11 it is inferred from three short connections.
    let named = [
      LinkError.sessionTakenOver(clientID: scale.clientID), .closedRepeatedly(clientID: scale.clientID),
    ]
    try await eventually("the other client is named") {
      scale.events.contains { event in named.contains { event == .disconnected(broker: broker.address, reason: $0) } }
    }
    for fault in named {
      #expect(fault.description.contains("'\(rival.clientID)'") && fault.description.contains("device.id"))
    }
  }

  @Test func aReasonOfTheBrokerNamesAnotherClientAtOnce() async throws {
    let server = TinyServer(.displacing)
    let scale = TestLink([server.address], filters: ["x"])
    let fault = LinkError.sessionTakenOver(clientID: scale.clientID)
    try await eventually("an end") { scale.events.count > 1 }
    #expect(scale.events.dropFirst().first == .disconnected(broker: server.address, reason: fault))
  }

  /// MQTT 3.1.1 has no words for it, and some brokers with MQTT 5 do not use them: they just close.
  @Test(arguments: ProtocolVersion.allCases)
  func aConnectionThatIsClosedAgainAndAgainSuggestsAnotherClient(version: ProtocolVersion) async throws {
    let server = TinyServer(.evicting)
    let scale = TestLink([server.address], filters: ["x"]) { $0.version = version }
    try await scale.connected(4)
    let faults = scale.events.compactMap { if case .disconnected(_, let reason) = $0 { reason } else { nil } }
    #expect(faults.prefix(3) == [.closed, .closed, .closedRepeatedly(clientID: scale.clientID)])
  }

  @Test(arguments: [false, true])
  func stopsInTimeThoughTheBrokerHangs(full: Bool) async throws {
    let broker = try await TestBroker()
    let scale = TestLink(broker)
    try await scale.connected()
    broker.send(SIGSTOP)
    if full {
      let large = String(repeating: "x", count: 8_000_000)
      scale.link.publish(Message("large", large, .assured))
    }
    let time = ContinuousClock().measure {
      scale.link.stop(final: [Message("scale/availability", "offline", .retained)])
    }
    #expect(time < .seconds(8))
    try await eventually("its thread has ended") { scale.hasEnded }
  }

  @Test func stopsAtOnceWhileItWaitsOrConnects() async throws {
    let server = TinyServer(.silent)
    let waiting = TestLink([BrokerAddress(host: "127.0.0.1", port: 1)]) {
      $0.backOff = BackOff(first: .seconds(60), longest: .seconds(60))
    }
    let connecting = TestLink([server.address])
    try await eventually("a refusal") { !waiting.faults.isEmpty }
    for link in [waiting, connecting] {
      let time = ContinuousClock().measure { link.link.stop(within: .seconds(60)) }
      #expect(time < .seconds(30))
    }
  }
}

extension IncomingMessage {
  /// The number at the beginning of the payload.
  fileprivate var number: Int? { Int(String(decoding: payload.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)) }
}

/// The resident memory of this process.
private func residentBytes() -> Int {
  let columns = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
  return (columns.count > 1 ? Int(columns[1]) ?? 0 : 0) * 4096
}
