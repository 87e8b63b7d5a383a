import CSimulatedDisk
import Foundation
import Glibc
import Recordings
import TestExtent
import Testing
import Weighing

@testable import Journal

/// Below SQLite, calls fail at random, the process is killed and the power fails, in the middle of any change to the database, its log and
/// its mark: what was confirmed is recorded once, and what was rejected is not, or is reversed with an event.
@Suite struct FailingDiskTests {
  /// What the journal has answered.
  private struct Answers {
    /// The commands that were confirmed, by the id of their record.
    var confirmed: [WeighingID: (command: Int, record: RecordedWeighing)] = [:]
    var rejected: Set<Int> = []
    /// The commands without an answer, because the disk stopped.
    var unanswered: Set<Int> = []
    var recoveries: Set<JournalRecovery> = []
    var losses: [JournalLoss] = []
    /// What was read to be published.
    var published: Set<WeighingID> = []
    var kills = 0
    var powerCuts = 0
  }

  /// A disk, and a journal on it from start to start.
  private final class Life {
    private let disk: Int32
    private var random: SplitMix64
    private(set) var answers = Answers()
    private var command = 0
    /// The number of answers at the last damage.
    private var confirmedBefore = 0

    init(_ place: Int) {
      disk = Int32(place)
      let seed = FailingDiskTests.seed(place)
      random = SplitMix64(seed: seed)
      simulated_disk_reset(disk, seed, place % 8 < 4 ? 512 : 4096)
    }

    var path: String { "\(SIMULATED_DISK_ROOT)\(disk)/journal.db" }

    /// Executes commands until the disk stops, and starts it again.
    ///
    /// - Parameter isDamaged: Whether something else then changes a file.
    func run(_ faults: simulated_disk_faults, isDamaged: Bool = false) {
      simulated_disk_set_faults(disk, faults)
      simulated_disk_stop_after(disk, UInt32.random(in: 1...600, using: &random))
      do {
        let journal = open()
        while !simulated_disk_is_stopped(disk) { execute(journal) }
      }
      simulated_disk_set_faults(disk, simulated_disk_faults())
      let isKilled = Bool.random(using: &random)
      if isKilled { answers.kills += 1 } else { answers.powerCuts += 1 }
      simulated_disk_restart(disk, isKilled ? SIMULATED_DISK_KILLED : SIMULATED_DISK_POWER_CUT)
      // Two damages, and nothing recorded in between, can remove all that is known of the first.
      if isDamaged, answers.confirmed.count > confirmedBefore { damage() }
      // Somebody looks at the copies, and removes them.
      let names = (0..<48).compactMap { simulated_disk_name(disk, $0).map { String(cString: $0) } }
      for name in names where name.contains(".corrupt-") || name.contains(".incomplete-") {
        unlink("\(SIMULATED_DISK_ROOT)\(disk)/\(name)")
      }
    }

    /// Inverts bits of a file, or removes it.
    private func damage() {
      confirmedBefore = answers.confirmed.count
      let suffix = [".db", "-wal", "-mark"].randomElement(using: &random) ?? ""
      if Bool.random(using: &random) {
        simulated_disk_flip(disk, suffix, UInt32.random(in: 1...16, using: &random))
      } else {
        for end in suffix == ".db" ? ["", "-wal"] : [suffix] { unlink(path + end) }
      }
    }

    private func execute(_ journal: Journal) {
      command += 1
      let result = Result { () throws(JournalError) in
        try journal.record(FailingDiskTests.draft(command), at: FailingDiskTests.time(command))
      }
      guard !simulated_disk_is_stopped(disk) else {
        answers.unanswered.insert(command)
        return
      }
      switch result {
      case .success(let record):
        answers.confirmed[record.id] = (command, record)
        // As the appliance does: a broker has acknowledged it, and the log is emptied now and then.
        if command % 3 == 0 { try? journal.delivered([record.sequence]) }
      case .failure: answers.rejected.insert(command)
      }
      if command % 40 == 0 { _ = try? journal.checkpoint() }
      if command % 5 == 0 { publish(journal) }
      collectIncidents(journal)
    }

    /// Reads what is published at once or after a request.
    private func publish(_ journal: Journal) {
      var records = (try? journal.pending(after: 0, limit: 3)) ?? []
      if let last = try? journal.lastStanding() { records.append(last) }
      let sequence = journal.sequence ?? 0
      records += ((try? journal.page(after: sequence - 2, through: nil, count: 2))?.entries ?? []).map(\.record)
      answers.published.formUnion(records.map(\.id))
    }

    private func collectIncidents(_ journal: Journal) {
      for incident in journal.removeIncidents() {
        switch incident {
        case .recovery(let recovery): answers.recoveries.insert(recovery)
        case .loss(let loss): answers.losses.append(loss)
        }
        try? journal.markIncidentsAnnounced()
      }
    }

    /// A journal that does the same each time.
    private func open() -> Journal {
      let time = FailingDiskTests.time(command)
      let journal = Journal(.file(path), identifiers: .derived, clock: { time }, logger: quiet)
      journal.recordExclusively()
      return journal
    }

    /// Verifies and reads the journal on a sound disk. One that turns out to be damaged is read once more, then moved aside, and the
    /// next one read.
    func finish() throws -> (Journal, Verification, [RecordedWeighing]) {
      let journal = open()
      var left = 8
      while true {
        do throws(JournalError) {
          try journal.open()
          let found = (journal, try journal.verify(), try journal.history(since: nil).map(\.record))
          collectIncidents(journal)
          return found
        } catch {
          left -= 1
          guard left > 0 else { throw error }
        }
      }
    }
  }

