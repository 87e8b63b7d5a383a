import Messages
import Testing

@testable import Servers
@testable import Weighing

/// The conversation on `/snapshot` as values: replies, actions and events.
struct SnapshotSessionTests {
  private static func scale(
    _ condition: ScaleSnapshot.Condition = .ready, _ timer: ScaleSnapshot.Timer? = nil
  ) -> ScaleSnapshot {
    var scale = ScaleSnapshot()
    (scale.condition, scale.timer, scale.mass) = (condition, timer, Grams(18.204))
    return scale
  }

  private static func text(_ frame: SnapshotFrame, _ scale: ScaleSnapshot = scale()) -> String {
    let json = frame.json(scale, since: Instant(nanoseconds: 0), at: Instant(nanoseconds: 1_234_000_000))
    return String(decoding: json, as: UTF8.self)
  }

  /// The reply to one command whose action succeeds.
  private static func reply(_ text: String, _ session: inout SnapshotSession) -> [SnapshotFrame] {
    if let command = session.receive(text, on: scale()) { session.complete(command.identifier, nil) }
    return session.takeReplies()
  }

  @Test func theHandshakeOfBothApps() {
    var session = SnapshotSession()
    for text in ["rate 10k", "events on", "status", "display on"] {
      let command = session.receive(text, on: Self.scale())
      #expect(command == nil, "\(text)")
    }
    let replies = session.takeReplies().map { Self.text($0) }
    let status =
      #"{"type":"status","status":"ok","protocol_version":1,"firmware_version":"Grampad \#(Version.text)","#
      + #""grams":18.2,"ms":1234,"battery_percent":100,"battery_voltage":4.2,"charging":true,"timer_running":false,"#
      + #""timer_seconds":0,"display_on":true,"low_power":false,"soft_sleep":false,"events_enabled":true,"rate_hz":10,"#
      + #""interval_ms":100,"state":"ready","stable":false}"#
    let rate = #"{"type":"rate","status":"ok","interval_ms":100,"hz":10,"supported_hz":[2,5,10]}"#
    #expect(replies == [rate, status, status, status])
  }

  @Test func aMassHasNoTypeAndIsTheCapacityInOverload() {
    #expect(Self.text(.weight) == #"{"grams":18.2,"ms":1234}"#)
    #expect(Self.text(.condition) == #"{"type":"state","state":"ready","ms":1234}"#)
    #expect(Self.text(.timer(.reset)) == #"{"type":"timer","event":"reset","timer_seconds":0,"ms":1234}"#)
    var reading = Reading(
      emptyAt: Instant(nanoseconds: 0), raw: .zero, force: 0, calibration: .nominal,
      tare: DisplayedMass(steps: 0, division: .gram), tareEpoch: 0, capacity: Grams(385))
    var scale = ScaleSnapshot()
    #expect(scale.mass == .zero && scale.condition == .offline)
    reading.highResolution = Grams(84.25)
    scale.update(reading)
    #expect(scale.mass == Grams(84.25) && scale.condition == .ready && scale.isEmpty)
    let offline = Reading(
      offlineAt: Instant(nanoseconds: 1), tare: DisplayedMass(steps: 0, division: .gram), tareEpoch: 0,
      capacity: Grams(385))
    scale.update(offline)
    #expect(scale.mass == Grams(84.25) && scale.condition == .offline && !scale.isEmpty)
    reading.setOverload()
    scale.update(reading)
    #expect(scale.mass == Grams(385) && scale.condition == .overload)
  }

