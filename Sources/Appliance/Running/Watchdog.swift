import Weighing

/// Shows the service manager that the weighing loop goes round, from the first time on.
///
/// It belongs to the loop's thread and is fed nowhere else: a loop that hangs is silent, and the service manager starts
/// the program anew. When nobody watches it has no deadline, and an idle loop sleeps on.
struct Watchdog {
  /// When it is to be fed next; `nil` when nobody watches.
  private(set) var nextDeadline: Instant?
  private let report: ServiceReport
  private var hasBegun = false

  /// Makes one that is fed through a report.
  init(_ report: ServiceReport) { self.report = report }

  /// Takes note that the loop goes round; to be called in each round.
  mutating func feed(at now: Instant) {
    if !hasBegun {
      hasBegun = true
      report.note(.loop)
    }
    guard let interval = report.interval, nextDeadline.map({ $0 <= now }) ?? true else { return }
    report.feedWatchdog()
    nextDeadline = now + interval
  }
}
