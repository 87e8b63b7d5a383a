import Testing

@testable import Servers
@testable import Weighing

/// The lines of MT-SICS, without a network.
@Suite struct SICSSessionTests {
  private static let identity = SICSIdentity(id: "bench 1", capacity: Grams(385), division: .gram)

  /// A reading of a division of 0.1 g.
  private static func reading(
    _ state: Reading.State = .stable, net: Double? = 73.5, tare: Double = 0, isUnderloaded: Bool = false
  ) -> Reading {
    let division = Division(Grams(0.1)) ?? .gram
    func mass(_ grams: Double) -> DisplayedMass {
      DisplayedMass(steps: division.steps(nearest: Grams(grams)), division: division)
    }
    return Reading(
      time: Instant(nanoseconds: 0), state: state, gross: mass((net ?? 385) + tare), tare: mass(tare),
      net: net.map(mass), highResolution: net.map { Grams($0) }, uncertainty: nil, isStable: state == .stable,
      isInsideZero: false, isOverloaded: state == .overload, isUnderloaded: isUnderloaded, raw: .zero, force: 0,
      calibration: nil, tareEpoch: 0, capacity: Grams(385))
  }

  private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

  private static func text(_ session: inout SICSSession) -> String {
    defer { session.removeOutput(.max) }
    return String(decoding: session.output, as: UTF8.self)
  }

  /// Expects what a session has sent since the last call.
  private static func expect(
    _ session: inout SICSSession, _ lines: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let sent = text(&session)
    #expect(sent == lines, sourceLocation: sourceLocation)
  }

  /// What a session answers at once to a client's bytes.
  private static func answer(_ bytes: String, _ reading: Reading?) -> String {
    var session = SICSSession(identity)
    session.receive(Array(bytes.utf8), at: at(0))
    var lines = 100
    _ = session.advance(reading, at: at(0), mayAct: true, lines: &lines)
    return text(&session)
  }

  @Test(arguments: [
    ("SI\r\n", "S S       73.5 g\r\n"), ("S\r\n", "S S       73.5 g\r\n"), ("I4\r\n", "I4 A \"bench_1\"\r\n"),
    ("I2\r\n", "I2 A \"Grampad bench_1 385 g\"\r\n"), ("I1\r\n", "I1 A \"01\" \"2.30\" \"2.20\" \"\" \"\"\r\n"),
    ("TA\r\n", "TA A        2.0 g\r\n"), ("D \"Add sample\"\r\n", "D A\r\n"), ("D text\r\n", "D L\r\n"),
    ("DW\r\n", "DW A\r\n"), ("M21 0 0\r\n", "M21 A\r\n"), ("M21\r\n", "M21 A 0 0\r\n"), ("M21 0 1\r\n", "M21 L\r\n"),
    ("SR 0 g\r\n", "SR L\r\n"), ("SR 1e3 g\r\n", "SR L\r\n"), ("SC 100\r\n", "S S       73.5 g\r\n"),
    ("si\r\n", "ES\r\n"), ("XYZ\r\n", "ES\r\n"), ("SI 5\r\n", "EL\r\n"), ("I4\u{7}\r\n", "ET\r\n"),
    ("SI\n", "S S       73.5 g\r\n"), ("SI\r", "S S       73.5 g\r\n"), ("\r\n\r\n", ""), ("SI", ""),
    ("K 1\r\n", "K A\r\n"), ("K 2\r\n", "K I\r\n"), ("K 4\r\n", "K I\r\n"), ("K 5\r\n", "K L\r\n"),
    ("K\r\n", "K L\r\n"), ("K 01\r\n", "K L\r\n"), ("I4\r\nDW\r\n", "I4 A \"bench_1\"\r\nDW A\r\n"),
  ])
  func answers(_ bytes: String, _ answer: String) {
    #expect(Self.answer(bytes, Self.reading(tare: 2)) == answer)
  }

  @Test func answersALineThatIsTooLong() {
    #expect(Self.answer(String(repeating: "S", count: 81) + "\r\n", Self.reading()) == "ET\r\n")
  }

  @Test(arguments: [
    (reading(.settling), "S D       73.5 g\r\n"), (reading(.pressing), "S D       73.5 g\r\n"),
    (reading(.empty, net: 0), "S S        0.0 g\r\n"), (reading(net: -12.3), "S S      -12.3 g\r\n"),
    (reading(.overload, net: nil), "S +\r\n"), (reading(net: -40, isUnderloaded: true), "S -\r\n"),
    (reading(.offline, net: nil), "S I\r\n"), (nil, "S I\r\n"),
  ])
  func mapsAReading(_ reading: Reading?, _ answer: String) {
    #expect(Self.answer("SI\r\n", reading) == answer)
  }

