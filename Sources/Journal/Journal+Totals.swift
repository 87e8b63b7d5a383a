import GRDB
import Weighing

/// The number and the net of the weighings that are not voided, in all and by day and label.
package struct WeighingTotals: Hashable, Sendable {
  /// What some weighings come to.
  package struct Sum: Hashable, Sendable {
    /// The number of weighings.
    package var count = 0
    /// The sum of their net masses.
    package var net = Grams.zero
    /// The finest of their divisions; `nil` without weighings.
    package var division: Division?

    /// Makes the sum of no weighings.
    package init() {}

    /// Adds the sum of other weighings.
    mutating func add(_ other: Sum) {
      count += other.count
      net = Grams(net.value + other.net.value)
      guard let new = other.division else { return }
      division = division.map { $0.step <= new.step ? $0 : new } ?? new
    }
  }

  /// The weighings of one day with one label.
  package struct Group: Hashable, Sendable {
    /// In local time, `2026-11-21`.
    package var day: String
    /// The label as amended.
    package var label: String?
    /// What they come to.
    package var sum: Sum
  }

  /// The newest days first, and in a day the label of the newest weighing first.
  package internal(set) var groups: [Group] = []
  /// Whether `groups` has all days and labels.
  package internal(set) var isComplete = true
  /// All weighings, also those of groups that are left out.
  package internal(set) var all = Sum()
  /// The number of the last record that is included.
  package internal(set) var sequence = 0
  /// The number before which the next page begins; `nil` once everything is included.
  package private(set) var next: Int? = .max

  /// Makes the totals of no weighings, to which `Journal.addPage` adds.
  package init() {}

  /// Whether everything is included.
  package var isFinished: Bool { next == nil }

  /// Adds the groups of a page, newest first. Pages go back in time, so a group that is left out, because there are `limit` newer
  /// ones, stays so: only a newer day could take a place.
  fileprivate mutating func add(_ page: [Group], next: Int?, limit: Int) {
    self.next = next
    var indices = Dictionary(
      uniqueKeysWithValues: groups.indices.map { (Key(day: groups[$0].day, label: groups[$0].label), $0) })
    for group in page {
      all.add(group.sum)
      let key = Key(day: group.day, label: group.label)
      if let index = indices[key] {
        groups[index].sum.add(group.sum)
        continue
      }
      // Days follow each other unless the clock was set.
      let place = groups.lastIndex { $0.day >= group.day }.map { $0 + 1 } ?? 0
      if groups.count == limit {
        isComplete = false
        if place == limit { continue }
        indices[Key(day: groups[limit - 1].day, label: groups[limit - 1].label)] = nil
        groups.removeLast()
      }
      groups.insert(group, at: place)
      if place < groups.count - 1 {
        for index in place..<groups.count {
          indices[Key(day: groups[index].day, label: groups[index].label)] = index
        }
      } else {
        indices[key] = place
      }
    }
  }

  private struct Key: Hashable {
    var day: String
    var label: String?
  }
}

extension WeighingTotals.Group {
  fileprivate init(_ row: Row) {
    let label: ColumnValue = row["label"]
    var sum = WeighingTotals.Sum()
    sum.count = row["count"]
    sum.net = Grams(Double.fromDatabaseValue(row["net"]) ?? 0)
    if let step = Double.fromDatabaseValue(row["division"]) { sum.division = Division(Grams(step)) }
    self.init(day: String.fromDatabaseValue(row["day"]) ?? "", label: label.text, sum: sum)
  }
}

extension Journal {
  /// Sums up all weighings that are not voided.
  ///
  /// - Parameter groups: The maximum number of groups to return.
  package func totals(groups: Int) throws(JournalError) -> WeighingTotals {
    var totals = WeighingTotals()
    while !totals.isFinished { try addPage(to: &totals, of: WeighingSelection(), groups: groups) }
    return totals
  }

  /// Adds some weighings of a selection that are not voided to totals, newest first, in a transaction of its own.
  ///
  /// Records that are made after the first page do not count, nor do their voids and relabels.
  ///
  /// - Parameter groups: The maximum number of groups to keep.
  package func addPage(
    to totals: inout WeighingTotals, of selection: WeighingSelection, groups limit: Int
  ) throws(JournalError) {
    let before = totals
    totals = try read { db in
      var totals = before
      if totals.next == .max {
        totals.sequence = try Int.fetchOne(db, sql: "SELECT max(sequence) FROM weighings") ?? 0
      }
      let last = totals.sequence
      guard let scope = try Self.scope(of: selection, before: min(totals.next ?? 0, last + 1), db) else {
        totals.add([], next: nil, limit: limit)
        return totals
      }
      let page = try selection.withConditions(db) { conditions, arguments in
        try Row.fetchAll(
          db,
          sql: """
            SELECT date(w.time_ns / 1000000000, 'unixepoch', 'localtime') AS day, \(HistoryQuery.label) AS label,
              count(*) AS count, sum(w.net_g) AS net, min(w.division_g) AS division
            FROM \(HistoryQuery.tables(asOf: last))
            WHERE w.sequence BETWEEN ? AND ? AND \(HistoryQuery.isWeighing) AND v.id IS NULL AND \(conditions)
            GROUP BY 1, 2 ORDER BY 1 DESC, max(w.sequence) DESC
            """, arguments: [scope.numbers.lowerBound, scope.numbers.upperBound] + arguments
        ).map(WeighingTotals.Group.init)
      }
      totals.add(page, next: scope.next, limit: limit)
      return totals
    }
  }
}
