import Foundation
import Journal
import Logging
import Testing
import Weighing

@testable import Appliance

/// While the journal cannot be written, the latest change of each container or learned stop waits, and no more.
@Suite struct NamedStoreTests {
  private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private static func name(_ number: Int) throws -> ContainerName { try #require(ContainerName("c\(number)")) }

  private static func journal() throws -> Journal {
    let journal = Journal(.memory, logger: quiet)
    try journal.open()
    return journal
  }

  @Test func removalsOfWhatIsNotOnDiskDoNotWait() throws {
    let journal = try Self.journal()
    try journal.store(Self.name(0), tare: Grams(1), at: Instant(nanoseconds: 1))
    var store = NamedStore<Container>()
    #expect(try store.restore(from: journal).map(\.name) == [Self.name(0)])
    for number in 1...1000 {
      store.append(try Container(name: Self.name(number), tare: Grams(10)), at: Instant(nanoseconds: 2))
      store.append(try Self.name(number), nil, at: Instant(nanoseconds: 3))
    }
    #expect(!store.isPending)
    store.append(try Self.name(0), nil, at: Instant(nanoseconds: 4))
    store.append(try Container(name: Self.name(5), tare: Grams(20)), at: Instant(nanoseconds: 5))
    store.append(try Container(name: Self.name(5), tare: Grams(30)), at: Instant(nanoseconds: 6))
    #expect(store.pendingCount == 2)

    var errors = JournalErrors(logger: Self.quiet)
    store.store(in: journal, &errors)
    #expect(!store.isPending && errors.current == nil)
    #expect(try journal.containers() == [Container(name: Self.name(5), tare: Grams(30))])
    // What was just stored is on disk, so that its removal waits.
    store.append(try Self.name(5), nil, at: Instant(nanoseconds: 7))
    store.store(in: journal, &errors)
    #expect(try journal.containers().isEmpty)
  }

  @Test func removalsAreLimitedBeforeTheJournalWasRead() throws {
    var store = NamedStore<Container>()
    for number in 0..<1000 {
      store.append(try Container(name: Self.name(number), tare: Grams(10)), at: Instant(nanoseconds: 2))
      store.append(try Self.name(number), nil, at: Instant(nanoseconds: 3))
    }
    #expect(store.pendingCount == Container.maximumStored)
    let journal = try Self.journal()
    for number in [10, 999] { try journal.store(Self.name(number), tare: Grams(1), at: Instant(nanoseconds: 1)) }
    var errors = JournalErrors(logger: Self.quiet)
    store.store(in: journal, &errors)
    #expect(try journal.containers().map(\.name) == [Self.name(10)], "the newest removals are kept")
  }

  @Test func aNewFileGetsWhatWasAddedBeforeTheFirstWasRead() throws {
    var store = NamedStore<Container>()
    for number in [1, 2] {
      store.append(try Container(name: Self.name(number), tare: Grams(10)), at: Instant(nanoseconds: 2))
    }
    store.append(try Self.name(3), nil, at: Instant(nanoseconds: 2))
    let first = try Self.journal()
    for number in [2, 3, 4] { try first.store(Self.name(number), tare: Grams(1), at: Instant(nanoseconds: 1)) }
    _ = try store.restore(from: first)
    var errors = JournalErrors(logger: Self.quiet)
    store.store(in: first, &errors)
    let second = try Self.journal()
    _ = try store.restore(from: second)
    store.repeatStore(at: Instant(nanoseconds: 3))
    store.store(in: second, &errors)
    let expected = try [(4, 1.0), (1, 10), (2, 10)].map { try Container(name: Self.name($0), tare: Grams($1)) }
    #expect(try second.containers() == expected)
  }

  @Test func aNewFileGetsTheContainersAndNoRemovals() throws {
    let journal = try Self.journal()
    for number in 0..<2 { try journal.store(Self.name(number), tare: Grams(1), at: Instant(nanoseconds: 1)) }
    var store = NamedStore<Container>()
    _ = try store.restore(from: journal)
    store.append(try Self.name(0), nil, at: Instant(nanoseconds: 2))
    store.repeatStore(at: Instant(nanoseconds: 3))
    #expect(store.pendingCount == 1)
    let fresh = try Self.journal()
    var errors = JournalErrors(logger: Self.quiet)
    store.store(in: fresh, &errors)
    #expect(try fresh.containers().map(\.name) == [Self.name(1)])
  }

  @Test func learnedStopsAreStoredAndForgotten() throws {
    func stop(_ label: String, _ flow: Double) -> LearnedStop {
      LearnedStop(label: label, samples: [.init(flow: flow, arrived: Grams(1))])
    }
    let journal = try Self.journal()
    try journal.store(stop("old", 1))
    var store = NamedStore<LearnedStop>()
    #expect(try store.restore(from: journal) == [stop("old", 1)])
    store.append(stop("", 2), at: Instant(nanoseconds: 2))
    store.append(stop("", 3), at: Instant(nanoseconds: 3))
    store.append("old", nil, at: Instant(nanoseconds: 4))
    store.append("other", nil, at: Instant(nanoseconds: 5))
    #expect(store.pendingCount == 2)
    var errors = JournalErrors(logger: Self.quiet)
    store.store(in: journal, &errors)
    #expect(try journal.learnedStops() == [stop("", 3)])
    store.repeatStore(at: Instant(nanoseconds: 6))
    let fresh = try Self.journal()
    store.store(in: fresh, &errors)
    #expect(try fresh.learnedStops() == [stop("", 3)])
  }
}

extension NamedStore {
  fileprivate mutating func append(_ item: Item, at time: Instant) { append(item.name, item, at: time) }
}
