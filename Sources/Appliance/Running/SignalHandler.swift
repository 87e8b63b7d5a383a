import ServiceLifecycle
import UnixSignals

/// Ends the appliance on the first SIGTERM or SIGINT.
struct SignalHandler: NamedService {
  let description = "ending"
  /// SIGTERM and SIGINT, trapped since the start.
  let signals: UnixSignalsSequence
  let report: ServiceReport

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in signals {
        report.end()
        return
      }
    }
  }
}

/// Defines its description: for other services the group prints all their properties by reflection at each start, which
/// took a third of the instructions of the start.
protocol NamedService: Service, CustomStringConvertible {}
