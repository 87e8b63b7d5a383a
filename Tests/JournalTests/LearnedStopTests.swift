import GRDB
import Testing
import Weighing

@testable import Journal

/// What was learned about stops, in the journal's file.
@Suite struct LearnedStopTests {
  private static func stop(_ label: String, _ samples: (Double, Double)...) -> LearnedStop {
    LearnedStop(label: label, samples: samples.map { .init(flow: $0, arrived: Grams($1)) })
  }

  @Test func stopsAreReadAgainTheNewestLast() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    #expect(try journal.learnedStops().isEmpty)
    let (beans, none) = (Self.stop("Bohnen \"1\"", (1.5, 0.6), (1.7, -0.1)), Self.stop("", (4, 1.25)))
    try journal.store(beans)
    try journal.store(none)
    #expect(try journal.learnedStops() == [beans, none])
    let better = Self.stop(beans.label, (1.5, 0.6), (1.7, -0.1), (1.6, 0.5))
    try journal.store(better)
    #expect(try Journal.at(folder.file()).learnedStops() == [none, better])
    try journal.store(LearnedStop(label: "", samples: []))
    #expect(try Journal.at(folder.file()).learnedStops() == [better])
    #expect(try journal.verify().isClean)
  }

  @Test func aRowThatIsNoSampleIsOmitted() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.store(Self.stop("a", (2, 1)))
    try tamper(
      folder.file(),
      """
      INSERT INTO learned_stops (label, flow_g_s, arrived_g)
      VALUES ('a', 0, 1), ('a', -1, 1), ('a', 1, 1e99), ('b', 1e99, 1), ('a', 3, 1)
      """)
    #expect(try Journal.at(folder.file()).learnedStops() == [Self.stop("a", (2, 1), (3, 1))])
  }

  /// A journal of the first version is migrated when it is opened for writing, and is clean before and after it.
  @Test func aJournalOfTheFirstVersionIsMigrated() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.begin(configurationHash: "abc", calibrationHash: "def", at: moment())
    journal.close()
    try tamper(
      folder.file(), "DROP TABLE learned_stops; DELETE FROM grdb_migrations WHERE identifier = '2 learned stops'")
    #expect(try Journal.reader(path: folder.file(), logger: quiet).verify().faults == [])
    let old = Journal.at(folder.file())
    try old.store(Self.stop("a", (2, 1)))
    #expect(try old.learnedStops().count == 1)
    #expect(try Journal.reader(path: folder.file(), logger: quiet).verify().faults == [])
  }

  @Test func aMissingTableIsReported() throws {
    let folder = try Folder()
    let journal = Journal.at(folder.file())
    try journal.begin(configurationHash: "abc", calibrationHash: "def", at: moment())
    journal.close()
    try tamper(folder.file(), "DROP TABLE learned_stops")
    #expect(try Journal.reader(path: folder.file(), logger: quiet).verify().faults.map(\.kind) == [.schema])
  }
}
