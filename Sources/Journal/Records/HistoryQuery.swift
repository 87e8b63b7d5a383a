import GRDB
import Synchronization
import Weighing

/// A query over records with their later changes: `w` is the record, `v` the record that voids it, `r` the last one that relabels it.
struct HistoryQuery {
  /// The tables, for `FROM`.
  let tables: String
  /// The condition that a record is a weighing.
  let isWeighing: String

  /// The effective label, with invalid UTF-8 preserved.
  static let label = "CAST(iif(r.sequence IS NULL, w.label, r.label) AS BLOB)"

  /// - Parameter last: The number of the last record whose voids and relabels are included.
  init(_ db: Database, asOf last: Int = .max) throws {
    // A file of an earlier version has no relabels.
    let hasRelabels = try db.columns(in: "weighings").contains { $0.name == "amends" }
    let relabel =
      hasRelabels
      ? "(SELECT max(sequence) FROM weighings WHERE amends = ifnull(w.voids, w.id) AND sequence <= \(last))" : "NULL"
    tables = """
      weighings w LEFT JOIN weighings v ON v.voids = w.id AND v.sequence <= \(last)
        LEFT JOIN weighings r ON r.sequence = \(relabel)
      """
    isWeighing = "w.voids IS NULL" + (hasRelabels ? " AND w.amends IS NULL" : "")
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
  /// Ids increase with the sequence, and the milliseconds in them are at least those of the time of their record, also after the
  /// clock was set back: all records with a smaller id than `from` are earlier. Those with a greater one than `until` are later,
  /// except for the records with an earlier time than their id, which have an index of their own.
  func scope(_ db: Database) throws -> ClosedRange<Int>? {
    var (first, last) = (0, Int.max)
    if let from {
      let next = try Int.fetchOne(
        db, sql: "SELECT sequence FROM weighings WHERE id >= ? ORDER BY id LIMIT 1", arguments: [Self.id(from)])
      guard let next else { return nil }
      first = next
    }
    if let until {
      let inOrder = try Int.fetchOne(
        db, sql: "SELECT sequence FROM weighings WHERE id < ? ORDER BY id DESC LIMIT 1",
        arguments: [Self.id(max(until, until + .milliseconds(1)))])
      // Without the sign, SQLite would look for the highest number by going through the records.
      let earlier = try Int.fetchOne(
        db, sql: "SELECT max(+sequence) FROM weighings WHERE time_ns < ? AND \(Schema.isEarlier)",
        arguments: [until.nanoseconds])
      guard inOrder != nil || earlier != nil else { return nil }
      last = max(inOrder ?? 0, earlier ?? 0)
    }
    return first <= last ? first...last : nil
  }

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
