import Configuration
import Dispatch
import EventLoop
import Logging
import ServiceLifecycle
import UnixSignals
import Weighing

/// Reloads the configuration on SIGHUP, on request, and whenever its file, the settings file or the calibration file it
/// refers to is saved.
///
/// Signals within a second of a reload are combined into one more reload at the end of that second, so that a flood of
/// signals costs at most one reload and one log line a second.
struct Reloading: NamedService {
  let description = "reloading"
  let file: ConfigurationFile
  /// SIGHUP, trapped since the start.
  let hangups: UnixSignalsSequence
  let requests: ReloadRequests
  let report: ServiceReport
  let logger: Logger
  /// Applies a reloaded configuration.
  let onReload: @Sendable (Result<Configuration, ConfigurationError>, Reason) -> Void

  /// The cause of a reload.
  enum Reason: Sendable {
    /// SIGHUP.
    case signal
    /// The file was saved.
    case save
  }

  /// Minimum time between two reloads by signal.
  private static let interval = Interval.seconds(1)

  func run() async throws {
    // Not `cancelOnGracefulShutdown` on each sequence: its tasks do not inherit the executor (SerialTaskExecutor).
    await cancelWhenGracefulShutdown { await reload() }
    requests.end()
  }

  /// Reloads the configuration when it changes or a signal arrives, until the task is cancelled.
  private func reload() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in hangups { requests.addSignal() }
      }
      var file = file
      var watched: Set<String> = []
      // A calibration file may be configured at any time; one that is no longer used stays watched, at the cost of a
      // check.
      func watchAll() {
        for location in file.locations where watched.insert(location).inserted {
          guard let saves = saves(of: location, isOptional: location == file.settingsPath) else { continue }
          group.addTask {
            for await _ in saves { requests.addSave() }
          }
        }
      }
      watchAll()
      // The file may have been saved between the first reading and now, while it was not watched.
      if file.hasChanged { requests.addSave() }
      var next = Instant.now()
      // Schedules one wake-up for delayed signals, not one for each.
      var scheduled = next
      for await _ in requests.stream {
        let now = Instant.now()
        let due = requests.removeDue(withSignals: now >= next)
        let signals = due.signals
        if let reason = due.reason {
          if signals > 1 {
            logger.info("handling several reload signals as one", metadata: ["reload.signals": "\(signals)"])
          }
          report.reload { onReload(file.reload(), reason) }
          watchAll()
          for caller in due.waiting { caller.resume() }
        }
        if signals > 0 {
          next = now + Self.interval
        } else if requests.hasSignals, now >= scheduled {
          scheduled = max(next, now)
          Self.queue.asyncAfter(deadline: .now() + (scheduled - now).seconds) { requests.wake() }
        }
      }
    }
  }

  /// For waiting: `Task.sleep` would wake the process every second from then on.
  private static let queue = DispatchQueue(label: "grampad.reloading")

  private func saves(of location: String, isOptional: Bool) -> AsyncStream<Void>? {
    do throws(ConfigurationWatchError) {
      return try ConfigurationWatch.changes(of: location, isOptional: isOptional)
    } catch {
      logger.warning(
        "cannot watch the configuration file; send SIGHUP to reload it",
        metadata: ["configuration.reason": "\(error)"])
      return nil
    }
  }
}
