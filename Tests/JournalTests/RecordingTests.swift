import Testing
import Weighing

@testable import Journal

/// Records, identifiers, voids and the audit trail.
@Suite struct RecordingTests {
  @Test(arguments: [true, false]) func recordsComeBackAsTheyWereGiven(inMemory: Bool) throws {
    let folder = try Folder()
    let journal = Journal(inMemory ? .memory : .file(folder.file()), logger: quiet)
    try journal.begin(configurationHash: "abc", calibrationHash: "def", at: moment())
    let labels: [String?] = [nil, "", "flour", "Mehl — 🌾", "a'b\"c", "\u{FFFD}"]
    var records: [RecordedWeighing] = []
    for (index, label) in labels.enumerated() {
      let record = try journal.record(weighing(index, label: label), at: moment(Double(index)))
      #expect(record.label == label)
      #expect(record.sequence == index + 1)
      #expect(record.configurationHash == "abc")
      #expect(record.calibrationCounter == 1)
      #expect(record.time == moment(Double(index)))
      #expect(record.measurement.net == DisplayedMass(steps: index, division: .gram))
      records.append(record)
    }
    #expect(try journal.last() == records.last)
    #expect(try journal.history(since: nil).map(\.record) == records)
    #expect(try journal.history(since: moment(3)).map(\.record.sequence) == [4, 5, 6])
    #expect(try journal.pending(after: 0, limit: 100) == records)
    #expect(try journal.verify().faults == [])
    #expect(folder.names.contains("grampad.db") == !inMemory)
  }

  @Test(arguments: [0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 1000]) func massesKeepTheirDivision(step: Double) throws {
    let journal = Journal(.memory, logger: quiet)
    let division = try #require(Division(Grams(step)))
    for steps in [0, 1, -1, 3, 7, 123, 99_999, -385_000] {
      let mass = DisplayedMass(steps: steps, division: division)
      var draft = weighing(0)
      draft.kind = .weighing(
        Weighing.Measurement(gross: mass, tare: mass, net: mass, uncertainty: nil, calibration: .nominal))
      #expect(try journal.record(draft, at: moment()).measurement.net == mass)
      #expect(try journal.last()?.measurement == journal.history(since: nil).last?.record.measurement)
      #expect(try journal.last()?.measurement.gross == mass)
    }
    #expect(try journal.verify().isClean)
  }

  @Test func aLabelLosesNulCharactersOnly() throws {
    let journal = Journal(.memory, logger: quiet)
    #expect(try journal.record(weighing(1, label: "a\0b"), at: moment()).label == "ab")
    #expect(try journal.verify().isClean)
  }

