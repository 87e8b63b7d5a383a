import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the configuration again on SIGHUP and whenever its file is saved.
struct Reloading: Service {
  let file: ConfigurationFile
  /// SIGHUP, trapped since the start.
  let hangups: UnixSignalsSequence
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
    var saves: AsyncStream<Void>?
    do throws(ConfigurationWatchFault) {
      saves = try ConfigurationWatch.changes(of: file.location)
    } catch {
      logger.warning("the file is not watched, send SIGHUP instead", metadata: ["reason": "\(error)"])
    }
    let reasons = AsyncStream<Reason>.makeStream(bufferingPolicy: .bufferingNewest(8))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in hangups.cancelOnGracefulShutdown() { reasons.continuation.yield(.signal) }
      }
      if let saves {
        group.addTask {
          for await _ in saves.cancelOnGracefulShutdown() { reasons.continuation.yield(.save) }
        }
      }
      group.addTask {
        var file = file
        for await reason in reasons.stream.cancelOnGracefulShutdown() { adopt(file.reload(), reason) }
      }
    }
  }
}
