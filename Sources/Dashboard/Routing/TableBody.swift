import FlyingSocks

/// Reads the page of the table of weighings at a position; may block on the disk.
package typealias TableSource = @Sendable (TablePosition) async -> Result<TablePage, TableError>

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
    self.sequence = sequence
    self.last = last
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
    self.bytes = bytes
    self.next = next
  }
}

/// Why weighings cannot be read.
package enum TableError: Error, Hashable, Sendable {
  /// The journal cannot be read, with the reason for users.
  case unreadable(String)
  /// Too many searches are running.
  case busy
}

/// The table of all weighings as the body of a response; at most one page is in memory for a slow client.
///
/// Each page is read in its own transaction, so that a download that takes hours does not keep a database snapshot
/// open. Records are only ever added; because the last record is fixed with the first page, all pages show the same
/// state.
struct TableBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let first: TablePage
  let source: TableSource

  func makeAsyncIterator() -> Iterator { Iterator(page: first, source: source) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private var page: TablePage
    private var offset = 0
    private let source: TableSource

    init(page: TablePage, source: @escaping TableSource) {
      self.page = page
      self.source = source
    }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      while offset == page.bytes.count {
        guard let next = page.next else { return nil }
        page = try await source(next).get()
        offset = 0
      }
      let end = Swift.min(offset + Swift.max(count, 1), page.bytes.count)
      defer { offset = end }
      return Array(page.bytes[offset..<end])
    }
  }
}