  @Test func aMassThatIsNoNumberIsRefusedAndHarmless() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    var draft = weighing(1)
    let measurement = Weighing.Measurement(
      gross: DisplayedMass(steps: 1, division: .gram), tare: DisplayedMass(steps: 0, division: .gram),
      net: DisplayedMass(steps: 1, division: .gram), uncertainty: Grams(.nan), calibration: .user)
    draft.kind = .weighing(measurement)
    #expect(try journal.record(draft, at: moment()).measurement.uncertainty == nil)
    #expect(try journal.verify().isClean)
  }

  @Test(arguments: [IdentifierSource.random, .derived])
  func identifiersSortLikeTheSequence(identifiers: IdentifierSource) throws {
    let journal = Journal(.memory, identifiers: identifiers, logger: quiet)
    let clock: [Double] = [10, 10, 10, 3, 0.5, 0.2, 10.0005, 11, 4, 12]
    let records = try clock.map { try journal.record(weighing(1), at: moment($0)) }
    let texts = records.map(\.id.description)
    #expect(texts == texts.sorted())
    #expect(Set(texts).count == texts.count)
    #expect(records.map(\.time) == clock.map { moment($0) })
    #expect(try journal.verify().isClean)
  }

  /// A clock that was far in the future, or is set to and fro, does not stay in the ids.
  @Test(arguments: [IdentifierSource.random, .derived])
  func identifiersFollowTheClock(identifiers: IdentifierSource) throws {
    let journal = Journal(.memory, identifiers: identifiers, logger: quiet)
    let weeks = Double(70 * 365 * 86_400)
    let clock = [0, weeks, 1, 2, 3, -weeks, 5, 4, -6, -5, 7] + (1...300).map { _ in Double.random(in: -60...60) }
    var last: WeighingID?
    for seconds in clock {
      let id = try journal.record(weighing(1), at: moment(seconds)).id
      let now = UInt64(max(moment(seconds).nanoseconds, 0) / 1_000_000)
      #expect(id.milliseconds >= now && id.milliseconds <= now + 10_000, "\(seconds)")
      if let last, last.milliseconds < now + 10_000 { #expect(id.description > last.description, "\(seconds)") }
      last = id
    }
    let records = try journal.history(since: nil).map(\.record)
    #expect(records.map(\.sequence) == Array(1...clock.count) && Set(records.map(\.id)).count == clock.count)
    #expect(try journal.verify().isClean)
    let week = try journal.history(WeighingSelection(from: moment(), until: moment(7 * 86_400)))
    #expect(week.map(\.record) == records.filter { $0.time >= moment() && $0.time < moment(7 * 86_400) })
  }

  @Test func anIdentifierCarriesIntoItsMilliseconds() {
    let last = WeighingID(time: Instant(nanoseconds: 5_000_000), randomness: (.max, .max))
    let next = last.advanced(by: 0)
    #expect(next == WeighingID(time: Instant(nanoseconds: 6_000_000), randomness: (0, 0)))
    #expect(WeighingID(next.description) == next)
  }

  @Test func derivedIdentifiersAreTheSameEachTime() throws {
    func run(_ identifiers: IdentifierSource) throws -> [WeighingID] {
      let journal = Journal(.memory, identifiers: identifiers, logger: quiet)
      try journal.begin(configurationHash: "a", calibrationHash: "b", at: moment())
      return try [0.0, 0, 1].map { try journal.record(weighing(5), at: moment($0)).id }
    }
    #expect(try run(.derived) == run(.derived))
    #expect(try run(.random) != run(.random))
  }

  @Test func aVoidReversesTheLastWeighingOnce() throws {
    let journal = Journal(.memory, logger: quiet)
    #expect(throws: JournalError.nothingToVoid(path: ":memory:")) { try journal.record(void, at: moment()) }
    let first = try journal.record(weighing(10), at: moment(1))
    let second = try journal.record(weighing(20, label: "oats"), at: moment(2))
    let reversal = try journal.record(void, at: moment(3))
    #expect(reversal.voids == second.id)
    #expect(reversal.sequence == 3)
    #expect(reversal.label == "oats")
    #expect(reversal.measurement == second.measurement.reversed)
    #expect(reversal.measurement.net.steps == -20 && reversal.measurement.uncertainty == Grams(0.25))
    #expect(reversal.source == .mqtt)
    #expect(throws: JournalError.nothingToVoid(path: ":memory:")) { try journal.record(void, at: moment(4)) }
    let history = try journal.history(since: nil)
    #expect(history.map(\.record.id) == [first.id, second.id, reversal.id])
    #expect(history.map(\.voidedBy) == [nil, reversal.id, nil])
    #expect(try journal.audit().filter { $0.entry.kind == .void }.count == 1)
    #expect(try journal.verify().isClean)
  }

  @Test func theAuditTrailCountsEachKind() throws {
    let folder = try Folder()
    try sample(folder.file())
    try sample(folder.file())
    let journal = Journal.at(folder.file())
    let jug = try #require(ContainerName("jug"))
    try journal.store(jug, tare: Grams(112.5), at: moment(90))
    try journal.store(jug, tare: nil, at: moment(91))
    let audit = try journal.audit()
    for kind in AuditKind.allCases {
      let counters = audit.filter { $0.entry.kind == kind }.map(\.counter)
      #expect(counters == Array(1...max(counters.count, 1)), "\(kind)")
    }
    let counts = Dictionary(grouping: audit, by: \.entry.kind).mapValues(\.count)
    #expect(counts == [.journal: 1, .calibration: 4, .configuration: 4, .zero: 2, .void: 2, .container: 2])
    #expect(
      try journal.history(since: nil).map(\.record.calibrationCounter) == [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4])
    #expect(try journal.verify() == Verification(weighings: 14, audits: 15, faults: []))
  }

  @Test func theSameTermsAreNotNotedTwice() throws {
    let folder = try Folder()
    for _ in 1...3 {
      try Journal.at(folder.file()).begin(configurationHash: "a", calibrationHash: "b", at: moment())
    }
    #expect(try Journal.at(folder.file()).audit().count == 3)
  }
}
