import ServiceLifecycle
import UnixSignals

/// Ends the appliance at the first signal.
struct Ending: NamedService {
  let description = "ending"
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

/// A service that says its name: of others the group prints all that they hold, by reflection and at each start. A third of
/// the instructions of the start went into that.
protocol NamedService: Service, CustomStringConvertible {}
