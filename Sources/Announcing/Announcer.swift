import Linux
import Logging
import Synchronization
import Weighing

/// Announces services on the network through avahi-daemon, which may be missing, start later, restart or hang.
///
/// Calls of Avahi's library block until the daemon answers, so that they are made on a thread of its own, which exists from the
/// first announcement on. It sleeps while nothing changes.
package final class Announcer: Sendable {
  private let worker = Worker<[Announcement]>("dns-sd")
  private let isStarted = Mutex(false)
  private let logger: Logger

  /// How long `stop` waits for the daemon to withdraw the announcements; chosen. It withdraws them too when the process ends,
  /// so that a shorter time only leaves more to that. A longer one delays the end when the daemon hangs.
  private static let patience = Interval.milliseconds(500)

  /// Makes an announcer without a thread.
  package init(logger: Logger) { self.logger = logger }

  /// Announces these services instead of the former ones; never waits.
  package func announce(_ announcements: [Announcement]) {
    worker.send(announcements, replacingLastIf: { _ in true })
    let isFirst = isStarted.withLock { isStarted in
      defer { isStarted = isStarted || !announcements.isEmpty }
      return !isStarted && !announcements.isEmpty
    }
    guard isFirst else { return }
    worker.start { [logger] inbox in
      AvahiSession(wokenBy: inbox.descriptor, logger: logger)?.run(inbox)
    }
  }

  /// Withdraws everything; returns after that, but soon also if the daemon hangs.
  package func stop() { worker.stop(within: Self.patience) }
}
