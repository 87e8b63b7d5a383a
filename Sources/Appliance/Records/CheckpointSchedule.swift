import Journal
import Weighing

/// Schedules checkpoints of the write-ahead log: soon after the last change, so that a copy of the database file alone
/// is complete, but not so often that it wears out a memory card.
struct CheckpointSchedule: Sendable {
  /// When the next checkpoint is due; `nil` while the file is complete.
  private(set) var nextDeadline: Instant?
  private var firstChange: Instant?

  /// Delay after the last change.
  private static let quiet = Interval.milliseconds(500)
  /// Interval under continuous load.
  private static let longest = Interval.seconds(5)

  /// Schedules a checkpoint after the journal may have changed.
  mutating func journalChanged(at now: Instant) {
    firstChange = firstChange ?? now
    nextDeadline = min(now + Self.quiet, (firstChange ?? now) + Self.longest)
  }

  /// Runs a checkpoint if it is due.
  mutating func work(on journal: Journal, at now: Instant) {
    guard let deadline = nextDeadline, deadline <= now else { return }
    // Does not wait for a reader with an old snapshot; a failure shows with the next record.
    let isDone = (try? journal.checkpoint()) ?? true
    firstChange = nil
    nextDeadline = isDone ? nil : now + Self.longest
  }
}