  @Test(arguments: [
    ("dance", "error", "unknown_command"), ("{ not valid json", "error", "unknown_command"),
    (#"{"command":"power","action":"off"}"#, "error", "refused"), ("rate 3k", "rate", "invalid"),
    ("timer run", "status", "invalid"), ("display off", "status", "ok"), (#"{"tare":true}"#, "status", "ok"),
    ("timer start", "status", "ok"), ("rate 2k", "rate", "ok"),
  ])
  func replies(_ text: String, _ type: String, _ result: String) {
    var session = SnapshotSession()
    let replies = Self.reply(text, &session).map { Self.text($0) }
    let key = type == "error" ? "code" : "status"
    #expect(replies.count == 1 && replies[0].hasPrefix(#"{"type":"\#(type)","\#(key)":"\#(result)","#), "\(replies)")
  }

  /// As in the firmware; a tare that is not done is answered.
  @Test func aTareAsTextIsSilentUnlessItFails() {
    var session = SnapshotSession()
    let replies = Self.reply("tare", &session)
    #expect(replies.isEmpty)
    let command = session.receive("tare", on: Self.scale())
    let error = SnapshotError(code: "unstable", detail: "No.")
    session.complete(command?.identifier ?? 0, error)
    let failed = session.takeReplies()
    #expect(failed == [.error(error)])
  }

  @Test(arguments: [(true, true, ["clear_tare"]), (true, false, []), (false, true, ["tare"]), (false, false, ["tare"])])
  func aTareOfAnEmptyScaleIsAccepted(_ isEmpty: Bool, _ isTared: Bool, _ names: [String]) {
    var scale = Self.scale()
    (scale.isEmpty, scale.isTared) = (isEmpty, isTared)
    #expect(SnapshotSession.Action.tare.requests(on: scale).map(\.name) == names)
  }

  /// A Half Decent Scale starts from 0.
  @Test func theTimerStartsFromZero() {
    let start = SnapshotSession.Action.timer(.start)
    #expect(start.requests(on: Self.scale()).map(\.parameters) == [.timer(.start)])
    let stopped = Self.scale(.ready, ScaleSnapshot.Timer(elapsed: .seconds(3)))
    #expect(start.requests(on: stopped).map(\.parameters) == [.timer(.reset), .timer(.start)])
  }

  @Test func statusShowsTheTimer() {
    let timer = ScaleSnapshot.Timer(isRunning: true, elapsed: .seconds(11.5), date: Instant(nanoseconds: 234_000_000))
    let status = Self.text(.status(SnapshotFrame.Options(), isValid: true), Self.scale(.ready, timer))
    #expect(status.contains(#""timer_running":true,"timer_seconds":12,"#), "\(status)")
  }

  /// Each step: the condition and the timer (`nil`, stopped or running), and the events that follow.
  @Test func sendsEventsOnlyToClientsThatWantThem() {
    typealias Timer = ScaleSnapshot.Timer
    let steps: [(ScaleSnapshot, [SnapshotFrame])] = [
      (Self.scale(), []), (Self.scale(.overload), [.condition]), (Self.scale(.overload), []),
      (Self.scale(.offline), [.condition]), (Self.scale(.ready, Timer(isRunning: true)), [.condition, .timer(.start)]),
      (Self.scale(.ready, Timer(isRunning: true, elapsed: .seconds(1))), []),
      (Self.scale(.ready, Timer(elapsed: .seconds(2))), [.timer(.stop)]), (Self.scale(), [.timer(.reset)]),
    ]
    var (silent, told) = (SnapshotSession(), SnapshotSession())
    _ = told.receive("events on", on: Self.scale())
    for (scale, events) in steps {
      let (none, some) = (silent.takeEvents(scale), told.takeEvents(scale))
      #expect(none.isEmpty && some == events)
    }
    // A client that begins without a pad is told.
    var late = SnapshotSession()
    _ = late.receive("events on", on: Self.scale(.offline))
    let events = late.takeEvents(Self.scale(.offline))
    #expect(events == [.condition])
  }

  /// A linear congruential generator. Source: Knuth, "The Art of Computer Programming", 3.3.4, MMIX.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  /// Every command of a random burst has one reply, but a tare as text, and all are in order, whenever the actions end.
  @Test(arguments: UInt64(0)..<200) func aReplyForEachCommandInOrder(seed: UInt64) {
    var random = Dice(state: seed)
    let texts = SnapshotCommandTests.forms.flatMap(\.1)
    var session = SnapshotSession()
    var (open, sent, expected): ([(Int, Int)], [SnapshotFrame], [SnapshotFrame?]) = ([], [], [])
    func end(_ index: Int) {
      let (identifier, position) = open.remove(at: index)
      let error = Bool.random(using: &random) ? SnapshotError(code: "\(position)", detail: "No.") : nil
      if let error { expected[position] = .error(error) }
      session.complete(identifier, error)
      session.complete(identifier, .busy)
    }
    for position in 0..<Int.random(in: 1...120, using: &random) {
      let text = texts[Int.random(in: 0..<texts.count, using: &random)]
      let isFull = open.count == SnapshotSession.maximumWaiting
      let action = session.receive(text, on: Self.scale())
      let status = SnapshotFrame.status(session.options, isValid: true)
      switch SnapshotCommand(text) {
      case .tare(let isAcknowledged): expected.append(isFull ? .error(.busy) : isAcknowledged ? status : nil)
      case .timer: expected.append(isFull ? .error(.busy) : status)
      case .events, .status: expected.append(status)
      case .rate: expected.append(.rate(session.options, isValid: true))
      case .unknownRate: expected.append(.rate(session.options, isValid: false))
      case .invalid: expected.append(.status(session.options, isValid: false))
      case .powerOff: expected.append(.error(.powerOff))
      case nil: expected.append(.error(.unknownCommand))
      }
      if let action { open.append((action.identifier, position)) }
      if !open.isEmpty, Int.random(in: 0..<8, using: &random) == 0 {
        end(Int.random(in: 0..<open.count, using: &random))
      }
      sent += session.takeReplies()
    }
    while !open.isEmpty { end(Int.random(in: 0..<open.count, using: &random)) }
    sent += session.takeReplies()
    #expect(sent == expected.compactMap(\.self))
    #expect(session.hasRoom)
  }

  @Test func refusesMoreCommandsThanMayWait() {
    var session = SnapshotSession()
    for _ in 0..<SnapshotSession.maximumWaiting { _ = session.receive("tare", on: Self.scale()) }
    #expect(!session.hasRoom)
    let refused = session.receive("tare", on: Self.scale())
    #expect(refused == nil)
    for identifier in 1...SnapshotSession.maximumWaiting { session.complete(identifier, nil) }
    let replies = session.takeReplies()
    #expect(replies == [.error(.busy)])
  }
}
