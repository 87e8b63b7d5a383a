import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the configuration again on SIGHUP and whenever its file is saved.
struct Reloading: Service {
  let file: ConfigurationFile
  let logger: Logger
  let adopt: @Sendable (Result<Configuration, ConfigurationError>) -> Void

  func run() async throws {
    let hangups = await UnixSignalsSequence(trapping: .sighup)
    var saves: AsyncStream<Void>?
    do throws(ConfigurationWatchFault) {
      saves = try ConfigurationWatch.changes(of: file.location)
    } catch {
      logger.warning("the file is not watched, send SIGHUP instead", metadata: ["reason": "\(error)"])
    }
    let reasons = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in hangups.cancelOnGracefulShutdown() { reasons.continuation.yield() }
      }
      if let saves {
        group.addTask {
          for await _ in saves.cancelOnGracefulShutdown() { reasons.continuation.yield() }
        }
      }
      group.addTask {
        var file = file
        for await _ in reasons.stream.cancelOnGracefulShutdown() { adopt(file.reload()) }
      }
    }
  }
}
