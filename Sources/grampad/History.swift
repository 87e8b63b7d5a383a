import Appliance
import ArgumentParser
import Backup
import Commands
import Configuration
import Journal
import Languages
import Linux
import Weighing

/// `history`
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the recorded weighings or verify the integrity of the journal.",
    discussion: """
      Reads the configured journal. The appliance can keep running.

      Examples:
        grampad history --config scale.yaml
        grampad history --since 2026-11-01 --csv > november.csv
        grampad history --since 24h --json
        grampad history verify --journal /var/lib/grampad/grampad.db
      """, subcommands: [HistoryShow.self, HistoryVerify.self, HistoryAudit.self], defaultSubcommand: HistoryShow.self)
}

/// The journal to read.
struct JournalOptions: ParsableArguments {
  @OptionGroup var options: ConfigurationOptions
  @Option(help: "The SQLite file of the journal. Default: the configured journal.", completion: .journal)
  var journal: String?

  @OptionGroup var log: LogOptions

  /// The path of the file.
  func path() throws -> String {
    if let journal { return journal }
    let file = try options.file()
    return (file?.current ?? Configuration()).journalPath(in: file?.folder ?? ".")
  }

  /// Opens the journal read-only and returns the result of `body`.
  func read<T>(_ body: (Journal) throws(JournalError) -> T) throws -> T {
    let path = try path()
    return try body(Journal.reader(path: path, logger: log.logger(default: .error)))
  }

  /// Opens the journal read-only; `body` writes to standard output what it reads, at once: a journal can have more records than there
  /// is memory.
  func list(_ body: (Journal, ([UInt8]) throws -> Void) throws(JournalError) -> Void) throws {
    var output = Output(.standardOutput, name: "standard output")
    // On its way through the journal, it would be reported as a fault of the journal.
    var failure: Failure?
    func write(_ bytes: [UInt8]) throws {
      do throws(Failure) {
        try output.write(bytes)
      } catch {
        failure = error
        throw error
      }
    }
    do {
      try read { (journal) throws(JournalError) in try body(journal, write) }
    } catch {
      throw failure ?? error
    }
    try output.flush()
  }
}

/// `history show`, the default subcommand of `history`
struct HistoryShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the weighings as a table, CSV or JSON. Default subcommand of `history`.",
    discussion: """
      The table shows the weighings in local time with their numbers and current labels, and with --ids their ids. Voided weighings are marked and are not part of \
      the total. With --totals it shows the number and the net weight by local day and label instead. CSV and JSON contain every record, including voids and relabels, with times in UTC; the total is the sum of \
      net_g over all records.

      Examples:
        grampad history show --config scale.yaml
        grampad history --since 24h --csv
        grampad history --since 2026-11-01 --until 2026-11-30 --label rye
        grampad history --totals --since 2026-11-01 --csv
      """)
  @OptionGroup var journal: JournalOptions
  @Flag(help: "Print comma-separated values with a header line (RFC 4180).")
  var csv = false
  @Flag(help: "Print the records as a JSON array, in the published format.")
  var json = false
  @Flag(help: "Also show the id of each weighing in the table.")
  var ids = false
  @Flag(help: "Show totals by day and label instead of the weighings; --csv and --json apply to them.")
  var totals = false
  @Option(
    help:
      "Only records at or after this time: 2026-11-01, 2026-11-01T08:30 (local time), 2026-11-01T08:30:00Z, or an age: 45m, 24h, 7d."
  )
  var since: String?
  @Option(help: "Only records before this time; if it is a day, that day is included.")
  var until: String?
  @Option(help: "Only weighings whose current label is LABEL; if it is empty, weighings without a label.")
  var label: String?
  @Option(parsing: .unconditional, help: "Maximum number of records; the newest are shown.")
  var limit: Int?

  func validate() throws {
    if csv && json { throw ValidationError("--csv and --json cannot be combined.") }
    if ids && (csv || json || totals) {
      throw ValidationError("--ids applies to the table; --csv and --json contain the ids.")
    }
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    _ = try (moment(since, "--since"), moment(until, "--until"))
  }

  func run() throws {
    try failing {
      let start = try moment(since, "--since")?.instant
      let end = try moment(until, "--until")?.end
      let selection = WeighingSelection(from: start, until: end, label: label)
      try journal.list { (journal, output) throws(JournalError) in
        try journal.withHistory(selection, weighingsOnly: !csv && !json || totals, limit: limit) { snapshot in
          try list(snapshot, output)
        }
      }
    }
  }

  private func list(_ snapshot: HistorySnapshot, _ output: ([UInt8]) throws -> Void) throws {
    if totals {
      var totals = HistoryTotals()
      try snapshot.forEach { totals.add($0) }
      try output(
        json ? totals.json : Array((csv ? totals.csv(field: HistoryCSV.text) : totals.text(.ofUser)).utf8))
    } else if json {
      try JournalListing.json(snapshot, write: output)
    } else if csv {
      try output(Array(HistoryCSV.header.utf8))
      try snapshot.forEach { try output(Array(HistoryCSV.line($0).utf8)) }
    } else {
      try HistoryTable.write(snapshot, withIDs: ids, texts: .ofUser) { try output(Array($0.utf8)) }
    }
  }

  private func moment(_ text: String?, _ option: String) throws -> PointInTime? {
    guard let text else { return nil }
    guard let moment = PointInTime(text, now: .wallClock()) else {
      throw ValidationError(
        "\(option): invalid time \(text). Use a day (2026-11-01), a time (2026-11-01T08:30, 2026-11-01T08:30:00Z) or an "
          + "age (45m, 24h, 7d).")
    }
    return moment
  }
}

/// `history verify`
struct HistoryVerify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify that no record was altered, inserted or lost.",
    discussion: """
      Each record has a hash over its content and the previous record, and the high-water mark file next to the journal \
      identifies the last record. Prints each fault with the missing weighings. The exit code is 65 if there is a fault, \
      otherwise 0. A loss that the appliance has already detected and reported is printed but is not a fault. No file is changed.

      Example:
        grampad history verify --journal /var/lib/grampad/grampad.db
      """)
  @OptionGroup var journal: JournalOptions

  func run() throws {
    try failing {
      let verification = try journal.read { (journal) throws(JournalError) in try journal.verify() }
      try printAll(JournalListing.text(of: verification, texts: .ofUser))
      if !verification.isClean { throw Failure(.badData, .verifyFailed) }
    }
  }
}

/// `history audit`
struct HistoryAudit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Show the audit trail: calibrations, configurations, zeros and voids, each with its counter.",
    discussion: """
      Example:
        grampad history audit --config scale.yaml
      """)
  @OptionGroup var journal: JournalOptions

  func run() throws {
    try failing {
      try journal.list { (journal, output) throws(JournalError) in
        try journal.forEachAudit { try output(Array(JournalListing.line(of: $0).utf8)) }
      }
    }
  }
}
