import Journal
import Linux
import Messages
import Servers
import Synchronization
import Weighing

/// Reads the journal for the page.
///
/// Requests run on a thread of its own, page by page: none of them holds a transaction open or keeps others waiting for long, and
/// recording uses another connection. A search ends after `patience` with what it has found, and the client continues it.
final class HistoryService: Sendable {
  /// Rows per page of the table: 40 KB, the memory needed per slow client.
  private static let tableRows = 200

  /// How long a search reads until it answers with what it has found. A page of records follows, at most.
  static let patience = Interval.seconds(1)

  /// Maximum number of searches at a time; each gets this part of its time.
  static let maximumSearches = 8

  private let journal: @Sendable () -> Journal
  private let newest: @Sendable () -> Int
  private let patience: Interval
  private let reports = TotalsReport()
  private let searches = Mutex(0)
  private let worker = Worker<@Sendable () -> Void>("history")

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - journal: The journal for reading.
  ///   - newest: The number of the newest record.
  init(
    journal: @escaping @Sendable () -> Journal, newest: @escaping @Sendable () -> Int,
    patience: Interval = HistoryService.patience
  ) {
    (self.journal, self.newest, self.patience) = (journal, newest, patience)
    worker.startPerforming()
  }

  deinit { worker.stop() }

  /// Weighings of a selection, newest first: `{"sequence", "next", "weighings": [...]}`.
  func weighings(_ query: HistoryQuery, _ completion: @escaping Completion<Result<[UInt8], TableError>>) {
    struct Found: Sendable {
      var entries: [HistoryEntry] = []
      var next: Int?
    }
    search(Found(next: query.before), completion) { (journal, found, end) throws(JournalError) in
      let missing = query.limit - found.entries.count
      let page = try journal.weighings(of: query.selection, before: found.next, limit: missing)
      found.entries += page.entries
      found.next = page.next
      if found.next != nil, found.entries.count < query.limit, .now() < end { return nil }
      var json = JSONWriter()
      json.object { json in
        json.field("sequence", page.newest)
        json.field("next", found.next)
        json.array("weighings", found.entries) { json, entry in json.entry(entry) }
      }
      return json.bytes
    }
  }

  /// The totals of a selection, see `TotalsReport`.
  func totals(_ selection: WeighingSelection, _ completion: @escaping Completion<Result<[UInt8], TableError>>) {
    if let payload = reports.payload(of: selection, newest: newest(), at: .now()) {
      return completion(.success(payload))
    }
    let begin = Instant.now()
    search(reports.unfinished(selection), completion) { [reports] (journal, totals, end) throws(JournalError) in
      try journal.addPage(to: &totals, of: selection, groups: TotalsReport.maximumGroups)
      if !totals.isFinished, .now() < end { return nil }
      return reports.keep(totals, of: selection, from: begin, to: .now())
    }
  }

  /// A page of the records of a selection as CSV.
  func table(
    _ selection: WeighingSelection, at position: TablePosition,
    _ completion: @escaping Completion<Result<TablePage, TableError>>
  ) {
    worker.send { [journal] in
      do throws(JournalError) {
        let page = try journal().page(
          of: selection, after: position.sequence, through: position.last, count: Self.tableRows)
        var bytes = position.last == nil ? Array(HistoryCSV.header.utf8) : []
        for entry in page.entries { bytes += HistoryCSV.line(entry).utf8 }
        let next = page.end < page.last ? TablePosition(sequence: page.end, last: page.last) : nil
        completion(.success(TablePage(bytes: bytes, next: next)))
      } catch {
        completion(.failure(.unreadable(error.sentence)))
      }
    }
  }

  /// One page of a search: adds what it finds to `found`, and returns the payload if the search is over. It should be over at
  /// `end`.
  private typealias Step<Found> =
    @Sendable (_ journal: Journal, _ found: inout Found, _ end: Instant) throws(JournalError) -> [UInt8]?

  /// Runs a search, unless too many are running.
  private func search<Found: Sendable>(
    _ found: Found, _ completion: @escaping Completion<Result<[UInt8], TableError>>, _ step: @escaping Step<Found>
  ) {
    let isAdmitted = searches.withLock { running in
      guard running < Self.maximumSearches else { return false }
      running += 1
      return true
    }
    guard isAdmitted else { return completion(.failure(.busy)) }
    proceed(found, until: .now() + patience, step) { [self] result in
      searches.withLock { $0 -= 1 }
      completion(result)
    }
  }

  /// Reads a page after those that other searches have asked for, and then the next one.
  private func proceed<Found: Sendable>(
    _ found: Found, until end: Instant, _ step: @escaping Step<Found>,
    _ completion: @escaping Completion<Result<[UInt8], TableError>>
  ) {
    worker.send { [self] in
      var found = found
      do throws(JournalError) {
        guard let payload = try step(journal(), &found, end) else {
          return proceed(found, until: end, step, completion)
        }
        completion(.success(payload))
      } catch {
        completion(.failure(.unreadable(error.sentence)))
      }
    }
  }
}
