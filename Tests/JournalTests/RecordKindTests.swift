import GRDB
import Testing
import Weighing

@testable import Journal

/// Voids and relabels by identifier, reversing entries, and journals of the first version.
@Suite struct RecordKindTests {
  private func reference(_ record: RecordedWeighing) -> WeighingReference { .id(record.id) }

  @Test func aWeighingIsVoidedByItsIdentifier() throws {
    let journal = Journal(.memory, logger: quiet)
    let first = try journal.record(weighing(10, label: "rye"), at: moment(1))
    let second = try journal.record(weighing(20), at: moment(2))
    let reversal = try journal.record(voiding(reference(first)), at: moment(3), clock: .synchronised)
    #expect(reversal.voids == first.id && reversal.kind == .void && reversal.amends == nil)
    #expect(reversal.measurement == first.measurement.reversed && reversal.clock == .synchronised)
    #expect(try journal.lastStanding() == second)
    #expect(try journal.history(since: nil).map { $0.record.measurement.net.steps }.reduce(0, +) == 20)
    // The last weighing is still the second one.
    #expect(try journal.record(void, at: moment(4)).voids == second.id)
    #expect(try journal.lastStanding() == nil)
    #expect(try journal.verify().faults == [])
  }

  @Test func aWeighingIsNamedByItsNumber() throws {
    let journal = Journal(.memory, logger: quiet)
    let first = try journal.record(weighing(10), at: moment(1))
    _ = try journal.record(weighing(20), at: moment(2))
    #expect(try journal.record(relabel(.sequence(1), "rye"), at: moment(3)).amends == first.id)
    let (reversal, _, subject) = try journal.append(voiding(.sequence(1)), at: moment(4))
    #expect(reversal.voids == first.id && subject == 1)
    #expect(throws: JournalError.nothingToVoid(path: ":memory:")) {
      try journal.record(voiding(.sequence(1)), at: moment(5))
    }
    // The numbers of a relabel and of a void, and one that no record has.
    for number in [3, 4, 5] {
      #expect(throws: JournalError.unknownWeighing(path: ":memory:")) {
        try journal.record(voiding(.sequence(number)), at: moment(5))
      }
    }
  }

  @Test func aRepeatedVoidDoesNotReachAnEarlierWeighing() throws {
    let journal = Journal(.memory, logger: quiet)
    let first = try journal.record(weighing(10), at: moment(1))
    _ = try journal.record(weighing(20), at: moment(2))
    _ = try journal.record(void, at: moment(3))
    for draft in [void, relabel("late"), voiding(.last), relabel(.last, nil)] {
      #expect(throws: JournalError.nothingToVoid(path: ":memory:")) { try journal.record(draft, at: moment(4)) }
    }
    _ = try journal.record(relabel(reference(first), "rye"), at: moment(5))
    #expect(throws: JournalError.nothingToVoid(path: ":memory:")) { try journal.record(void, at: moment(6)) }
    #expect(try journal.history(since: nil).count == 4)
  }

  @Test func whatIsNoWeighingIsUnknown() throws {
    let journal = Journal(.memory, logger: quiet)
    let weighed = try journal.record(weighing(10), at: moment(1))
    let amended = try journal.record(relabel("rye"), at: moment(2))
    let reversal = try journal.record(void, at: moment(3))
    let stranger = WeighingID(time: moment(1), randomness: (1, 2))
    for reference in [WeighingReference.unknown, .id(stranger), reference(amended), reference(reversal)] {
      for draft in [voiding(reference), relabel(reference, "oats")] {
        #expect(throws: JournalError.unknownWeighing(path: ":memory:")) { try journal.record(draft, at: moment(4)) }
      }
    }
    for draft in [voiding(reference(weighed)), relabel(reference(weighed), "oats")] {
      #expect(throws: JournalError.nothingToVoid(path: ":memory:")) { try journal.record(draft, at: moment(5)) }
    }
    #expect(try journal.verify().faults == [])
  }

  /// Newest first, without voided ones, with their current labels; what is voided makes room for an older one.
  @Test func theStandingWeighingsAreListed() throws {
    let journal = Journal(.memory, logger: quiet)
    #expect(try journal.standing(3) == [])
    var weighings = try (1...5).map { try journal.record(weighing($0 * 10, label: "rye"), at: moment(Double($0))) }
    #expect(try journal.standing(3) == Array(weighings[2...].reversed()))
    #expect(try journal.standing(10) == weighings.reversed())
    _ = try journal.record(voiding(reference(weighings[3])), at: moment(6))
    _ = try journal.record(relabel(reference(weighings[1]), "oats"), at: moment(7))
    _ = try journal.record(relabel(nil), at: moment(8))
    (weighings[1].label, weighings[4].label) = ("oats", nil)
    #expect(try journal.standing(3) == [weighings[4], weighings[2], weighings[1]])
    #expect(try journal.standing(1).first == journal.lastStanding())
  }

  @Test func theLatestRelabelCounts() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    let first = try journal.record(weighing(10, label: "rye"), at: moment(1))
    var last = try journal.append(weighing(20), at: moment(2)).lastStanding
    #expect(last?.label == nil)
    for (number, label) in ["oats", "spelt", nil, "=1+1"].enumerated() {
      let (record, standing, subject) = try journal.append(relabel(label), at: moment(3 + Double(number)))
      last = standing
      #expect(record.kind == .relabel && record.label == label && record.voids == nil)
      #expect(record.measurement.net.steps == 0 && record.measurement.uncertainty == nil)
      #expect(last?.label == label && last?.sequence == 2 && last?.id == record.amends && subject == 2)
    }
    _ = try journal.record(relabel(reference(first), nil), at: moment(8))
    let history = try Journal.reader(path: folder.file(), logger: quiet).history(since: nil)
    #expect(history.prefix(2).map(\.label) == [nil, "=1+1"])
    #expect(history.prefix(2).map(\.record.label) == ["rye", nil])
    #expect(history[0].relabelledBy == history[6].record.id && history[1].relabelledBy == history[5].record.id)
    #expect(history.map(\.isStanding) == [true, true, false, false, false, false, false])
    // A void has the label that its weighing was recorded with, so that sums by label come out right.
    #expect(try journal.record(voiding(reference(first)), at: moment(9)).label == "rye")
    #expect(try journal.pending(after: 0, limit: 99).count == 8)
    #expect(try journal.verify().faults == [])
  }

  @Test func piecesAreReversed() throws {
    let journal = Journal(.memory, logger: quiet)
    var draft = weighing(10)
    guard case .weighing(var measurement) = draft.kind else { return }
    measurement.pieces = 7
    draft.kind = .weighing(measurement)
    #expect(try journal.record(draft, at: moment(1)).measurement.pieces == 7)
    #expect(try journal.record(void, at: moment(2)).measurement.pieces == -7)
    #expect(try journal.verify().faults == [])
  }

  @Test(arguments: [
    ("void of another mass", "UPDATE weighings SET net_g = net_g - 1 WHERE kind = 'void'"),
    ("relabel with a mass", "UPDATE weighings SET net_g = 1 WHERE kind = 'relabel'"),
    ("void made a weighing", "UPDATE weighings SET voids = NULL, kind = 'weighing' WHERE kind = 'void'"),
    ("taken for a later version", "UPDATE weighings SET version = 2"),
  ]) func tamperingWithAKindIsFound(_ name: String, _ sql: String) throws {
    let folder = try Folder()
    try sample(folder.file())
    _ = try Journal.at(folder.file()).record(relabel("rye"), at: moment(99), clock: .synchronised)
    try tamper(folder.file(), sql)
    let faults = try Journal.reader(path: folder.file(), logger: quiet).verify().faults
    #expect(faults.contains { $0.kind == .altered }, "\(faults)")
  }

  /// Made by another program: what is hashed is a promise to everyone who verifies a journal.
  @Test func theHashIsThatOfTheColumns() {
    let audit = ChainLink(
      table: .audit,
      values: [.integer(1), .integer(0), .integer(200_000_000)]
        + [ColumnValue("journal"), ColumnValue(1), ColumnValue(#"{"begun":true}"#)])
    let first = audit.hash(after: .zero)
    #expect(first.text == "cb85c64ba9c2ff09126ee4ac038b12b2043e0136be74e00431ac9e820b2879f0")
    let record = RecordedWeighing(
      ChainLink(
        table: .weighings,
        values: [
          ColumnValue(2), ColumnValue(1), ColumnValue("00000000-04b0-722f-a3a6-a81d599b520a"), .integer(1_200_000_000),
          ColumnValue(100.0), ColumnValue(0.0), ColumnValue(100.0), ColumnValue(1.0), .null, ColumnValue("Zoë"),
          ColumnValue("command_line"), ColumnValue("nominal"), ColumnValue(1), ColumnValue("34173f67fb2ff937"), .null,
          ColumnValue(1), ColumnValue("weighing"), .null, ColumnValue(7), ColumnValue("synchronised"),
        ]))
    #expect(
      record?.link(position: 2).hash(after: first).text
        == "5972c47d353e3a884a9c3598052519618d2bb8047fb51cbc621c8e4f8d62d294")
  }
}
