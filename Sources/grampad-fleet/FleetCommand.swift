import ArgumentParser
import Commands
import Fleet
import Glibc

/// `fleet`
struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Show the scales in the database of `grampad-fleet collect`.",
    discussion: """
      For each scale: how long ago a collector last received a message from it, the weighings stored, the records that are \
      missing (known to exist and not stored yet) and those that are lost (the scale no longer has them), the age of its calibration \
      and its version. Below the table: clocks that are not synchronised, and identifiers that two journals use.

      Prints a table on a terminal, otherwise JSON. A role that may read the views, such as grampad_reader, is enough.

      The exit code is 1 if records are missing, otherwise 0.

      Examples:
        grampad-fleet fleet --database postgresql://grampad_reader@localhost/grampad
        grampad-fleet fleet --database postgresql://grampad_reader@localhost/grampad --json | jq '.[] | select(.missing > 0)'
      """)

  @Option(help: "The database, postgresql://USER@HOST/DATABASE.")
  var database: String
  @Flag(help: "Print a JSON array, even on a terminal.")
  var json = false

  func run() throws {
    try failing {
      let report = try FleetReport(database: database)
      let isTable = !json && isatty(STDOUT_FILENO) == 1
      try printAll(isTable ? FleetTable(report, texts: .ofUser).text : String(decoding: report.json, as: UTF8.self))
      if report.isIncomplete { throw ExitCode(Sysexit.rejected.rawValue) }
    }
  }
}

extension Failure {
  /// The failure of a command that uses the database of the collector.
  init(_ error: FleetError) {
    let code: Sysexit =
      switch error {
      case .database: .unavailable
      case .connectionString, .noSchema, .newerSchema: .configuration
      case .denied, .mayNotCreate, .mayNotGrant, .mayNotSetRetention: .noPermission
      }
    self.init(code, error.sentence)
  }
}

extension FleetError: CommandError { package var failure: Failure { Failure(self) } }
