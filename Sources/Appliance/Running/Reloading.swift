import Configuration
import Linux
import Logging
import Weighing

/// Reloads the configuration on SIGHUP, on request, and whenever its file, the settings file or the calibration file it
/// refers to is saved, until the appliance is to end.
///
/// Signals within a second of a reload are combined into one more reload at the end of that second, so that a flood of
/// signals costs at most one reload and one log line a second.
struct Reloading: ~Copyable {
  /// The cause of a reload.
  enum Reason: Sendable {
    /// SIGHUP.
    case signal
    /// The file was saved.
    case save
  }

  private var file: ConfigurationFile?
  private let requests: ReloadRequests
  private let report: ServiceReport
  private let logger: Logger
  private let onReload: (Result<Configuration, ConfigurationError>, Reason) -> Void
  private let poller = Poller()
  private var watches: [Int32: ConfigurationWatch] = [:]
  private var watched: Set<String> = []

  /// Minimum time between two reloads by signal.
  private static let interval = Interval.seconds(1)

  /// - Parameters:
  ///   - file: `nil` if there is nothing to reload.
  ///   - onReload: Applies a reloaded configuration.
  init(
    _ file: ConfigurationFile?, requests: ReloadRequests, report: ServiceReport, logger: Logger,
    onReload: @escaping (Result<Configuration, ConfigurationError>, Reason) -> Void
  ) {
    (self.file, self.requests, self.report, self.logger) = (file, requests, report, logger)
    self.onReload = onReload
  }

  /// Runs until the appliance is to end.
  mutating func run() {
    poller.watch(requests.wake.descriptor, for: .readable)
    watchAll()
    // The file may have been saved between the first reading and now, while it was not watched.
    if file?.hasChanged == true { requests.addSave() }
    var next = Instant.now()
    while !requests.isEnding {
      let now = Instant.now()
      let due = requests.removeDue(withSignals: now >= next)
      if let reason = due.reason { reload(reason, due) }
      if due.signals > 0 { next = now + Self.interval }
      poller.wait(until: requests.hasSignals ? next : nil) { descriptor, _ in
        if descriptor == requests.wake.descriptor {
          requests.wake.lower()
        } else if watches[descriptor]?.drain() == true {
          requests.addSave()
        }
      }
    }
    requests.end()
  }

  private mutating func reload(_ reason: Reason, _ due: ReloadRequests.Due) {
    if due.signals > 1 {
      logger.info("handling several reload signals as one", metadata: ["reload.signals": "\(due.signals)"])
    }
    if var file {
      report.reload { onReload(file.reload(), reason) }
      self.file = file
    }
    watchAll()
    for completion in due.waiting { completion() }
  }

  /// Watches the files. A calibration file may be configured at any time; one that is no longer used stays watched, at the cost
  /// of a check.
  private mutating func watchAll() {
    guard let file else { return }
    for location in file.locations where watched.insert(location).inserted {
      do throws(ConfigurationWatchError) {
        let watch = try ConfigurationWatch(location: location, isOptional: location == file.settingsPath)
        watches[watch.descriptor] = watch
        poller.watch(watch.descriptor, for: .readable)
      } catch {
        logger.warning(
          "cannot watch the configuration file; send SIGHUP to reload it",
          metadata: ["configuration.reason": "\(error)"])
      }
    }
  }
}
