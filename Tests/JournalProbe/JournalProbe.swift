import CDiskFaults
import Glibc
import Journal
import Logging
import Weighing

/// Records into a journal whose disk fails at random, and says what it was answered; for the tests that kill it.
///
/// `journalprobe FILE SEED FIRST LAST DISTURBANCES KILLS` executes the commands with the numbers from FIRST to LAST: weighings whose
/// label is the number, and now and then a void or a relabel. It prints a line for each, `NUMBER begin` before it and
/// `NUMBER ok ID SEQUENCE` or `NUMBER no` after it, and `recovered ID SEQUENCE REVERSAL` for each event `journal_recovered`. See `disk_faults` for
/// the last two arguments. The last line is `failures COUNT`.
@main
enum JournalProbe {
  static func main() {
    let arguments = CommandLine.arguments
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    guard arguments.count == 7, numbers.count == 5, numbers[1] <= numbers[2] else { exit(64) }
    let journal = Journal(.file(arguments[1]), logger: Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() })
    disk_faults_begin(
      arguments[1],
      disk_faults(seed: UInt64(numbers[0]), disturbances: UInt32(numbers[3]), kills: UInt32(numbers[4])))
    journal.recordExclusively()
    for number in numbers[1]...numbers[2] { execute(number, journal) }
    say("failures \(disk_faults_count())")
  }

  private static func execute(_ number: Int, _ journal: Journal) {
    say("\(number) begin")
    do throws(JournalError) {
      let record = try journal.record(draft(number), at: time(number))
      say("\(number) ok \(record.id) \(record.sequence)")
      // As the appliance does: a broker has acknowledged it, and the log is emptied now and then.
      if number % 3 == 0 { try? journal.delivered([record.sequence]) }
    } catch {
      say("\(number) no")
    }
    if number % 40 == 0 { _ = try? journal.checkpoint() }
    for case .recovery(let recovery) in journal.removeIncidents() {
      say("recovered \(recovery.id) \(recovery.sequence) \(recovery.reversal)")
      try? journal.markIncidentsAnnounced()
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

  /// Prints a line at once: what was said before a kill is read.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
