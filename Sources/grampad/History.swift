import Appliance
import ArgumentParser
import Configuration
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
    commandName: "show", abstract: "Show the weighings as a table, as CSV or as JSON. (What `history` alone does.)",
    discussion: """
      The table has the weighings as they stand now, in local time: labels as amended, voided ones marked, and the total of \
      those that are not voided. CSV and JSON have every record, voids and relabels included, with times in UTC; the plain \
      sum of net_g over them is the total.

      Examples:
        grampad history show --config scale.yaml
        grampad history --since 24h --csv
        grampad history --since 2026-11-01 --until 2026-11-30 --label rye
      """)
  @OptionGroup var journal: JournalOptions
  @Flag(help: "Comma-separated values with a header, as in RFC 4180.")
  var csv = false
  @Flag(help: "One JSON array of the records as they are published.")
  var json = false
  @Option(
    help:
      "Only what was recorded since then: 2026-11-01, 2026-11-01T08:30 (local time), 2026-11-01T08:30:00Z, or an age: 45m, 24h, 7d."
  )
  var since: String?
  @Option(help: "Only what was recorded before then; a day is included.")
  var until: String?
  @Option(help: "Only weighings with this label, as amended; an empty LABEL for those without one.")
  var label: String?
  @Option(help: "At most this many, the newest.")
  var limit: Int?

  func validate() throws {
    if csv && json { throw ValidationError("--csv or --json, not both.") }
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    _ = try (moment(since, "--since"), moment(until, "--until"))
  }

  func run() async throws {
    try await failing {
      let start = try moment(since, "--since")?.instant
      let end = try moment(until, "--until")?.end
      let all = try journal.read { (journal) throws(JournalError) in try journal.history(since: nil) }
      let isTable = !csv && !json
      let chosen = all.filter { entry in
        if let start, entry.record.time < start { return false }
        if let end, entry.record.time >= end { return false }
        if let label, entry.label ?? "" != label { return false }
        return !isTable || entry.record.kind == .weighing
      }
      let entries = chosen.suffix(limit ?? chosen.count)
      var output = Output(STDOUT_FILENO, name: "standard output")
      if json {
        try HistoryText.json(Array(entries), to: &output)
      } else if csv {
        try HistoryText.csv(Array(entries), to: &output)
      } else {
        try HistoryTable(Array(entries), among: all).write(to: &output)
      }
      try output.flush()
    }
  }

  private func moment(_ text: String?, _ option: String) throws -> PointInTime? {
    guard let text else { return nil }
    guard let moment = PointInTime(text, now: .wallClock()) else {
      throw ValidationError(
        "\(option): \(text) is not a time. Use a day (2026-11-01), a time (2026-11-01T08:30, 2026-11-01T08:30:00Z) or an "
          + "age (45m, 24h, 7d).")
    }
    return moment
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
