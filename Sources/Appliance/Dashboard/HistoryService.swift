import Dashboard
import Dispatch
import EventLoop
import Journal
import Messages
import Synchronization
import Weighing

/// Reads the journal for the page.
///
/// Requests run on a queue of their own, page by page: none of them holds a transaction open or keeps others waiting for long, and
/// recording uses another connection. A search ends after `patience` with what it has found, and the client continues it.
final class HistoryService: Sendable {
  /// Rows per page of the table: 40 KB, the memory needed per slow client.
  private static let tableRows = 200

  /// How long a search reads until it answers with what it has found. A page of records follows, at most.
  static let patience = Interval.seconds(1)

  /// Maximum number of searches at a time; each gets this part of the queue's time.
  static let maximumSearches = 8

  private let journal: @Sendable () -> Journal
  private let newest: @Sendable () -> Int
  private let patience: Interval
  private let reports = TotalsReport()
  private let searches = Mutex(0)
  private let queue = DispatchQueue(label: "grampad.web.history")

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
  }

  /// Weighings of a selection, newest first: `{"sequence", "next", "weighings": [...]}`.
  func weighings(_ query: HistoryQuery) async -> Result<[UInt8], TableError> {
    await search { [self] (end) throws(TableError) in
      var entries: [HistoryEntry] = []
      var (next, newest) = (query.before, 0)
      repeat {
        let (before, missing) = (next, query.limit - entries.count)
        let page = try await read { (journal) throws(JournalError) in
          try journal.weighings(of: query.selection, before: before, limit: missing)
        }
        entries += page.entries
        (next, newest) = (page.next, page.newest)
      } while next != nil && entries.count < query.limit && .now() < end && !Task.isCancelled
      var json = JSONWriter()
      json.object { json in
        json.key("sequence")
        json.integer(newest)
        json.key("next")
        if let next { json.integer(next) } else { json.null() }
        json.key("weighings")
        json.array { json in for entry in entries { json.entry(entry) } }
      }
      return json.bytes
    }
  }

  /// The totals of a selection, see `TotalsReport`.
  func totals(_ selection: WeighingSelection) async -> Result<[UInt8], TableError> {
    await search { [self] (end) throws(TableError) in
      if let payload = reports.payload(of: selection, newest: newest(), at: .now()) { return payload }
      let begin = Instant.now()
      var totals = reports.unfinished(selection)
      repeat {
        let before = totals
        totals = try await read { (journal) throws(JournalError) in
          var totals = before
          try journal.addPage(to: &totals, of: selection, groups: TotalsReport.maximumGroups)
          return totals
        }
      } while !totals.isFinished && .now() < end && !Task.isCancelled
      return reports.keep(totals, of: selection, from: begin, to: .now())
    }
  }

  /// A page of the records of a selection as CSV.
  func table(_ selection: WeighingSelection, at position: TablePosition) async -> Result<TablePage, TableError> {
    do throws(TableError) {
      return .success(
        try await read { (journal) throws(JournalError) in
          let page = try journal.page(
            of: selection, after: position.sequence, through: position.last, count: Self.tableRows)
          var bytes = position.last == nil ? Array(HistoryCSV.header.utf8) : []
          for entry in page.entries { bytes += HistoryCSV.line(entry).utf8 }
          let next = page.end < page.last ? TablePosition(sequence: page.end, last: page.last) : nil
          return TablePage(bytes: bytes, next: next)
        })
    } catch {
      return .failure(error)
    }
  }

  /// Runs a search that should end at the time passed to it, unless too many are running.
  private func search(
    _ work: (_ end: Instant) async throws(TableError) -> [UInt8]
  ) async -> Result<[UInt8], TableError> {
    let isAdmitted = searches.withLock { running in
      guard running < Self.maximumSearches else { return false }
      running += 1
      return true
    }
    guard isAdmitted else { return .failure(.busy) }
    defer { searches.withLock { $0 -= 1 } }
    do throws(TableError) {
      return .success(try await work(.now() + patience))
    } catch {
      return .failure(error)
    }
  }

  /// Reads the journal on the queue for that.
  private func read<Answer: Sendable>(
    _ work: @escaping @Sendable (Journal) throws(JournalError) -> Answer
  ) async throws(TableError) -> Answer {
    let result: Result<Answer, TableError> = await withCheckedContinuation { continuation in
      queue.async { [journal] in
        do throws(JournalError) {
          continuation.resume(returning: .success(try work(journal())))
        } catch {
          continuation.resume(returning: .failure(.unreadable(error.description)))
        }
      }
    }
    return try result.get()
  }
}
