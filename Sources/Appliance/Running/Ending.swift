import ServiceLifecycle
import UnixSignals

/// Ends the appliance at the first signal.
struct Ending: Service {
  /// SIGTERM and SIGINT, trapped since the start.
  let signals: UnixSignalsSequence
  let report: ServiceReport

  func run() async throws {
    for await _ in signals.cancelOnGracefulShutdown() {
      report.end()
      return
    }
  }
}
