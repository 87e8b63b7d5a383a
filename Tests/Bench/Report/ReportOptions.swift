import ArgumentParser
import Foundation

/// The options of all subcommands for the report.
struct ReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write all figures to a file as JSON. Use - for standard output instead of the tables.", valueName: "file"))
  var json: String?

  @Flag(help: "Check all goals (ok, not ok) and exit with status 1 if one is not met.")
  var check = false

  /// Prints the report and writes the JSON file.
  ///
  /// - Parameter tables: The tables to print instead of the table of all figures.
  /// - Throws: `ExitCode(1)` with `--check` if a goal is not met.
  func write(_ report: Report, tables: [Table]? = nil) throws {
    var report = report
    report.compare()
    if let json {
      let data = try report.json()
      if json == "-" {
        try FileHandle.standardOutput.write(contentsOf: data)
      } else {
        try data.write(to: URL(fileURLWithPath: json))
      }
    }
    if json != "-" {
      print(report.heading)
      for table in (tables ?? [report.table]) + [report.verdicts] where !table.isEmpty {
        print("\n" + table.text, terminator: "")
      }
    }
    if check && json != "-" { print("\n" + report.checkLines, terminator: "") }
    if check && report.missesGoal { throw ExitCode(1) }
  }
}
