import Messages
import Testing
import Weighing

@testable import MQTTLink

/// The queue of messages that switch outputs: a message with an expiry switches on, one without switches off.
@Suite struct UrgentQueueTests {
  private let start = Instant(nanoseconds: 0)

  private func on(_ topic: String = "plug") -> Message {
    Message(topic: topic, payload: Array("ON".utf8), delivery: .urgent, expiry: .seconds(5))
  }

  private func off(_ topic: String = "plug") -> Message { Message(topic, "OFF", .urgent) }

  /// Opens queues with a backlog.
  private func queues(backlog: Int = 0) -> SendQueues {
    var queues = SendQueues(assuredCapacity: 10_000, firstTopic: nil)
    for number in 0..<backlog { queues.append(Message("event", "\(number)", .assured), at: start) }
    for number in 0..<backlog { queues.append(Message("kept/\(number)", "", .retained), at: start) }
    queues.open()
    return queues
  }

  /// Sends all that may be sent now and returns the payloads.
  private func send(_ queues: inout SendQueues, window: Int = 18, at now: Instant? = nil) -> [String] {
    var sent: [String] = []
    while let entry = queues.popNext(window: window, at: now ?? start) {
      sent.append(String(decoding: entry.message.payload, as: UTF8.self))
      queues.appendInFlight(
        entry, identifier: Int32(sent.count) + 1000 * Int32(queues.unacknowledged), at: now ?? start)
    }
    return sent
  }

  @Test(arguments: [1, 18]) func overtakesABacklogAndAFullWindow(window: Int) {
    var queues = queues(backlog: 900)
    #expect(send(&queues, window: window).count == window)
    queues.append(on(), at: start)
    #expect(send(&queues, window: window) == ["ON"])
    queues.append(off(), at: start)
    #expect(send(&queues, window: window) == ["OFF"])
    #expect(queues.unacknowledged == window + SendQueues.reserved)
    // The reserved places are taken until the broker acknowledges something.
    queues.append(off(), at: start)
    #expect(send(&queues, window: window) == [])
    #expect(!queues.isDrained && !queues.isIdle)
  }

  @Test func takesNoPlaceBeyondTheWindowFromOthers() {
    var queues = queues()
    for number in 0..<20 { queues.append(off("plug/\(number)"), at: start) }
    #expect(send(&queues).count == 20)
    queues.append(Message("event", "1", .assured), at: start)
    #expect(send(&queues) == [])
  }

  @Test func nothingOutlivesTheConnection() {
    var queues = queues()
    for message in [on("sent"), off("sent"), on("queued")] {
      queues.append(message, at: start)
      if message.topic == "sent" { _ = send(&queues) }
    }
    queues.close()
    #expect(queues.isDrained && !queues.awaitsUrgent)
    queues.append(on(), at: start)
    queues.append(off(), at: start)
    queues.open()
    #expect(send(&queues) == [])
  }

  @Test func offReplacesWhatIsQueuedForItsTopic() {
    var queues = queues()
    for message in [on(), on("other"), off(), on(), off()] { queues.append(message, at: start) }
    #expect(send(&queues) == ["ON", "OFF"])
  }

  @Test func onIsNotSentLate() {
    var queues = queues()
    queues.append(on(), at: start)
    queues.append(off("other"), at: start)
    #expect(send(&queues, at: start + .seconds(5)) == ["OFF"])
  }

  @Test func knowsWhatTheBrokerOwes() {
    var queues = queues()
    #expect(queues.urgentSince == nil && !queues.awaitsUrgent)
    queues.append(off(), at: start)
    #expect(queues.urgentSince == nil && queues.queuedUrgent == 1)
    queues.append(on("other"), at: start + .seconds(1))
    #expect(queues.urgentSince == start + .seconds(1))
    _ = send(&queues, at: start + .seconds(2))
    #expect(queues.urgentSince == start + .seconds(1) && queues.queuedUrgent == 0 && queues.awaitsUrgent)
    #expect(queues.acknowledge(identifier: 1)?.message == off())
    #expect(queues.acknowledge(identifier: 1002)?.message == on("other"))
    #expect(queues.urgentSince == nil && !queues.awaitsUrgent)
  }

