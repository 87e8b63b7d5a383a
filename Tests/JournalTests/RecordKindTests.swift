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
      let (record, standing) = try journal.append(relabel(label), at: moment(3 + Double(number)))
      last = standing
      #expect(record.kind == .relabel && record.label == label && record.voids == nil)
      #expect(record.measurement.net.steps == 0 && record.measurement.uncertainty == nil)
      #expect(last?.label == label && last?.sequence == 2 && last?.id == record.amends)
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
    ("taken for the first version", "UPDATE weighings SET version = NULL"),
    ("taken for a later version", "UPDATE weighings SET version = 3"),
    (
      "taken for the first version with all its columns",
      "UPDATE weighings SET version = NULL, kind = NULL, amends = NULL, pieces = NULL, clock = NULL"
    ),
  ]) func tamperingWithAKindIsFound(_ name: String, _ sql: String) throws {
    let folder = try Folder()
    try sample(folder.file())
    _ = try Journal.at(folder.file()).record(relabel("rye"), at: moment(99), clock: .synchronised)
    try tamper(folder.file(), sql)
    let faults = try Journal.reader(path: folder.file(), logger: quiet).verify().faults
    #expect(faults.contains { $0.kind == .altered }, "\(faults)")
  }

  // MARK: The first version

  /// Every value of the columns that the first version had, with the hashes.
  private func firstColumns(_ path: String) throws -> [[DatabaseValue]] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      try [
        "position, sequence, id, time_ns, gross_g, tare_g, net_g, division_g, uncertainty_g, label, source, "
          + "calibration, calibration_counter, configuration_hash, voids, hash FROM weighings", "* FROM audit",
      ].flatMap {
        try Row.fetchAll(db, sql: "SELECT \($0) ORDER BY position").map { Array($0.databaseValues) }
      }
    }
  }

  @Test func aReaderOfTheFirstVersionChangesNothing() throws {
    let folder = try Folder()
    try FirstVersionJournal.write(to: folder.file())
    let bytes = try Bytes.read(folder.file())
    let reader = Journal.reader(path: folder.file(), logger: quiet)
    #expect(try reader.verify() == Verification(weighings: 7, audits: 7, faults: []))
    #expect(
      try reader.history(since: nil).map { $0.record.measurement.net.description } == [
        "100", "-100", "100", "375.9", "375.9", "-375.9", "375.9",
      ])
    #expect(try reader.history(since: nil).map(\.record.kind.rawValue).count { $0 == "void" } == 2)
    #expect(try reader.lastStanding()?.sequence == 7)
    #expect(try Bytes.read(folder.file()) == bytes && folder.names == ["grampad.db"])
  }

  @Test func aJournalOfTheFirstVersionGoesOn() throws {
    let folder = try Folder()
    let path = folder.file()
    try FirstVersionJournal.write(to: path)
    let before = try firstColumns(path)
    let old = try Journal.reader(path: path, logger: quiet).history(since: nil).map(\.record)
    do {
      let journal = Journal.at(path)
      #expect(try journal.history(since: nil).map(\.record) == old)
      #expect(old.allSatisfy { $0.clock == nil && $0.amends == nil && $0.measurement.pieces == nil })
      #expect(try journal.record(voiding(.id(old[3].id)), at: moment(1)).measurement == old[3].measurement.reversed)
      #expect(throws: JournalError.nothingToVoid(path: path)) {
        try journal.record(voiding(.id(old[4].id)), at: moment(2))
      }
      #expect(throws: JournalError.unknownWeighing(path: path)) {
        try journal.record(voiding(.id(old[5].id)), at: moment(2))
      }
      _ = try journal.record(relabel("rye"), at: moment(3))
      #expect(try journal.verify() == Verification(weighings: 9, audits: 8, faults: []))
      #expect(try journal.lastStanding()?.label == "rye")
    }
    let after = try firstColumns(path)
    #expect(Array(after.prefix(7)) == Array(before.prefix(7)))
    #expect(before.suffix(7).allSatisfy(after.contains))
    let total = try Journal.reader(path: path, logger: quiet).history(since: nil)
      .map(\.record.measurement.net.mass.value).reduce(0, +)
    #expect((total - 475.9).magnitude < 1e-9)
  }

  @Test(arguments: [
    "net_g = 1", "label = 'x'", "kind = 'void'", "clock = 'synchronised'", "version = 2", "version = 1",
  ])
  func aRecordOfTheFirstVersionIsGuarded(_ change: String) throws {
    let folder = try Folder()
    try FirstVersionJournal.write(to: folder.file())
    try Journal.at(folder.file()).open()
    try tamper(folder.file(), "UPDATE weighings SET \(change) WHERE sequence = 3")
    let faults = try Journal.reader(path: folder.file(), logger: quiet).verify().faults
    #expect(faults.first?.kind == .altered && faults.first?.sequence == 3, "\(faults)")
  }
}
