import Journal
import Weighing

/// When the journal's log is brought into its database file: soon after the last change, so that a copy of that file alone
/// has everything, and not so often that it wears out a memory card.
struct CheckpointSchedule: Sendable {
  /// When the next one is due; `nil` while the file has everything.
  private(set) var nextDeadline: Instant?
  private var firstChange: Instant?

  /// After this time without work.
  private static let quiet = Interval.milliseconds(500)
  /// Under work without a pause.
  private static let longest = Interval.seconds(5)

  /// Takes note that the journal may have changed.
  mutating func noteWork(at now: Instant) {
    firstChange = firstChange ?? now
    nextDeadline = min(now + Self.quiet, (firstChange ?? now) + Self.longest)
  }

  /// Does what is due.
  mutating func work(on journal: Journal, at now: Instant) {
    guard let deadline = nextDeadline, deadline <= now else { return }
    // A reader that holds an old state is not waited for, and a fault shows with the next record.
    let isDone = (try? journal.checkpoint()) ?? true
    firstChange = nil
    nextDeadline = isDone ? nil : now + Self.longest
  }
}
