import Foundation
import GRDB

/// The exact value of a column.
enum ColumnValue: Hashable, Sendable, DatabaseValueConvertible {
  case null
  case integer(Int64)
  case real(Double)
  /// UTF-8.
  case text([UInt8])

  /// A text; without NUL characters, which SQLite's text functions do not support.
  init(_ text: String?) { self = text.map { .text($0.utf8.filter { $0 != 0 }) } ?? .null }

  /// A number; SQLite stores neither NaN, which becomes `null` here as well, nor negative zero.
  init(_ number: Double?) { self = number.flatMap { $0.isNaN ? nil : .real($0 + 0) } ?? .null }

  /// A whole number.
  init(_ number: Int) { self = .integer(Int64(number)) }

  /// An optional whole number.
  init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
    }
  }

  /// The value of a row; a text must be cast to a blob, so that invalid UTF-8 is preserved.
  static func fromDatabaseValue(_ value: DatabaseValue) -> ColumnValue? {
    switch value.storage {
    case .null: .null
    case .int64(let number): .integer(number)
    case .double(let number): .real(number)
    case .string(let text): .text(Array(text.utf8))
    case .blob(let data): .text(Array(data))
    }
  }

  var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
  var real: Double? { if case .real(let number) = self { number } else { nil } }
  var text: String? { if case .text(let bytes) = self { String(validating: bytes, as: UTF8.self) } else { nil } }
}
