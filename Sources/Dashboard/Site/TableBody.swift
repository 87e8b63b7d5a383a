import FlyingSocks

/// Reads the page of the table of weighings at a position; waits for the disk.
package typealias TableSource = @Sendable (TablePosition) async -> Result<TablePage, TableFault>

/// How far a client has read the table of all weighings.
package struct TablePosition: Hashable, Sendable {
  /// The sequence number of the last weighing it has.
  package var sequence = 0
  /// The sequence number of the last weighing of the table, fixed with the first page; `nil` before that.
  package var last: Int?

  /// The beginning of the table.
  package init() {}

  /// A position behind a weighing.
  package init(sequence: Int, last: Int) {
    self.sequence = sequence
    self.last = last
  }
}

/// Some rows of the table of weighings.
package struct TablePage: Hashable, Sendable {
  /// Whole lines; the first page begins with the header.
  package var bytes: [UInt8]
  /// Where the next page begins; `nil` after the last one.
  package var next: TablePosition?

  /// Makes a page.
  package init(bytes: [UInt8], next: TablePosition?) {
    self.bytes = bytes
    self.next = next
  }
}

/// Why the table of weighings cannot be read.
package struct TableFault: Error, Hashable, Sendable {
  /// The reason, for people.
  package var reason: String

  /// Makes a fault.
  package init(reason: String) { self.reason = reason }
}

/// The table of all weighings as the body of an answer, of which a slow client holds one page at a time.
///
/// Each page is read in a transaction of its own, so that a client that takes hours keeps no state of the database alive.
/// Records are only ever added: pages up to a last one that is fixed at the beginning are as of one moment.
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
