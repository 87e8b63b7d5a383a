import Weighing

/// Sends watchdog keep-alives while the weighing loop is running.
///
/// It belongs to the loop's thread and is triggered only there: if the loop hangs, the keep-alives stop and the service
/// manager restarts the program. Without a watchdog it has no deadline, and an idle loop keeps sleeping.
struct Watchdog {
  /// When the next keep-alive is due; `nil` without a watchdog.
  private(set) var nextDeadline: Instant?
  private let report: ServiceReport
  private var hasBegun = false

  /// Makes a watchdog that uses a service report.
  init(_ report: ServiceReport) { self.report = report }

  /// Records that the loop is running; call it in each round.
  mutating func feed(at now: Instant) {
    if !hasBegun {
      hasBegun = true
      report.markReady(.loop)
    }
    guard let interval = report.interval, nextDeadline.map({ $0 <= now }) ?? true else { return }
    report.feedWatchdog()
    nextDeadline = now + interval
  }
}
