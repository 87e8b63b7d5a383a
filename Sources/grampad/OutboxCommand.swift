import ArgumentParser
import Backup
import Commands
import Glibc
import Journal
import Languages

/// `outbox`
struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Show the weighings that no broker has acknowledged, or retry the refused ones.",
    discussion: """
      Reads the configured journal. The appliance can keep running.

      Examples:
        grampad outbox --config scale.yaml
        grampad outbox --json | jq .parked
        grampad outbox retry
      """, subcommands: [OutboxShow.self, OutboxRetry.self], defaultSubcommand: OutboxShow.self)
}

/// `outbox show`, the default subcommand of `outbox`
struct OutboxShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the waiting and the parked weighings. Default subcommand of `outbox`.",
    discussion: """
      A weighing waits until a broker acknowledges it. A weighing that the broker refuses is parked; it is retried at the next \
      connection, after `grampad outbox retry`, and every 10 minutes. Prints a table on a terminal, otherwise JSON. The table \
      shows the first \(OutboxListing.rows) waiting and the first \(OutboxListing.rows) parked weighings.

      Example:
        grampad outbox show --config scale.yaml --json
      """)
  @OptionGroup var journal: JournalOptions
  @Flag(help: "Print a JSON object, even on a terminal.")
  var json = false

  func run() throws {
    try failing {
      var output = Output(.standardOutput, name: "standard output")
      var text = OutboxListing(isJSON: json || isatty(STDOUT_FILENO) != 1, texts: .ofUser)
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
struct OutboxRetry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Retry the parked weighings.",
    discussion: """
      Marks the parked weighings in the journal as due. A connected appliance sends them within 5 s; otherwise they are sent at \
      the next connection. The exit code is 0 even if no weighing is parked.

      Example:
        grampad outbox retry
      """)
  @OptionGroup var journal: JournalOptions
  @Flag(help: "Print JSON, even on a terminal: {\"due\": N}.")
  var json = false

  func run() throws {
    try failing {
      // Read first, so that a file that is missing, damaged or not a journal is reported and not modified.
      try journal.read { (journal) throws(JournalError) in _ = try journal.depth() }
      let path = try journal.path()
      let count = try Journal.requestRetry(path: path)
      if json || isatty(STDOUT_FILENO) != 1 { return try printAll("{\"due\":\(count)}\n") }
      let texts = Texts.ofUser
      try printAll((count == 0 ? texts(.outboxNoneParked) : texts(.outboxRetried, count: count)) + "\n")
    }
  }
}
