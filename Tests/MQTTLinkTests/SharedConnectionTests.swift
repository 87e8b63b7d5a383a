import Glibc
import Linux
import Messages
import Synchronization
import Testing

@testable import MQTTLink

@Suite struct SharedConnectionTests {
  /// Publishes numbered live messages from its own thread until it is stopped.
  private final class Publisher: Sendable {
    private let isStopped = Atomic(false)
    private let published = Atomic(0)
    private let finished = Signal()

    init(to link: MQTTLink) {
      OwnThread.start(name: "publisher") { [self] in
        let padding = String(repeating: " ", count: 1000)
        while !isStopped.load(ordering: .relaxed) {
          let number = published.load(ordering: .relaxed) + 1
          link.publish([Message("live", "\(number)\(padding)", .live), Message("display", "\(number) g", .live)])
          published.store(number, ordering: .relaxed)
          // Paced, so that the broker keeps up: it drops QoS 0 messages of a client that is too slow.
          if number % 4 == 0 { usleep(500) }
        }
        finished.raise()
      }
    }

    var count: Int { published.load(ordering: .relaxed) }

    func stop() {
      isStopped.store(true, ordering: .relaxed)
      _ = finished.wait(milliseconds: -1)
    }
  }

  @Test func sendsInOrderWhileTheBrokerHangsAndRestarts() async throws {
    let broker = try await TestBroker()
    let listener = TestLink(broker, filters: ["live", "display", "event"])
    try await listener.subscribed()
    let scale = TestLink(broker, filters: ["command"])
    try await scale.subscribed()
    let publisher = Publisher(to: scale.link)
    var events = 0
    for round in 1...12 {
      // Traffic of the link's own thread in both directions at the same time.
      for _ in 0..<20 {
        events += 1
        scale.link.publish(Message("event", "\(events)", .assured))
        listener.link.publish(Message("command", "\(events)", .assured))
      }
      switch round % 3 {
      case 0:
        broker.end()
        try await broker.start()
        try await scale.connected(1 + round / 3)
      case 1:
        // More than the kernel keeps for a socket: a publisher that waited for the broker would not get there.
        broker.send(SIGSTOP)
        let count = publisher.count + 6000
        try await eventually("6000 more are published", within: .seconds(120)) { publisher.count >= count }
        broker.send(SIGCONT)
      default:
        let count = publisher.count + 500
        try await eventually("500 more are published") { publisher.count >= count }
      }
      try await eventually("the events have arrived") { scale.link.isDrained }
    }
    publisher.stop()
    try await listener.subscribed()
    scale.link.publish(Message("live", "end", .live))
    try await eventually("the last live message") { listener.received.last?.hasPrefix("live end") == true }
    for topic in ["live", "display"] {
      let numbers = listener.received.filter { $0.hasPrefix(topic) }.compactMap { Int($0.split(separator: " ")[1]) }
      #expect(numbers.count > 1000)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(topic) is out of order")
    }
    #expect(scale.link.droppedCount == 0)
    // The same numbers as the events, except for those sent while the scale was not connected.
    #expect(scale.received.count { $0.hasPrefix("command") } > events / 2)
  }

  @Test func stopsWhileAnotherThreadPublishes() async throws {
    let broker = try await TestBroker()
    for _ in 0..<10 {
      let scale = TestLink(broker)
      try await scale.connected()
      let publisher = Publisher(to: scale.link)
      try await eventually("something is published") { publisher.count > 20 }
      scale.link.stop(final: [Message("availability", "offline", .retained)])
      publisher.stop()
      #expect(scale.hasEnded)
    }
  }

  @Test func aLiveMessageFollowsTheAssuredOneBeforeIt() async throws {
    // The broker's own window would let live messages overtake assured ones that a slow listener has not acknowledged.
    let broker = try await TestBroker(["allow_anonymous true", "max_inflight_messages 0"])
    let listener = TestLink(broker, filters: ["topic"])
    try await listener.subscribed()
    let scale = TestLink(broker)
    try await scale.connected()
    // Fewer than the windows of 18 and 20 at a time, that of the scale and that of the listener: all may be sent immediately.
    for number in 1...500 {
      scale.link.publish(Message("topic", "\(2 * number - 1)", .assured))
      scale.link.publish(Message("topic", "\(2 * number)", .live))
      if number % 10 == 0 {
        try await eventually("all have arrived") {
          scale.link.isDrained && listener.messages.last?.payload == Array("\(2 * number)".utf8)
        }
      }
    }
    let numbers = listener.received.filter { $0.hasPrefix("topic") }.compactMap { Int($0.split(separator: " ")[1]) }
    // A later assured message may overtake a live one, which then may be replaced by a newer one; never the reverse.
    var newestAssured = 0
    for number in numbers {
      if number % 2 == 1 { newestAssured = number } else { #expect(newestAssured > number - 2) }
    }
  }

  @Test func aLiveMessageThatIsTooLargeDoesNotEndTheConnection() async throws {
    let broker = try await TestBroker(["allow_anonymous true", "max_packet_size 2000"])
    let listener = TestLink(broker, filters: ["live"])
    try await listener.subscribed()
    let scale = TestLink(broker)
    try await scale.connected()
    for number in 1...3 {
      scale.link.publish(Message("live", String(repeating: "x", count: 4000), .live))
      scale.link.publish(Message("live", "reading \(number)", .live))
      try await eventually("reading \(number)") { listener.received.last == "live reading \(number)" }
    }
    #expect(scale.connections == 1)
  }
}
