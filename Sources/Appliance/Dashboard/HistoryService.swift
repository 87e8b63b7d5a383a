import Dashboard
import Dispatch
import Journal
import Messages
import Weighing

/// Reads the journal for the page.
///
/// Requests run on a queue of their own, page by page: none of them holds a transaction open or keeps others waiting for long, and
/// recording uses another connection.
final class HistoryService: Sendable {
  /// Rows per page of the table: 40 KB, the memory needed per slow client.
  private static let tableRows = 200

  private let journal: @Sendable () -> Journal
  private let newest: @Sendable () -> Int
  private let allTotals = TotalsReport()
  private let queue = DispatchQueue(label: "grampad.web.history")

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - journal: The journal for reading.
  ///   - newest: The number of the newest record.
  init(journal: @escaping @Sendable () -> Journal, newest: @escaping @Sendable () -> Int) {
    (self.journal, self.newest) = (journal, newest)
  }

  /// Weighings of a selection, newest first: `{"sequence", "next", "weighings": [...]}`.
  func weighings(_ query: HistoryQuery) async -> Result<[UInt8], TableError> {
    var entries: [HistoryEntry] = []
    var (next, newest) = (query.before, 0)
    repeat {
      let (before, missing) = (next, query.limit - entries.count)
      let result = await read { (journal) throws(JournalError) in
        try journal.weighings(of: query.selection, before: before, limit: missing)
      }
      switch result {
      case .success(let page):
        entries += page.entries
        (next, newest) = (page.next, page.newest)
      case .failure(let error): return .failure(error)
      }
    } while next != nil && entries.count < query.limit && !Task.isCancelled
    var json = JSONWriter()
    json.object { json in
      json.key("sequence")
      json.integer(newest)
      json.key("next")
      if let next { json.integer(next) } else { json.null() }
      json.key("weighings")
      json.array { json in for entry in entries { json.entry(entry) } }
    }
    return .success(json.bytes)
  }

  /// The totals of a selection, see `TotalsReport`. Those of all weighings are kept.
  func totals(_ selection: WeighingSelection) async -> Result<[UInt8], TableError> {
    guard selection != WeighingSelection() else {
      return await read { [self] (journal) throws(JournalError) in
        try allTotals.json(newest: newest(), at: .now()) { (groups) throws(JournalError) in
          try journal.totals(groups: groups)
        }
      }
    }
    var totals = WeighingTotals()
    while !totals.isFinished && !Task.isCancelled {
      let before = totals
      let result = await read { (journal) throws(JournalError) in
        var totals = before
        try journal.addPage(to: &totals, of: selection, groups: TotalsReport.maximumGroups)
        return totals
      }
      switch result {
      case .success(let next): totals = next
      case .failure(let error): return .failure(error)
      }
    }
    return .success(TotalsReport.json(totals))
  }

  /// A page of the records of a selection as CSV.
  func table(_ selection: WeighingSelection, at position: TablePosition) async -> Result<TablePage, TableError> {
    await read { (journal) throws(JournalError) in
      let page = try journal.page(
        of: selection, after: position.sequence, through: position.last, count: Self.tableRows)
      var bytes = position.last == nil ? Array(HistoryCSV.header.utf8) : []
      for entry in page.entries { bytes += HistoryCSV.line(entry).utf8 }
      let next = page.end < page.last ? TablePosition(sequence: page.end, last: page.last) : nil
      return TablePage(bytes: bytes, next: next)
    }
  }

  /// Reads the journal on the queue for that.
  private func read<Answer: Sendable>(
    _ work: @escaping @Sendable (Journal) throws(JournalError) -> Answer
  ) async -> Result<Answer, TableError> {
    await withCheckedContinuation { continuation in
      queue.async { [journal] in
        do throws(JournalError) {
          continuation.resume(returning: .success(try work(journal())))
        } catch {
          continuation.resume(returning: .failure(TableError(reason: error.description)))
        }
      }
    }
  }
}
