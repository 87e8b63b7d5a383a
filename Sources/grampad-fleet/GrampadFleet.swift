import ArgumentParser
import Commands
import Messages

/// The root command.
@main
struct GrampadFleet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grampad-fleet", abstract: "The weighings of many scales in PostgreSQL, and certificates for scales.",
    discussion: """
      grampad runs this program for its commands collect, fleet, enroll --serve and simulate --devices.

      Examples:
        grampad-fleet collect --help      store the weighings of many scales in PostgreSQL
        grampad-fleet fleet --help        show the scales in that database
        grampad-fleet enroll --help       issue certificates for scales
        grampad-fleet simulate --help     simulate thousands of scales

      Exit codes: those of grampad.
      """,
    version: Version.text,
    subcommands: [Collect.self, FleetCommand.self, Enroll.self, Simulate.self])

  static func main() { Program.run(GrampadFleet.self) }

  func run() throws { throw ValidationError("No command given.") }
}
