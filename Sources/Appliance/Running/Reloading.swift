import Configuration
import Dispatch
import EventLoop
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals
import Weighing

/// Reloads the configuration on SIGHUP and whenever its file, or the calibration file it refers to, is saved.
///
/// Signals within a second of a reload are combined into one more reload at the end of that second, so that a flood of
/// signals costs at most one reload and one log line a second.
struct Reloading: NamedService {
  let description = "reloading"
  let file: ConfigurationFile
  /// SIGHUP, trapped since the start.
  let hangups: UnixSignalsSequence
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

  /// Pending reloads.
  private final class Requests: Sendable {
    private struct State: Sendable {
      var signals = 0
      var hasSaves = false
    }

    private let state = Mutex(State())

    func addSignal() { state.withLock { $0.signals += 1 } }
    func addSave() { state.withLock { $0.hasSaves = true } }
    var hasSignals: Bool { state.withLock { $0.signals > 0 } }

    /// Removes and returns the pending reload, with the number of signals it answers.
    func removeDue(withSignals: Bool) -> (reason: Reason?, signals: Int) {
      state.withLock { state in
        let signals = withSignals ? state.signals : 0
        let reason: Reason? = signals > 0 ? .signal : state.hasSaves ? .save : nil
        state.signals -= signals
        if reason != nil { state.hasSaves = false }
        return (reason, signals)
      }
    }
  }

  /// Minimum time between two reloads by signal.
  private static let interval = Interval.seconds(1)

  func run() async throws {
    // Not `cancelOnGracefulShutdown` on each sequence: its tasks do not inherit the executor (SerialTaskExecutor).
    await cancelWhenGracefulShutdown { await reload() }
  }

  /// Reloads the configuration when it changes or a signal arrives, until the task is cancelled.
  private func reload() async {
    let requests = Requests()
    let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in hangups {
          requests.addSignal()
          changes.continuation.yield()
        }
      }
      var file = file
      var watched: Set<String> = []
      // A calibration file may be configured at any time; one that is no longer used stays watched, at the cost of a
      // check.
      func watchAll() {
        for location in file.locations where watched.insert(location).inserted {
          guard let saves = saves(of: location) else { continue }
          group.addTask {
            for await _ in saves {
              requests.addSave()
              changes.continuation.yield()
            }
          }
        }
      }
      watchAll()
      // The file may have been saved between the first reading and now, while it was not watched.
      if file.hasChanged {
        requests.addSave()
        changes.continuation.yield()
      }
      var next = Instant.now()
      // Schedules one wake-up for delayed signals, not one for each.
      var scheduled = next
      for await _ in changes.stream {
        let now = Instant.now()
        let (reason, signals) = requests.removeDue(withSignals: now >= next)
        if let reason {
          if signals > 1 {
            logger.info("handling several reload signals as one", metadata: ["reload.signals": "\(signals)"])
          }
          report.reload { onReload(file.reload(), reason) }
          watchAll()
        }
        if signals > 0 {
          next = now + Self.interval
        } else if requests.hasSignals, now >= scheduled {
          scheduled = max(next, now)
          Self.queue.asyncAfter(deadline: .now() + (scheduled - now).seconds) { changes.continuation.yield() }
        }
      }
    }
  }

  /// For waiting: `Task.sleep` would wake the process every second from then on.
  private static let queue = DispatchQueue(label: "grampad.reloading")

  private func saves(of location: String) -> AsyncStream<Void>? {
    do throws(ConfigurationWatchError) {
      return try ConfigurationWatch.changes(of: location)
    } catch {
      logger.warning(
        "cannot watch the configuration file; send SIGHUP to reload it",
        metadata: ["configuration.reason": "\(error)"])
      return nil
    }
  }
}
