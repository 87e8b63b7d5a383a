import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the configuration again on SIGHUP and whenever its file, or the calibration file that it names, is saved.
struct Reloading: NamedService {
  let description = "reloading"
  let file: ConfigurationFile
  /// SIGHUP, trapped since the start.
  let hangups: UnixSignalsSequence
  let report: ServiceReport
  let logger: Logger
  /// Brings what was read into force.
  let adopt: @Sendable (Result<Configuration, ConfigurationError>, Reason) -> Void

  /// What a reload was asked for by.
  enum Reason: Sendable {
    /// SIGHUP.
    case signal
    /// The file was saved.
    case save
  }

  func run() async throws {
    let reasons = AsyncStream<Reason>.makeStream(bufferingPolicy: .bufferingNewest(8))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in hangups.cancelOnGracefulShutdown() { reasons.continuation.yield(.signal) }
      }
      var file = file
      var watched: Set<String> = []
      // A calibration file may be named at any time; one that is not any more is watched on, at the price of a look.
      func watchAll() {
        for location in file.locations where watched.insert(location).inserted {
          guard let saves = changes(of: location) else { continue }
          group.addTask {
            for await _ in saves.cancelOnGracefulShutdown() { reasons.continuation.yield(.save) }
          }
        }
      }
      watchAll()
      // Saved between the first reading and now, when nobody was watching.
      if file.hasChanged { reasons.continuation.yield(.save) }
      for await reason in reasons.stream.cancelOnGracefulShutdown() {
        report.reload { adopt(file.reload(), reason) }
        watchAll()
      }
    }
  }

  private func changes(of location: String) -> AsyncStream<Void>? {
    do throws(ConfigurationWatchFault) {
      return try ConfigurationWatch.changes(of: location)
    } catch {
      logger.warning("the file is not watched, send SIGHUP instead", metadata: ["reason": "\(error)"])
      return nil
    }
  }
}
