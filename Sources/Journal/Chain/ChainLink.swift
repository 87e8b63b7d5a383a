import GRDB

/// A record as hashed in the chain: its table, the version of its format, and its columns.
///
/// One chain covers both tables, so that it also proves the order of weighings and changes of calibration,
/// configuration and zero; with two chains this order could be altered. `position` counts 1, 2, 3... over both.
///
/// `hash` is the SHA-256 of the `hash` of the previous record (32 zero bytes for position 1), then the name of the
/// table as a text, then each column of the record's version in the order of `columns(version:)`. A value is encoded as
/// a letter and its bytes, all numbers big-endian:
/// - `N`, nothing more: NULL
/// - `I`, 8 bytes, two's complement: INTEGER
/// - `R`, 8 bytes, IEEE 754: REAL
/// - `T`, 8 bytes that count the bytes that follow, UTF-8: TEXT
///
/// Every encoded value contains its length, so that different records never have the same bytes.
///
/// A later version of the format only appends columns, including the version number. Records keep the version they were
/// made with, so that their hashes never change; columns that a record's version does not have are NULL.
struct ChainLink: Hashable, Sendable {
  /// The tables that hold records.
  enum Table: String, CaseIterable {
    case weighings, audit

    /// All columns except `hash`, in order, with the version that introduced them; `isText` for texts.
    var columns: [Column] {
      switch self {
      case .weighings: ChainLink.weighingColumns
      case .audit: ChainLink.auditColumns
      }
    }

    /// The version of new records.
    var currentVersion: Int {
      switch self {
      case .weighings: 2
      case .audit: 1
      }
    }

    /// The columns of a version.
    func columns(version: Int) -> ArraySlice<Column> { columns.prefix { $0.version <= version } }

    /// The columns for a SELECT from the table named `alias`, texts as their bytes; NULL for columns that a file of an
    /// earlier version does not have.
    func selection(_ alias: String, in db: Database) throws -> String {
      let present = Set(try db.columns(in: rawValue).map(\.name))
      return columns.map { column in
        guard present.contains(column.name) else { return "NULL" }
        return column.isText ? "CAST(\(alias).\(column.name) AS BLOB)" : "\(alias).\(column.name)"
      }.joined(separator: ", ")
    }
  }

  /// A hashed column.
  struct Column: Sendable {
    let name: String
    let isText: Bool
    /// The first version of the record format with this column.
    let version: Int

    init(_ name: String, isText: Bool = false, since version: Int = 1) {
      (self.name, self.isText, self.version) = (name, isText, version)
    }
  }

  private static let weighingColumns = [
    Column("position"), Column("sequence"), Column("id", isText: true), Column("time_ns"), Column("gross_g"),
    Column("tare_g"), Column("net_g"), Column("division_g"), Column("uncertainty_g"), Column("label", isText: true),
    Column("source", isText: true), Column("calibration", isText: true), Column("calibration_counter"),
    Column("configuration_hash", isText: true), Column("voids", isText: true), Column("version", since: 2),
    Column("kind", isText: true, since: 2), Column("amends", isText: true, since: 2), Column("pieces", since: 2),
    Column("clock", isText: true, since: 2),
  ]
  private static let auditColumns = [
    Column("position"), Column("sequence"), Column("time_ns"), Column("kind", isText: true), Column("counter"),
    Column("detail", isText: true),
  ]

  let table: Table
  /// The values of all columns, including those that the record's version does not have.
  let values: [ColumnValue]

  /// The version of the record's format; 1 if it is not stored.
  var version: Int {
    switch table {
    case .weighings: values[15].integer ?? 1
    case .audit: 1
    }
  }

  /// Whether the version is known to this program, and later columns are empty.
  var isOfKnownVersion: Bool {
    let columns = table.columns(version: version)
    return (1...table.currentVersion).contains(version)
      && values.dropFirst(columns.count).allSatisfy { $0 == .null }
  }

  /// The hash of this record after one with the hash `previous`.
  func hash(after previous: Digest) -> Digest {
    var message = previous.bytes
    Self.append(.text(Array(table.rawValue.utf8)), to: &message)
    for value in values.prefix(table.columns(version: version).count) { Self.append(value, to: &message) }
    return Digest(of: message)
  }

  private static func append(_ value: ColumnValue, to message: inout [UInt8]) {
    switch value {
    case .null:
      message.append(UInt8(ascii: "N"))
    case .integer(let number):
      message.append(UInt8(ascii: "I"))
      append(UInt64(bitPattern: number), to: &message)
    case .real(let number):
      message.append(UInt8(ascii: "R"))
      append(number.bitPattern, to: &message)
    case .text(let bytes):
      message.append(UInt8(ascii: "T"))
      append(UInt64(bytes.count), to: &message)
      message += bytes
    }
  }

  private static func append(_ word: UInt64, to message: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }
}
