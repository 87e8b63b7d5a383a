import ArgumentParser
import Dispatch

/// The command `grampad-bench`.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grampad-bench", abstract: "Compares Grampad with other filters and programs.",
    subcommands: [Truth.self, Real.self, Flow.self, Dosing.self, Core.self, Cost.self, FleetBench.self])
}

@main
enum Program {
  /// Starts threads only for an asynchronous command: valgrind 3.19 fails on those of Swift's concurrency.
  static func main() {
    do {
      var command = try Bench.parseAsRoot()
      if let command = command as? any AsyncParsableCommand { run(command) }
      try command.run()
    } catch {
      Bench.exit(withError: error)
    }
  }

  private static func run(_ command: sending any AsyncParsableCommand) -> Never {
    Task {
      var command = command
      do {
        try await command.run()
        Bench.exit()
      } catch {
        Bench.exit(withError: error)
      }
    }
    dispatchMain()
  }
}
