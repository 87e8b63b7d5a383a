import Appliance
import ArgumentParser
import Glibc
import Journal
import Messages
import Weighing

/// `outbox`
struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Shows the weighings that no broker has accepted yet, or sends refused ones again.",
    discussion: """
      Reads the journal of the configuration, also while the appliance runs.

      Examples:
        grampad outbox --config scale.yaml
        grampad outbox --json | jq .parked
        grampad outbox retry
      """, subcommands: [OutboxShow.self, OutboxRetry.self], defaultSubcommand: OutboxShow.self)
}

/// `outbox show`, which is `outbox` alone
struct OutboxShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "What waits and what is parked, and why. (What `outbox` alone does.)",
    discussion: """
      A weighing waits until a broker has acknowledged it. One that a broker refuses is parked: it is tried again at the next \
      connection, after `grampad outbox retry`, and every 10 minutes. Prints a table on a terminal and JSON otherwise; the table \
      shows the first \(OutboxText.rows) weighings of each kind.

      Example:
        grampad outbox show --config scale.yaml --json
      """)
  @OptionGroup var journal: JournalOptions
  @Flag(help: "One JSON object, also on a terminal.")
  var json = false

  func run() async throws {
    try await failing {
      var output = Output(STDOUT_FILENO, name: "standard output")
      var text = OutboxText(isJSON: json || isatty(STDOUT_FILENO) != 1)
      var failure: (any Error)?
      try journal.read { (journal) throws(JournalError) in
        try journal.outbox { entry in
          guard failure == nil else { return }
          do { try output.write(text.add(entry)) } catch { failure = error }
        }
      }
      if let failure { throw failure }
      try output.write(text.end())
      try output.flush()
    }
  }
}

/// `outbox retry`
struct OutboxRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Sends the parked weighings again.",
    discussion: """
      Marks them in the journal. An appliance that is connected sends them within 5 s, any other at its next connection. Ends with \
      0 also if nothing is parked.

      Example:
        grampad outbox retry
      """)
  @OptionGroup var journal: JournalOptions
  @Flag(help: "JSON, also on a terminal: {\"due\": N}.")
  var json = false

  func run() async throws {
    try await failing {
      // Reading first: a file that is missing, damaged or not a journal is reported and not touched.
      try journal.read { (journal) throws(JournalError) in _ = try journal.depth() }
      let path = try journal.path()
      let count: Int
      do throws(JournalError) {
        count = try Journal.requestRetry(path: path)
      } catch {
        throw Failure(error)
      }
      if json || isatty(STDOUT_FILENO) != 1 { return try printAll("{\"due\":\(count)}\n") }
      let weighings = count == 1 ? "1 parked weighing is" : "\(count) parked weighings are"
      try printAll(
        count == 0
          ? "No weighing is parked.\n"
          : "\(weighings) sent again: within 5 s if the appliance is connected, otherwise at its next connection.\n")
    }
  }
}
