import GRDB

/// A record as the chain sees it: its table, the version of its format, and its columns.
///
/// There is one chain over both tables, so that it is also certain which calibration, configuration and zero a weighing
/// came after; two chains could be shifted against each other. `position` counts 1, 2, 3... over both.
///
/// `hash` is the SHA-256 of the `hash` of the record before (32 zero bytes for position 1), then the name of the table as a
/// text, then each column of the record's version in the order of `columns(version:)`. A value is a letter and its
/// bytes, all numbers with the highest byte first:
/// - `N`, nothing more: NULL
/// - `I`, 8 bytes, two's complement: INTEGER
/// - `R`, 8 bytes, IEEE 754: REAL
/// - `T`, 8 bytes that count the bytes that follow, UTF-8: TEXT
///
/// Every value tells its own length, so that no two records have the same bytes.
///
/// A later version of the format only adds columns behind those of the one before, the number of the version among them.
/// Records keep the version they were made with, so that their hashes never change; the columns that a record's version
/// does not have are NULL in its row.
struct ChainLink: Hashable, Sendable {
  /// The tables with records.
  enum Table: String, CaseIterable {
    case weighings, audit

    /// All columns but `hash`, in order, with the version that they came with; texts as `true`.
    var columns: [Column] {
      switch self {
      case .weighings: ChainLink.weighingColumns
      case .audit: ChainLink.auditColumns
      }
    }

    /// The version of the records that are made now.
    var currentVersion: Int {
      switch self {
      case .weighings: 2
      case .audit: 1
      }
    }

    /// The columns of a version.
    func columns(version: Int) -> ArraySlice<Column> { columns.prefix { $0.version <= version } }

    /// The columns for a SELECT from the table named `alias`, texts as the bytes they are; NULL for those that a file of
    /// an earlier version does not have.
    func selection(_ alias: String, in db: Database) throws -> String {
      let present = Set(try db.columns(in: rawValue).map(\.name))
      return columns.map { column in
        guard present.contains(column.name) else { return "NULL" }
        return column.isText ? "CAST(\(alias).\(column.name) AS BLOB)" : "\(alias).\(column.name)"
      }.joined(separator: ", ")
    }
  }

  /// A column that is chained.
  struct Column: Sendable {
    let name: String
    let isText: Bool
    /// The first version of the record's format that has it.
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
  /// The values of all columns, also of those that the record's version does not have.
  let values: [ColumnValue]

  /// The version of the record's format; 1 for those that do not say.
  var version: Int {
    switch table {
    case .weighings: values[15].integer ?? 1
    case .audit: 1
    }
  }

  /// Whether the version is one that this program knows, and the columns that came later are empty.
  var isOfKnownVersion: Bool {
    let columns = table.columns(version: version)
    return (1...table.currentVersion).contains(version)
      && values.dropFirst(columns.count).allSatisfy { $0 == .null }
  }

  /// The hash of this record behind one with the hash `previous`.
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