  private static let rounds = Extent.isFull ? 1000 : 100
  /// Other seeds than usual, for a long run: each number chooses 28 others.
  private static let batch = ProcessInfo.processInfo.environment["GRAMPAD_DISK_BATCH"].flatMap { UInt64($0) } ?? 0

  private static func seed(_ place: Int) -> UInt64 { batch * 28 + UInt64(place) }

  @Test(.timeLimit(.minutes(60)), arguments: 0..<16) func whatIsConfirmedIsRecordedAndNothingElse(place: Int) throws {
    simulated_disk_skip_waits(true)
    defer { simulated_disk_skip_waits(false) }
    let life = Life(place)
    var faults = simulated_disk_faults()
    for round in 1...Self.rounds {
      // Nothing else fails; or a call now and then; or so often that more trouble is met than work done; or syncs; or both.
      faults.disturbances = [0, 3000, 500, 0, 1000][round % 5]
      faults.failed_syncs = [0, 0, 0, 30, 3][round % 5]
      life.run(faults)
    }
    let (journal, verification, records) = try life.finish()
    #expect(verification.faults == [])
    #expect(verification.losses == [])
    let answers = life.answers
    try check(journal, records, answers)
    print(
      "seed \(Self.seed(place)): \(answers.confirmed.count) confirmed, \(answers.rejected.count) rejected, "
        + "\(answers.unanswered.count) without an answer, \(answers.recoveries.count) reversed, \(answers.kills) kills, "
        + "\(answers.powerCuts) power cuts")
    #expect(answers.confirmed.count > Self.rounds && answers.rejected.count > Self.rounds / 10)
  }

  @Test(.timeLimit(.minutes(60)), arguments: 16..<24) func whatIsLostOrAlteredIsSaid(place: Int) throws {
    simulated_disk_skip_waits(true)
    defer { simulated_disk_skip_waits(false) }
    let life = Life(place)
    for round in 1...Self.rounds { life.run(simulated_disk_faults(), isDamaged: round % 3 == 0) }
    let (_, verification, records) = try life.finish()
    let found = Dictionary(grouping: records, by: \.id)
    #expect(found.values.allSatisfy { $0.count == 1 }, "an identifier is there once")
    var missing = 0
    for (id, answer) in life.answers.confirmed where found[id]?.first != answer.record {
      missing += 1
      let isSaid =
        life.answers.losses.contains { ($0.from...$0.to).contains(answer.record.sequence) }
        || verification.faults.contains { $0.sequence == answer.record.sequence }
      #expect(isSaid, "\(answer) is missing or altered")
    }
    let numbers = life.answers.confirmed.values.map(\.record.sequence)
    #expect(Set(numbers).count == numbers.count, "no number is assigned twice")
    print(
      "seed \(Self.seed(place)): \(numbers.count) confirmed, \(missing) missing, \(life.answers.losses.count) losses, "
        + "\(verification.faults.count) faults")
    #expect(missing > 0)
  }

  /// A disk that reports a flush before anything is written can lose what was confirmed together with the mark: nothing tells of it then.
  /// What it keeps is as it was confirmed, and the journal goes on.
  @Test(.timeLimit(.minutes(60)), arguments: 24..<28) func whatALyingDiskKeepsIsUnaltered(place: Int) throws {
    simulated_disk_skip_waits(true)
    defer { simulated_disk_skip_waits(false) }
    let life = Life(place)
    var faults = simulated_disk_faults()
    for round in 1...Self.rounds {
      faults.lies = round % 2 == 0
      life.run(faults)
    }
    let (journal, _, records) = try life.finish()
    let answers = life.answers
    for record in records {
      guard let answer = answers.confirmed[record.id] else { continue }
      #expect(record == answer.record, "it is altered")
    }
    let kept = records.filter { answers.confirmed[$0.id] != nil }.count
    print("seed \(Self.seed(place)): \(answers.confirmed.count) confirmed, \(kept) kept")
    // All can be lost, but not what the disk has really written from now on.
    #expect(kept < answers.confirmed.count)
    let next = try journal.record(Self.draft(0), at: Self.time(0))
    #expect(try journal.history(since: nil).map(\.record) == records + [next])
  }

  private func check(_ journal: Journal, _ records: [RecordedWeighing], _ answers: Answers) throws {
    #expect(Set(records.map(\.sequence)) == Set(1...records.count))
    let (reversed, reversals) = (Set(answers.recoveries.map(\.id)), Set(answers.recoveries.map(\.reversal)))
    #expect(reversed.count == answers.recoveries.count, "each is reversed once")
    #expect(Set(try journal.audit().compactMap(\.entry.recovery)) == answers.recoveries, "each has its event")
    let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    for (id, answer) in answers.confirmed {
      #expect(byID[id] == answer.record && !reversed.contains(id), "\(answer) was confirmed")
    }
    #expect(answers.published.isSubset(of: byID.keys), "what was published is recorded")
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

  private static func draft(_ number: Int) -> WeighingDraft {
    let gram = Division.gram
    func mass(_ grams: Int) -> DisplayedMass { DisplayedMass(steps: grams, division: gram) }
    let measurement = Weighing.Measurement(
      gross: mass(number % 300 + 20), tare: mass(20), net: mass(number % 300), uncertainty: Grams(0.3),
      calibration: .user)
    let kind: WeighingDraft.Kind =
      switch number % 20 {
      case 7: .void(.last)
      case 13: .relabel(.last)
      default: .weighing(measurement)
      }
    return WeighingDraft(
      request: ActionRequest(action: .commit, source: .mqtt), kind: kind, label: "\(number)", time: time(number))
  }

  private static func time(_ number: Int) -> Instant {
    Instant(nanoseconds: 1_767_225_600_000_000_000 + Int64(number) * 1_000_000_000)
  }
}