  @Test func listsTheCommands() {
    let lines = Self.answer("I0\r\n", Self.reading()).split(separator: "\r\n")
    #expect(lines.first == "I0 B 0 \"@\"")
    #expect(lines.last == "I0 A 2 \"ZC\"")
    #expect(lines.count == SICSCommand.list.count)
    // Every listed command is understood.
    for (_, name) in SICSCommand.list { #expect(Self.answer(name + "\r\n", Self.reading()) != "ES\r\n") }
  }

  @Test func waitsForRest() {
    var session = SICSSession(Self.identity)
    session.receive(Array("S\r\nI4\r\n".utf8), at: Self.at(0))
    var lines = 100
    _ = session.advance(Self.reading(.settling), at: Self.at(0), mayAct: true, lines: &lines)
    #expect(session.output.isEmpty)
    #expect(session.needsReadings)
    _ = session.advance(Self.reading(.stable, net: 80), at: Self.at(1), mayAct: true, lines: &lines)
    Self.expect(&session, "S S       80.0 g\r\nI4 A \"bench_1\"\r\n")
  }

  @Test(arguments: [("S", "S I\r\n"), ("SC 1000", "S D       73.5 g\r\n")])
  func stopsWaitingForRest(_ command: String, _ answer: String) throws {
    var session = SICSSession(Self.identity)
    session.receive(Array("\(command)\r\n".utf8), at: Self.at(0))
    var lines = 100
    _ = session.advance(Self.reading(.settling), at: Self.at(0), mayAct: true, lines: &lines)
    let deadline = try #require(session.nextDeadline)
    _ = session.advance(Self.reading(.settling), at: deadline + Interval(nanoseconds: -1), mayAct: true, lines: &lines)
    #expect(session.output.isEmpty)
    _ = session.advance(Self.reading(.settling), at: deadline, mayAct: true, lines: &lines)
    Self.expect(&session, answer)
  }

  @Test func resetOvertakesWhatWaits() throws {
    var session = SICSSession(Self.identity)
    var lines = 100
    session.receive(Array("S\r\n".utf8), at: Self.at(0))
    _ = session.advance(Self.reading(.settling), at: Self.at(0), mayAct: true, lines: &lines)
    session.receive(Array("SI\r\nSI\r\n@\r\n".utf8), at: Self.at(1))
    let advanced = session.advance(Self.reading(.settling), at: Self.at(1), mayAct: true, lines: &lines)
    let order = try #require(advanced)
    #expect(order.action == .clearTare)
    let next = session.finish(order.number, nil)
    #expect(next == nil)
    Self.expect(&session, "I4 A \"bench_1\"\r\n")
  }

  @Test(
    arguments: [
      ("T", nil, reading(tare: 73.5), "T S       73.5 g"), ("TI", nil, reading(tare: 73.5), "TI S       73.5 g"),
      ("T", .overload, reading(.overload, net: nil), "T +"), ("T", .unstable, reading(.settling), "T I"),
      ("T", .empty, reading(.empty, net: 0), "T S        0.0 g"),
      ("T", .empty, reading(net: -40, isUnderloaded: true), "T -"),
      ("T", .padMissing, reading(.offline, net: nil), "T I"),
      ("Z", nil, reading(.empty, net: 0), "Z A"), ("ZI", nil, reading(.empty, net: 0), "ZI S"),
      ("Z", .overload, reading(.overload, net: nil), "Z +"), ("ZI", .unstable, reading(.settling), "ZI I"),
      ("TAC", nil, reading(), "TAC A"), ("TAC", .noTare, reading(), "TAC A"), ("TAC", .expired, reading(), "TAC I"),
    ] as [(String, Rejection?, Reading, String)])
  func mapsAnAction(_ command: String, _ rejection: Rejection?, _ reading: Reading, _ answer: String) throws {
    var session = SICSSession(Self.identity)
    var lines = 100
    session.receive(Array("\(command)\r\n".utf8), at: Self.at(0))
    let advanced = session.advance(reading, at: Self.at(0), mayAct: true, lines: &lines)
    let order = try #require(advanced)
    let result = ActionResult(
      request: ActionRequest(action: order.action, source: .sics), rejection: rejection, time: Self.at(0),
      reading: reading)
    let next = session.finish(order.number, result)
    #expect(next == nil)
    Self.expect(&session, answer + "\r\n")
  }

  @Test func takesAnEmptyPanAsATareOfZero() throws {
    var session = SICSSession(Self.identity)
    var lines = 100
    session.receive(Array("T\r\n".utf8), at: Self.at(0))
    let reading = Self.reading(.empty, net: -20, tare: 20)
    let advanced = session.advance(reading, at: Self.at(0), mayAct: true, lines: &lines)
    let first = try #require(advanced)
    let rejected = ActionResult(
      request: ActionRequest(action: .tare, source: .sics), rejection: .empty, time: Self.at(0), reading: reading)
    let finished = session.finish(first.number, rejected)
    let second = try #require(finished)
    #expect(second.action == .clearTare)
    let cleared = ActionResult(
      request: ActionRequest(action: .clearTare, source: .sics), rejection: nil, time: Self.at(0),
      reading: Self.reading(.empty, net: 0))
    let next = session.finish(second.number, cleared)
    #expect(next == nil)
    Self.expect(&session, "T S        0.0 g\r\n")
  }

  @Test func delaysAnActionUntilItsTurn() {
    var session = SICSSession(Self.identity)
    var lines = 100
    session.receive(Array("I4\r\nT\r\nDW\r\n".utf8), at: Self.at(0))
    let delayed = session.advance(Self.reading(), at: Self.at(0), mayAct: false, lines: &lines)
    #expect(delayed == nil)
    #expect(session.isActionDelayed)
    Self.expect(&session, "I4 A \"bench_1\"\r\n")
    let order = session.advance(Self.reading(), at: Self.at(0.05), mayAct: true, lines: &lines)
    #expect(order?.action == .tare)
  }

  @Test func repeatsUntilTheNextQuery() {
    var session = SICSSession(Self.identity)
    var lines = 100
    session.receive(Array("SIR\r\n".utf8), at: Self.at(0))
    for step in 0...10 {
      _ = session.advance(Self.reading(), at: Self.at(Double(step) / 10), mayAct: true, lines: &lines)
    }
    Self.expect(&session, String(repeating: "S S       73.5 g\r\n", count: 11))
    session.receive(Array("SI\r\n".utf8), at: Self.at(1.05))
    _ = session.advance(Self.reading(), at: Self.at(1.05), mayAct: true, lines: &lines)
    Self.expect(&session, "S S       73.5 g\r\n")
    #expect(session.nextDeadline == nil)
  }

  @Test func sendsChanges() {
    var session = SICSSession(Self.identity)
    var lines = 100
    session.receive(Array("SR 10 g\r\n".utf8), at: Self.at(0))
    for (second, reading) in [
      Self.reading(.settling, net: 12), Self.reading(net: 20), Self.reading(net: 29.9),
      Self.reading(.settling, net: 31),
      Self.reading(.settling, net: 70), Self.reading(net: 80), Self.reading(.overload, net: nil),
      Self.reading(.overload, net: nil), Self.reading(.settling, net: 300), Self.reading(net: 40),
    ].enumerated() {
      _ = session.advance(reading, at: Self.at(Double(second)), mayAct: true, lines: &lines)
    }
    Self.expect(&session, "S S       20.0 g\r\nS D       31.0 g\r\nS S       80.0 g\r\nS +\r\nS S       40.0 g\r\n")
  }

  @Test func boundsWhatWaits() {
    var session = SICSSession(Self.identity)
    while session.canReceive { session.receive(Array("I0\r\nI0\r\nI0\r\n".utf8), at: Self.at(0)) }
    #expect(session.reader.lines.count <= 16 + SICSLineReader.pieceBytes / 2)
    var lines = Int.max
    _ = session.advance(Self.reading(), at: Self.at(0), mayAct: true, lines: &lines)
    #expect(session.output.count < 2048)
    #expect(!session.canReceive)
  }

  @Test func givesALineTenSeconds() {
    var reader = SICSLineReader()
    reader.append(Array("S".utf8), at: Self.at(0))
    reader.append(Array("I".utf8), at: Self.at(9))
    #expect(reader.deadline == Self.at(10))
    reader.append(Array("\r\n".utf8), at: Self.at(9.5))
    #expect(reader.deadline == nil)
    #expect(reader.removeFirst() == .text("SI"))
  }
}
