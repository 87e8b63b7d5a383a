import Foundation
import TestExtent
import Testing
import Weighing

@testable import Journal

/// Opening, reading, writing, truncating and flushing the database, its log and its mark fail at random below SQLite, and the process
/// is killed at random: what was confirmed is recorded once, and what was rejected is not, or is reversed with an event.
@Suite struct FailingDiskTests {
  /// What a run of commands has said.
  private struct Answers {
    /// The commands that were confirmed, by the id of their record.
    var confirmed: [WeighingID: (command: Int, sequence: Int)] = [:]
    var rejected: Set<Int> = []
    /// The commands without an answer, because the process was killed.
    var unanswered: Set<Int> = []
    var recoveries: Set<JournalRecovery> = []
    var failures = 0
    var kills = 0

    /// The number of the last command that was begun; 0 before the first.
    mutating func add(_ output: String, wasKilled: Bool) -> Int {
      var begun = 0
      var isAnswered = true
      for line in output.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first.flatMap { Int($0) }, words[1]) {
        case (let command?, "begin"): (begun, isAnswered) = (command, false)
        case (let command?, "ok"):
          isAnswered = true
          if let id = WeighingID(words[2]) { confirmed[id] = (command, Int(words[3]) ?? 0) }
        case (let command?, "no"):
          isAnswered = true
          rejected.insert(command)
        case (nil, _) where words[0] == "recovered":
          if let id = WeighingID(words[1]), let reversal = WeighingID(words[3]) {
            recoveries.insert(JournalRecovery(id: id, sequence: Int(words[2]) ?? 0, reversal: reversal))
          }
        case (nil, let count): failures += Int(count) ?? 0
        default: Issue.record("\(line)")
        }
      }
      if wasKilled { kills += 1 }
      if !isAnswered { unanswered.insert(begun) }
      return begun
    }
  }

  private static let commands = Extent.isFull ? 25_000 : 1500

  @Test(.timeLimit(.minutes(60)), arguments: 1...4) func whatIsConfirmedIsRecordedAndNothingElse(seed: Int) throws {
    let folder = try Folder()
    let path = folder.file()
    var answers = Answers()
    var (next, start) = (1, 0)
    while next <= Self.commands {
      start += 1
      let last = min(next + 499, Self.commands)
      // Every second process meets more trouble than it gets work done.
      let disturbances = start % 2 == 0 ? 2000 : 300
      let (output, wasKilled) = try run([path, seed * 100_000 + start, next, last, disturbances, 500])
      next = max(answers.add(output, wasKilled: wasKilled) + 1, next)
    }
    let journal = Journal.at(path)
    journal.recordExclusively()
    try journal.open()
    for case .recovery(let recovery) in journal.removeIncidents() { answers.recoveries.insert(recovery) }
    try check(journal, answers)
    let (confirmed, rejected) = (answers.confirmed.count, answers.rejected.count)
    print(
      "seed \(seed): \(confirmed) confirmed, \(rejected) rejected, \(answers.unanswered.count) without an answer, "
        + "\(answers.recoveries.count) reversed, \(answers.failures) or more calls failed, \(answers.kills) kills")
    #expect(confirmed > Self.commands / 3 && rejected > Self.commands / 20 && answers.kills > 2)
  }

  private func check(_ journal: Journal, _ answers: Answers) throws {
    let verification = try journal.verify()
    #expect(verification.faults == [] && verification.losses == [])
    let records = try journal.history(since: nil).map(\.record)
    #expect(Set(records.map(\.sequence)) == Set(1...records.count))
    let (reversed, reversals) = (Set(answers.recoveries.map(\.id)), Set(answers.recoveries.map(\.reversal)))
    #expect(reversed.count == answers.recoveries.count, "each is reversed once")
    #expect(Set(try journal.audit().compactMap(\.entry.recovery)) == answers.recoveries, "each has its event")
    let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    for (id, answer) in answers.confirmed {
      #expect(byID[id]?.sequence == answer.sequence && !reversed.contains(id), "\(answer) was confirmed")
    }
    var surplus = 0
    for record in records where !reversed.contains(record.id) && !reversals.contains(record.id) {
      if answers.confirmed[record.id] != nil { continue }
      surplus += 1
      guard record.kind != .void, let command = record.label.flatMap({ Int($0) }) else { continue }
      #expect(answers.unanswered.contains(command), "\(record) was not confirmed")
    }
    #expect(surplus <= answers.unanswered.count)
    for recovery in answers.recoveries {
      let (found, reversal) = (try #require(byID[recovery.id]), try #require(byID[recovery.reversal]))
      #expect(found.sequence == recovery.sequence && reversal.sequence == found.sequence + 1)
      switch found.kind {
      case .weighing: #expect(reversal.voids == found.id)
      case .void: #expect(reversal.measurement == byID[try #require(found.voids)]?.measurement)
      case .relabel: #expect(reversal.amends == found.amends)
      }
    }
  }

  /// Runs the probe to its end; returns what it has printed, and whether it was killed.
  private func run(_ arguments: [Any]) throws -> (output: String, wasKilled: Bool) {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appending(path: "journalprobe")
    process.arguments = arguments.map { "\($0)" }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let wasKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    try #require(wasKilled || process.terminationStatus == 0, "status \(process.terminationStatus)")
    return (String(decoding: text, as: UTF8.self), wasKilled)
  }
}
