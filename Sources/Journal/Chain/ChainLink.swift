/// A record as hashed in the chain: its table and its columns.
///
/// One chain covers both tables, so that it also proves the order of weighings and changes of calibration,
/// configuration and zero; with two chains this order could be altered. `position` counts 1, 2, 3... over both.
///
/// `hash` is the SHA-256 of the `hash` of the previous record (32 zero bytes for position 1), then the name of the
/// table as a text, then each column in the order of `columns`. A value is encoded as a letter and its bytes, all numbers
/// big-endian:
/// - `N`, nothing more: NULL
/// - `I`, 8 bytes, two's complement: INTEGER
/// - `R`, 8 bytes, IEEE 754: REAL
/// - `T`, 8 bytes that count the bytes that follow, UTF-8: TEXT
///
/// Every encoded value contains its length, so that different records never have the same bytes.
///
/// The column `version` tells a later program with which columns a record was hashed, so that its hash never changes.
struct ChainLink: Hashable, Sendable {
  /// The tables that hold records.
  enum Table: String, CaseIterable {
    case weighings, audit

    /// All columns except `hash`, in order; `isText` for texts.
    var columns: [(name: String, isText: Bool)] {
      switch self {
      case .weighings: ChainLink.weighingColumns
      case .audit: ChainLink.auditColumns
      }
    }

    /// The columns for a SELECT from the table named `alias`, texts as their bytes.
    func selection(_ alias: String) -> String {
      columns.map { $0.isText ? "CAST(\(alias).\($0.name) AS BLOB)" : "\(alias).\($0.name)" }.joined(separator: ", ")
    }
  }

  /// The version of new weighings.
  static let version = 1

  private static let weighingColumns = [
    ("position", false), ("sequence", false), ("id", true), ("time_ns", false), ("gross_g", false), ("tare_g", false),
    ("net_g", false), ("division_g", false), ("uncertainty_g", false), ("label", true), ("source", true),
    ("calibration", true), ("calibration_counter", false), ("configuration_hash", true), ("voids", true),
    ("version", false), ("kind", true), ("amends", true), ("pieces", false), ("clock", true),
  ]
  private static let auditColumns = [
    ("position", false), ("sequence", false), ("time_ns", false), ("kind", true), ("counter", false), ("detail", true),
  ]

  let table: Table
  /// The values of the columns.
  let values: [ColumnValue]

  /// Whether this program knows how the record was hashed.
  var isOfKnownVersion: Bool { table == .audit || values[15].integer == Self.version }

  /// The hash of this record after one with the hash `previous`.
  func hash(after previous: Digest) -> Digest {
    var message = previous.bytes
    Self.append(.text(Array(table.rawValue.utf8)), to: &message)
    for value in values { Self.append(value, to: &message) }
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
