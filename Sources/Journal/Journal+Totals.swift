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
}

extension Journal {
  /// Sums up all weighings that are not voided, in one transaction.
  ///
  /// - Parameter groups: The maximum number of groups to return.
  package func totals(groups: Int) throws(JournalError) -> WeighingTotals {
    try read { db in
      var totals = WeighingTotals()
      totals.sequence = try Int.fetchOne(db, sql: "SELECT max(sequence) FROM weighings") ?? 0
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT date(w.time_ns / 1000000000, 'unixepoch', 'localtime') AS day,
            CAST(iif(r.sequence IS NULL, w.label, r.label) AS BLOB) AS label,
            count(*) AS count, sum(w.net_g) AS net, min(w.division_g) AS division
          FROM weighings w LEFT JOIN weighings r
            ON r.sequence = (SELECT max(a.sequence) FROM weighings a WHERE a.amends = w.id)
          WHERE w.voids IS NULL AND w.amends IS NULL
            AND NOT EXISTS (SELECT 1 FROM weighings v WHERE v.voids = w.id)
          GROUP BY 1, 2 ORDER BY 1 DESC, max(w.sequence) DESC
          """)
      while let row = try rows.next() {
        var sum = WeighingTotals.Sum()
        sum.count = row["count"]
        sum.net = Grams(row["net"])
        sum.division = Division(Grams(row["division"]))
        totals.all.add(sum)
        guard totals.groups.count < groups else {
          totals.isComplete = false
          continue
        }
        let label: ColumnValue = row["label"]
        totals.groups.append(WeighingTotals.Group(day: row["day"] ?? "", label: label.text, sum: sum))
      }
      return totals
    }
  }
}
