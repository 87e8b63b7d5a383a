import GRDB
import Synchronization
import Weighing

/// A query over records with their later changes: `w` is the record, `v` the record that voids it, `r` the last one that relabels it.
enum HistoryQuery {
  /// The condition that a record is a weighing.
  static let isWeighing = "w.voids IS NULL AND w.amends IS NULL"

  /// The effective label, with invalid UTF-8 preserved.
  static let label = "CAST(iif(r.sequence IS NULL, w.label, r.label) AS BLOB)"

  /// The tables, for `FROM`.
  ///
  /// - Parameter last: The number of the last record whose voids and relabels are included.
  static func tables(asOf last: Int = .max) -> String {
    """
    weighings w LEFT JOIN weighings v ON v.voids = w.id AND v.sequence <= \(last)
      LEFT JOIN weighings r ON r.sequence =
        (SELECT max(sequence) FROM weighings WHERE amends = ifnull(w.voids, w.id) AND sequence <= \(last))
    """
  }
}

extension WeighingSelection {
  /// Returns the result of `body`, which gets the conditions of this selection for `WHERE`, with the aliases of `HistoryQuery`.
  func withConditions<T>(_ db: Database, _ body: (String, StatementArguments) throws -> T) throws -> T {
    var (conditions, arguments): ([String], StatementArguments) = ([], [])
    if let from {
      conditions.append("w.time_ns >= ?")
      arguments += [from.nanoseconds]
    }
    if let until {
      conditions.append("w.time_ns < ?")
      arguments += [until.nanoseconds]
    }
    if let isVoided { conditions.append("\(isVoided ? "" : "NOT ")(v.id IS NOT NULL OR w.voids IS NOT NULL)") }
    guard dependsOnLabel else {
      return try body(conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND "), arguments)
    }
    let labels = LabelCondition(self)
    let function = DatabaseFunction("is_selected", argumentCount: 1, pure: true) { values in labels.includes(values[0])
    }
    db.add(function: function)
    defer { db.remove(function: function) }
    conditions.append("is_selected(\(HistoryQuery.label))")
    return try body(conditions.joined(separator: " AND "), arguments)
  }

  /// The numbers of the records that can be in the selection; `nil` if there are none.
  ///
  /// The milliseconds in the id of a record are those of its time, or later if the clock was set back: then the record is in an
  /// index of its own. Ids are no order: a clock that was far in the future and is set right makes smaller ids again.
  func scope(_ db: Database) throws -> ClosedRange<Int>? {
    if from == nil, until == nil { return 0...Int.max }
    let ids = (from.map(Self.id) ?? "", until.map { Self.id(max($0, $0 + .milliseconds(1))) } ?? Self.aboveAllIDs)
    let inOrder = try Self.numbers(db, "id >= ? AND id < ?", [ids.0, ids.1])
    let earlier = try Self.numbers(
      db, Self.earlier, [from?.nanoseconds ?? .min, until?.nanoseconds ?? .max])
    let all = [inOrder, earlier].compactMap(\.self)
    guard let first = all.map(\.lowerBound).min(), let last = all.map(\.upperBound).max() else { return nil }
    return (from == nil ? 0 : first)...(until == nil ? Int.max : last)
  }

  /// The records of a time whose ids have a later one.
  static let earlier = "time_ns >= ? AND time_ns < ? AND \(Schema.isEarlier)"

  /// The lowest and the highest number of some records, read from an index alone: 0.1 s for a million.
  private static func numbers(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> ClosedRange<Int>? {
    let row = try Row.fetchOne(
      db, sql: "SELECT min(sequence), max(sequence) FROM weighings WHERE \(condition)", arguments: arguments)
    guard let row, let first = Int.fromDatabaseValue(row[0]), let last = Int.fromDatabaseValue(row[1]) else {
      return nil
    }
    return first...max(first, last)
  }

  /// Greater than the text of any id, which has hexadecimal digits.
  private static let aboveAllIDs = "g"

  /// The smallest id of a time.
  private static func id(_ time: Instant) -> String { WeighingID(time: time, randomness: (0, 0)).description }
}

/// The conditions of a selection for labels, evaluated once for each label: there are far fewer labels than weighings.
private final class LabelCondition: Sendable {
  private static let capacity = 4096
  private let selection: WeighingSelection
  private let known = Mutex<[DatabaseValue: Bool]>([:])

  init(_ selection: WeighingSelection) { self.selection = selection }

  func includes(_ value: DatabaseValue) -> Bool {
    known.withLock { known in
      if let answer = known[value] { return answer }
      if known.count == Self.capacity { known.removeAll(keepingCapacity: true) }
      let answer = selection.includes(label: ColumnValue.fromDatabaseValue(value)?.text)
      known[value] = answer
      return answer
    }
  }
}
