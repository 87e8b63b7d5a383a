/// A record as the chain sees it: its table and all its columns but the hash, in the order of the table.
///
/// There is one chain over both tables, so that it is also certain which calibration, configuration and zero a weighing
/// came after; two chains could be shifted against each other. `position` counts 1, 2, 3... over both.
///
/// `hash` is the SHA-256 of the `hash` of the record before (32 zero bytes for position 1), then the name of the table as a
/// text, then each column in the order in which `PRAGMA table_info` lists them, `hash` left out. A value is a letter
/// and its bytes, all numbers with the highest byte first:
/// - `N`, nothing more: NULL
/// - `I`, 8 bytes, two's complement: INTEGER
/// - `R`, 8 bytes, IEEE 754: REAL
/// - `T`, 8 bytes that count the bytes that follow, UTF-8: TEXT
///
/// Every value tells its own length, so that no two records have the same bytes.
struct ChainLink: Hashable, Sendable {
  /// The tables with records.
  enum Table: String, CaseIterable {
    case weighings, audit

    /// All columns but `hash`, in order; texts as `true`.
    var columns: [(name: String, isText: Bool)] {
      switch self {
      case .weighings:
        [
          ("position", false), ("sequence", false), ("id", true), ("time_ns", false), ("gross_g", false),
          ("tare_g", false), ("net_g", false), ("division_g", false), ("uncertainty_g", false), ("label", true),
          ("source", true), ("calibration", true), ("calibration_counter", false), ("configuration_hash", true),
          ("voids", true),
        ]
      case .audit:
        [
          ("position", false), ("sequence", false), ("time_ns", false), ("kind", true), ("counter", false),
          ("detail", true),
        ]
      }
    }

    /// The columns for a SELECT from the table named `alias`, texts as the bytes they are.
    func selection(_ alias: String) -> String {
      columns.map { $0.isText ? "CAST(\(alias).\($0.name) AS BLOB)" : "\(alias).\($0.name)" }.joined(separator: ", ")
    }
  }

  let table: Table
  let values: [ColumnValue]

  /// The hash of this record behind one with the hash `previous`.
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
