import Testing

@testable import Servers
@testable import Weighing

/// Timed tare and zero, and a tare that is given: `TC`, `ZC`, `TI` and `TA` with a mass.
@Suite struct SICSTareTests {
  private static func mass(_ grams: Double) -> DisplayedMass {
    let division = Division(Grams(0.1)) ?? .gram
    return DisplayedMass(steps: division.steps(nearest: Grams(grams)), division: division)
  }

  private static func reading(_ state: Reading.State, gross: Double = 73.5, tare: Double = 0) -> Reading {
    Reading(
      time: Instant(nanoseconds: 0), state: state, gross: mass(gross), tare: mass(tare),
      net: state == .overload ? nil : mass(gross - tare), highResolution: nil, uncertainty: nil,
      isStable: state == .stable, isInsideZero: false, isOverloaded: state == .overload, isUnderloaded: false,
      raw: .zero,
      force: 0, calibration: nil, tareEpoch: 0, capacity: Grams(385))
  }

  private static func at(_ milliseconds: Int) -> Instant {
    Instant(nanoseconds: 0) + .milliseconds(milliseconds)
  }

  /// A session that has received a line at 0 ms.
  private struct Conversation {
    var session = SICSSession(SICSIdentity(id: "bench", capacity: Grams(385), division: .gram))

    init(_ line: String) { session.receive(Array("\(line)\r\n".utf8), at: SICSTareTests.at(0)) }

    /// What the scale is asked for.
    mutating func advance(_ reading: Reading?, at milliseconds: Int, mayAct: Bool = true) -> SICSSession.Order? {
      var lines = 10
      return session.advance(reading, at: SICSTareTests.at(milliseconds), mayAct: mayAct, lines: &lines)
    }

    /// What the client gets after the decision of the scale.
    mutating func finish(_ order: SICSSession.Order, rejection: Rejection? = nil, _ reading: Reading) -> String {
      let request = ActionRequest(action: order.action, parameters: order.parameters, source: .sics)
      _ = session.finish(
        order.number, ActionResult(request: request, rejection: rejection, time: SICSTareTests.at(0), reading: reading))
      return output
    }

    var output: String {
      mutating get {
        defer { session.removeOutput(.max) }
        return String(decoding: session.output, as: UTF8.self)
      }
    }
  }

  @Test(arguments: [("TC 5000", "TC S       73.5 g"), ("ZC 5000", "ZC S"), ("TI", "TI S       73.5 g")])
  func actsAtOnceAtRest(_ line: String, _ answer: String) throws {
    var conversation = Conversation(line)
    let advanced = conversation.advance(Self.reading(.stable), at: 0)
    let order = try #require(advanced)
    #expect(order.action == (line.hasPrefix("Z") ? .zero : .tare))
    #expect(order.parameters == .none)
    #expect(conversation.finish(order, Self.reading(.stable, tare: 73.5)) == answer + "\r\n")
  }

  @Test(arguments: [("TC 5000", "TC S       80.0 g"), ("ZC 5000", "ZC S")])
  func waitsForRest(_ line: String, _ answer: String) throws {
    var conversation = Conversation(line)
    #expect(conversation.advance(Self.reading(.settling), at: 0) == nil)
    #expect(conversation.session.needsReadings)
    #expect(conversation.session.nextDeadline == Self.at(5000))
    #expect(conversation.advance(Self.reading(.settling), at: 4999) == nil)
    let advanced = conversation.advance(Self.reading(.stable, gross: 80), at: 4999)
    let order = try #require(advanced)
    #expect(order.parameters == .none)
    #expect(conversation.finish(order, Self.reading(.stable, gross: 80, tare: 80)) == answer + "\r\n")
  }

  /// The load in motion is the tare after the time, as the reference has it: `D`.
  @Test(arguments: [("TC 5000", 5000), ("TC 0", 0), ("TI", 0)])
  func taresALoadInMotionAfterTheTime(_ line: String, _ time: Int) throws {
    var conversation = Conversation(line)
    var advanced = conversation.advance(Self.reading(.settling), at: 0)
    if time > 0 {
      #expect(advanced == nil)
      advanced = conversation.advance(Self.reading(.settling, gross: 75), at: time)
    }
    let order = try #require(advanced)
    let gross = time > 0 ? 75 : 73.5
    #expect(order.action == .tare)
    #expect(order.parameters == .tare(.mass(Self.mass(gross).mass)))
    let answer = conversation.finish(order, Self.reading(.settling, gross: gross, tare: gross))
    #expect(answer == "\(line.prefix(2)) D       \(gross) g\r\n")
  }

