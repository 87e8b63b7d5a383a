import Appliance
import ArgumentParser
import Glibc
import Journal
import Messages
import Weighing

/// `history`
struct History: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what was recorded, or checks that nothing of it was altered.",
    discussion: """
      Reads the journal of the configuration, also while the appliance runs.

      Examples:
        grampad history --config scale.yaml
        grampad history --since 2026-11-01 --csv > november.csv
        grampad history --since 24h --json
        grampad history verify --journal /var/lib/grampad/grampad.db
      """, subcommands: [HistoryShow.self, HistoryVerify.self, HistoryAudit.self], defaultSubcommand: HistoryShow.self)
}

/// Which journal is read.
struct JournalOptions: ParsableArguments {
  @OptionGroup var options: ConfigurationOptions
  @Option(help: "The journal's SQLite file, instead of that of the configuration.", completion: .journal)
  var journal: String?

  @OptionGroup var log: LogOptions

  /// The path of the file.
  func path() throws -> String {
    if let journal { return journal }
    let file = try options.file()
    return (file?.current ?? Configuration()).journalPath(in: file?.folder ?? ".")
  }

  /// What is read from it.
  func read<T>(_ body: (Journal) throws(JournalError) -> T) throws -> T {
    let path = try path()
    do throws(JournalError) {
      return try body(Journal.reader(path: path, logger: log.logger(default: .error)))
    } catch {
      throw Failure(error)
    }
  }
}

/// `history show`, which is `history` alone
struct HistoryShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "The weighings as a table, as CSV or as JSON. (What `history` alone does.)",
    discussion: """
      Times are UTC. A weighing that was struck by `void` stays, with a mark; the record that strikes it follows with its own number.

      Examples:
        grampad history show --config scale.yaml
        grampad history --since 24h --csv
      """)
  @OptionGroup var journal: JournalOptions
  @Flag(help: "Comma-separated values with a header, as in RFC 4180.")
  var csv = false
  @Flag(help: "One JSON array of the weighings as they are published.")
  var json = false
  @Option(help: "Only what was recorded since then: 2026-11-01, 2026-11-01T08:30:00Z, or 45m, 24h, 7d ago.")
  var since: String?

  func validate() throws {
    if csv && json { throw ValidationError("--csv or --json, not both.") }
    _ = try start()
  }

  func run() async throws {
    try await failing {
      let start = try start()
      let entries = try journal.read { (journal) throws(JournalError) in try journal.history(since: start) }
      var output = Output(STDOUT_FILENO, name: "standard output")
      if json {
        try HistoryText.json(entries, to: &output)
      } else if csv {
        try HistoryText.csv(entries, to: &output)
      } else {
        try HistoryText.table(entries, to: &output)
      }
      try output.flush()
    }
  }

  private func start() throws -> Instant? {
    guard let since else { return nil }
    guard let start = PointInTime(since, now: .wallClock()) else {
      throw ValidationError(
        "--since: \(since) is no time. A day (2026-11-01), a time (2026-11-01T08:30:00Z) or an age (45m, 24h, 7d).")
    }
    return start.instant
  }
}

/// `history verify`
struct HistoryVerify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Checks that nothing was altered, inserted or lost.",
    discussion: """
      Every record carries a hash over itself and the one before it, and the high-water mark next to the journal names the \
      last one. Prints each fault with the weighings that are missing; ends with 65 on a fault, 0 otherwise. A loss \
      that the appliance has noticed and reported itself is printed and is no fault. Changes no file.

      Example:
        grampad history verify --journal /var/lib/grampad/grampad.db
      """)
  @OptionGroup var journal: JournalOptions

  func run() async throws {
    try await failing {
      let verification = try journal.read { (journal) throws(JournalError) in try journal.verify() }
      try printAll(HistoryText.text(of: verification))
      if !verification.isClean { throw Failure(.badData, "the journal is not as it was recorded") }
    }
  }
}

/// `history audit`
struct HistoryAudit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "The audit trail: calibrations, configurations, zeros and voids, each with its count.",
    discussion: """
      Example:
        grampad history audit --config scale.yaml
      """)
  @OptionGroup var journal: JournalOptions

  func run() async throws {
    try await failing {
      let trail = try journal.read { (journal) throws(JournalError) in try journal.audit() }
      try printAll(HistoryText.text(of: trail))
    }
  }
}
