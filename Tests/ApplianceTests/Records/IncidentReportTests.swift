import Foundation
import Journal
import Logging
import MQTTLink
import Messages
import Synchronization
import Testing
import Weighing

@testable import Appliance

/// A loss is reported until a broker has accepted the report, at later connections and at later starts.
@Suite struct IncidentReportTests {
  private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  private static let message = Message(topic: "p/i/event", payload: Array("{}".utf8), delivery: .assured)

  @Test func isPublishedUntilItIsAccepted() throws {
    let path = FileManager.default.temporaryDirectory.path + "/grampad-\(UUID()).db"
    defer { for end in ["", "-wal", "-shm", "-mark"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let journal = Journal(.file(path), logger: Self.quiet)
    try journal.open()
    try journal.skip(to: 5, reason: "seen elsewhere", keptAside: nil, at: Instant(nanoseconds: 1))

    let sent = Mutex<[UInt64]>([])
    var errors = JournalErrors(logger: Self.quiet)
    var report = IncidentReport(path: path, logger: Self.quiet) { _, token in
      sent.withLock { $0.append(token) }
      return .accepted
    }
    func work() -> Int {
      var found = 0
      report.work(journal, &errors) { _ in found += 1 }
      return found
    }
    #expect(work() == 1)
    report.announce(Self.message)
    #expect(work() == 0 && sent.withLock { $0.isEmpty }, "no connection")

    report.connect()
    _ = work()
    _ = work()
    let token = try #require(sent.withLock { $0.first })
    #expect(sent.withLock { $0.count } == 1, "once in a connection")
    report.acknowledge(token, .notAuthorized)
    _ = work()
    #expect(sent.withLock { $0.count } == 1, "a refusal is not answered at once")

    // Lost before it was acknowledged, then accepted.
    for count in 2...3 {
      report.disconnect()
      report.connect()
      _ = work()
      #expect(sent.withLock { $0 } == Array(repeating: token, count: count))
    }
    try #expect(isReportedAtTheNextStart(path))
    report.acknowledge(token, .success)
    _ = work()
    try #expect(!isReportedAtTheNextStart(path))
    #expect(errors.current == nil)
  }

  private func isReportedAtTheNextStart(_ path: String) throws -> Bool {
    let journal = Journal(.file(path), logger: Self.quiet)
    try journal.open()
    defer { journal.close() }
    return !journal.removeIncidents().isEmpty
  }
}