  @Test(arguments: [5000, 0])
  func doesNotZeroInMotion(_ time: Int) {
    var conversation = Conversation("ZC \(time)")
    #expect(conversation.advance(Self.reading(.settling), at: 0) == nil)
    #expect(conversation.advance(Self.reading(.settling), at: time) == nil)
    #expect(conversation.output == "ZC I\r\n")
    #expect(!conversation.session.isBusy)
  }

  /// An overload and a missing pad do not get better by waiting.
  @Test(arguments: [
    ("TC 5000", Rejection.overload, reading(.overload), "TC +"), ("ZC 5000", .overload, reading(.overload), "ZC +"),
    ("TC 5000", .padMissing, reading(.offline), "TC I"), ("ZC 5000", .padMissing, reading(.offline), "ZC I"),
    ("TI", .overload, reading(.overload), "TI +"), ("TC 100", .unstable, reading(.stable), "TC I"),
  ])
  func mapsARejection(_ line: String, _ rejection: Rejection, _ reading: Reading, _ answer: String) throws {
    var conversation = Conversation(line)
    let advanced = conversation.advance(reading, at: 0)
    let order = try #require(advanced)
    #expect(conversation.finish(order, rejection: rejection, reading) == answer + "\r\n")
  }

  @Test(arguments: [
    ("TA 12 g", 12.0, "TA A       12.0 g"), ("TA 12.34 g", 12.3, "TA A       12.3 g"),
    ("TA 0 g", 0, "TA A        0.0 g"),
    ("TA +5.5 g", 5.5, "TA A        5.5 g"),
  ])
  func presetsATare(_ line: String, _ grams: Double, _ answer: String) throws {
    var conversation = Conversation(line)
    // Of an empty pad, and of a load in motion.
    for state in [Reading.State.empty, .settling] {
      if state == .settling { conversation = Conversation(line) }
      let advanced = conversation.advance(Self.reading(state, gross: 0), at: 0)
      let order = try #require(advanced)
      #expect(order.action == .tare)
      #expect(order.parameters == .tare(.mass(Self.mass(grams).mass)))
      #expect(conversation.finish(order, Self.reading(state, gross: 0, tare: grams)) == answer + "\r\n")
    }
  }

  @Test func refusesATareAboveTheCapacity() throws {
    var conversation = Conversation("TA 386 g")
    let advanced = conversation.advance(Self.reading(.stable), at: 0)
    let order = try #require(advanced)
    #expect(conversation.finish(order, rejection: .badPayload, Self.reading(.stable)) == "TA L\r\n")
  }

  @Test(arguments: [
    ("TC", "TC L"), ("TC -1", "TC L"), ("TC 65536", "TC L"), ("TC 5 ms", "TC L"), ("ZC", "ZC L"), ("ZC 1e3", "ZC L"),
    ("TA -1 g", "TA L"), ("TA 12", "TA L"), ("TA 12 kg", "TA L"), ("TA  12 g", "TA L"), ("TA 12,5 g", "TA L"),
    ("TA 1e3 g", "TA L"), ("TA nan g", "TA L"), ("TA 9999999999999999 g", "TA L"),
  ])
  func refusesParameters(_ line: String, _ answer: String) {
    var conversation = Conversation(line)
    #expect(conversation.advance(Self.reading(.stable), at: 0) == nil)
    #expect(conversation.output == answer + "\r\n")
  }

  /// When another client has just acted, the action waits for its turn, and the thread for that and not for the deadline
  /// that has passed.
  @Test func waitsForItsTurnAfterTheTime() throws {
    var conversation = Conversation("TC 100")
    #expect(conversation.advance(Self.reading(.settling), at: 0) == nil)
    #expect(conversation.advance(Self.reading(.settling), at: 100, mayAct: false) == nil)
    #expect(conversation.session.isActionDelayed)
    #expect(conversation.session.nextDeadline == nil)
    let advanced = conversation.advance(Self.reading(.settling), at: 150)
    let order = try #require(advanced)
    #expect(order.parameters == .tare(.mass(Self.mass(73.5).mass)))
    #expect(!conversation.session.isActionDelayed)
  }

  @Test func resetEndsTheWait() throws {
    var conversation = Conversation("TC 60000")
    #expect(conversation.advance(Self.reading(.settling), at: 0) == nil)
    conversation.session.receive(Array("@\r\n".utf8), at: Self.at(1))
    let advanced = conversation.advance(Self.reading(.settling), at: 1)
    #expect(try #require(advanced).action == .clearTare)
  }
}
