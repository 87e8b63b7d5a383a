import Synchronization
import Weighing

/// Reads the page of the table of weighings at a position, and passes it on.
typealias TableSource = @Sendable (TablePosition, @escaping Completion<Result<TablePage, TableError>>) -> Void

/// The position of a client in the table of all weighings.
package struct TablePosition: Hashable, Sendable {
  /// The sequence number of the last weighing already sent or left out.
  package var sequence = 0
  /// The sequence number of the last weighing in the table, fixed with the first page; `nil` before that.
  package var last: Int?

  /// The beginning of the table.
  package init() {}

  /// The position after a weighing.
  package init(sequence: Int, last: Int) {
    (self.sequence, self.last) = (sequence, last)
  }
}

/// Some rows of the table of weighings.
package struct TablePage: Hashable, Sendable {
  /// Complete lines; the first page starts with the header.
  package var bytes: [UInt8]
  /// The position of the next page; `nil` after the last one.
  package var next: TablePosition?

  /// Makes a page.
  package init(bytes: [UInt8], next: TablePosition?) {
    (self.bytes, self.next) = (bytes, next)
  }
}

/// Why weighings cannot be read.
package enum TableError: Error, Hashable, Sendable {
  /// The journal cannot be read, with the reason for users.
  case unreadable(Sentence)
  /// Too many searches are running.
  case busy
}

/// The table of all weighings as the body of a response; at most one page is in memory for a slow client.
///
/// Each page is read in its own transaction, so that a download that takes hours does not keep a database snapshot
/// open. Records are only ever added; because the last record is fixed with the first page, all pages show the same
/// state.
final class TableBody: BodyStream {
  /// The page to send next; `nil` while it is read.
  private let page: Mutex<TablePage?>
  /// The position of the page after the last one that was passed on; `nil` after the end.
  private let position: Mutex<TablePosition?>
  private let source: TableSource

  init(first: TablePage, source: @escaping TableSource) {
    page = Mutex(first)
    position = Mutex(first.next)
    self.source = source
  }

  func next(_ completion: @escaping @Sendable (BodyPiece) -> Void) {
    if let first = page.withLock({ $0.take() }) { return pass(on: first, completion) }
    guard let next = position.withLock({ $0 }) else { return completion(.end) }
    source(next) { [self] result in
      switch result {
      case .success(let page): pass(on: page, completion)
      case .failure: completion(.failure)
      }
    }
  }

  func end() {}

  private func pass(on page: TablePage, _ completion: @escaping @Sendable (BodyPiece) -> Void) {
    position.withLock { $0 = page.next }
    // An empty chunk would end the body.
    if page.bytes.isEmpty { next(completion) } else { completion(.bytes(page.bytes)) }
  }
}