  /// After the rejection of OFF, which is awaited while some messages are in flight; what is sent within two seconds then.
  @Test(arguments: [
    (before: "", after: "", sent: ["OFF"]), ("ON", "", []), ("OFF", "", []), ("", "ON", ["ON"]), ("", "OFF", ["OFF"]),
    ("", "close", []),
  ])
  func aRejectedOffIsRepeated(before: String, after: String, sent: [String]) throws {
    var queues = queues()
    func publish(_ text: String) { if !text.isEmpty { queues.append(text == "ON" ? on() : off(), at: start) } }
    publish("OFF")
    _ = send(&queues)
    publish(before)
    _ = send(&queues)
    let rejected = queues.acknowledge(identifier: 1)
    #expect(rejected?.message == off())
    queues.repeatUrgent(try #require(rejected), at: start + .seconds(1))
    if after == "close" { queues.close() } else { publish(after) }
    queues.open()
    #expect(queues.urgentRepeat == (before.isEmpty && after.isEmpty ? start + .seconds(1) : nil))
    #expect(send(&queues) == (after.isEmpty ? [] : sent))
    #expect(send(&queues, at: start + .seconds(1)) == (after.isEmpty ? sent : []))
    #expect(send(&queues, at: start + .seconds(2)) == [] && queues.urgentRepeat == nil)
  }

  @Test func aRejectedOnIsNotRepeated() {
    var queues = queues()
    queues.repeatUrgent(SendQueues.Entry(message: on(), queuedAt: start), at: start)
    #expect(queues.urgentRepeat == nil && send(&queues, at: start + .seconds(9)) == [])
  }

  /// The broker rejects OFF before it acknowledges the ON that was sent earlier.
  @Test func anEarlierOnDoesNotReplaceARejectedOff() throws {
    var queues = queues()
    queues.append(on(), at: start)
    #expect(send(&queues) == ["ON"])
    queues.append(off(), at: start + .milliseconds(1))
    let rejected = queues.popNext(window: 18, at: start + .milliseconds(1))
    queues.repeatUrgent(try #require(rejected), at: start + .seconds(1))
    #expect(queues.urgentRepeat == start + .seconds(1) && queues.unacknowledged == 1)
  }

  /// The messages in flight when the link stops, in order: a plug may receive them later.
  @Test(arguments: [
    ([], false), (["plug ON"], true), (["plug ON", "plug OFF"], false), (["plug OFF", "plug ON"], true),
    (["plug ON", "valve OFF"], true), (["valve OFF", "plug OFF"], false),
  ])
  func knowsWhatWouldBeSwitchedOnAfterTheEnd(sent: [String], isOn: Bool) {
    var queues = queues(backlog: 1)
    for text in sent {
      let words = text.split(separator: " ").map(String.init)
      queues.append(words[1] == "ON" ? on(words[0]) : off(words[0]), at: start)
      _ = send(&queues)
    }
    #expect(queues.endsWithExpiring == isOn)
  }

  /// Whatever is published, sent, acknowledged and lost: each topic's order is kept, at most 64 messages wait, and once
  /// everything is sent, the last one on each topic is the last one published unless that could be dropped.
  @Test(arguments: 0..<200 as Range<UInt64>) func offIsNeverLostOnAConnection(seed: UInt64) {
    var random = SplitMix(seed)
    var queues = queues(backlog: 50)
    var (published, sent): ([String: [Message]], [String: [Message]]) = ([:], [:])
    var identifiers: [Int32] = []
    var identifier: Int32 = 0
    func step(_ queues: inout SendQueues) {
      guard let entry = queues.popNext(window: 3, at: start) else { return }
      if entry.message.delivery == .urgent { sent[entry.message.topic, default: []].append(entry.message) }
      identifier += 1
      identifiers.append(identifier)
      queues.appendInFlight(entry, identifier: identifier, at: start)
    }
    func acknowledge(_ queues: inout SendQueues) {
      guard !identifiers.isEmpty else { return }
      _ = queues.acknowledge(identifier: identifiers.remove(at: Int.random(in: 0..<identifiers.count, using: &random)))
    }
    for _ in 0..<400 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let topic = "plug/\(Int.random(in: 0..<16, using: &random))"
        let message = Bool.random(using: &random) ? on(topic) : off(topic)
        published[topic, default: []].append(message)
        queues.append(message, at: start)
      case 2: step(&queues)
      default: acknowledge(&queues)
      }
      #expect(queues.queuedUrgent <= SendQueues.urgentCapacity)
    }
    while queues.queuedUrgent > 0 {
      step(&queues)
      acknowledge(&queues)
    }
    for (topic, messages) in published {
      #expect(messages.contains(subsequence: sent[topic] ?? []), "\(topic)")
      if messages.last == off(topic) { #expect(sent[topic]?.last == off(topic)) }
      if sent[topic]?.last == on(topic) { #expect(messages.last == on(topic), "an OFF is missing on \(topic)") }
    }
  }
}

/// Random numbers from a seed (splitmix64).
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension [Message] {
  /// Whether these messages occur here in the same order.
  fileprivate func contains(subsequence messages: [Message]) -> Bool {
    var rest = messages[...]
    for message in self where message == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}
