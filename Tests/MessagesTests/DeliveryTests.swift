import Messages
import Testing

@testable import Weighing

/// Under what promise each topic is sent.
@Suite struct DeliveryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var topic: Topic
    var effect: Effect
    var delivery: Message.Delivery
    var expires = false
    var testDescription: String { topic.rawValue }
  }

  static let reading = Sample.settled()
  @Test(arguments: [
    Case(topic: .live, effect: .live(reading), delivery: .live, expires: true),
    Case(topic: .display, effect: .live(reading), delivery: .live, expires: true),
    Case(topic: .reading, effect: .reading(reading), delivery: .live, expires: true),
    Case(topic: .stable, effect: .settled(reading), delivery: .retained),
    Case(
      topic: .contacts, effect: .contacts(ContactsReport(time: Sample.time, entries: [])), delivery: .live,
      expires: true),
    Case(
      topic: .event, effect: .event(ScaleEvent(kind: .tareCleared, time: Sample.time, tareEpoch: 1)), delivery: .assured
    ),
    Case(
      topic: .result,
      effect: .result(
        ActionResult(
          request: ActionRequest(action: .zero, source: .start), rejection: nil, time: Sample.time, reading: reading)),
      delivery: .assured),
    Case(
      topic: .gesture,
      effect: .gesture(
        GestureReport(time: Sample.time, action: "commit", state: .idle, intention: 0, preview: nil)),
      delivery: .live, expires: true),
    Case(
      topic: .gesture,
      effect: .gesture(
        GestureReport(
          time: Sample.time, action: "history", state: .selected, intention: 0.5, preview: .weighing(Sample.record))),
      delivery: .live, expires: true),
    Case(
      topic: .lastWeighing, effect: .lastWeighing(Sample.record, isHistorical: false, at: Sample.time),
      delivery: .retained),
    Case(topic: .actions, effect: .actions([], at: Sample.time), delivery: .retained),
  ])
  func anEffectIsSentAsTheContractHasIt(_ sent: Case) throws {
    var composer = Sample.composer()
    let messages = composer.messages(for: sent.effect)
    #expect(messages.count == (sent.topic == .live || sent.topic == .display ? 2 : 1))
    let message = try #require(messages.first { $0.topic == "grampad/kitchen/" + sent.topic.rawValue })
    #expect(message.delivery == sent.delivery)
    #expect(message.expiry == (sent.expires ? .seconds(10) : nil), "two heartbeats")
    #expect(message.correlation == nil)
  }

  /// The journal's outbox sends each weighing; the pad gives the feedback.
  @Test(arguments: [
    Effect.feedback(.confirmed, at: Sample.time), .weighing(Sample.record, at: Sample.time),
    .record(
      WeighingDraft(
        request: ActionRequest(action: .void, source: .pad), kind: .void(.last), label: nil, time: Sample.time)),
  ])
  func someEffectsAreNoMessages(_ effect: Effect) {
    var composer = Sample.composer()
    #expect(composer.messages(for: effect).isEmpty)
  }

  @Test func theDisplayIsTheTextAlone() {
    var composer = Sample.composer()
    #expect(composer.messages(for: .live(Self.reading)).map(\.text).last == "73 g")
  }

  @Test(arguments: [(true, "online"), (false, "offline")])
  func availabilityIsRetainedText(_ online: Bool, _ text: String) {
    let message = Sample.composer().availability(online)
    #expect(message.topic == "grampad/kitchen/availability")
    #expect(message.text == text && message.delivery == .retained && message.expiry == nil)
  }

  @Test func healthIsRetained() {
    var composer = Sample.composer()
    let message = composer.health(
      Health(
        pad: .missing(.verbatim("")), broker: .disconnected(.verbatim("")), calibration: nil,
        journal: .unavailable(.verbatim("")),
        configurationError: nil,
        version: ""),
      at: Sample.time)
    #expect(message.topic == "grampad/kitchen/health")
    #expect(message.delivery == .retained && message.expiry == nil)
  }

  /// MQTT counts expiry in whole seconds.
  @Test(arguments: [(100, 1000), (500, 1000), (5000, 10_000)])
  func aLiveReadingExpiresAfterTwoHeartbeats(_ heartbeat: Int, _ expiry: Int) {
    let composer = MessageComposer(
      topics: Topics(prefix: "a", id: "b"), heartbeat: .milliseconds(heartbeat), clock: .recorded)
    #expect(composer.liveExpiry == .milliseconds(expiry))
  }
}
