import Messages
import Weighing

/// The partitions of `weighing`: one for each month in UTC, named `weighing_2026_11`.
enum Partition {
  /// A month in UTC.
  struct Month: Hashable, Comparable, Sendable {
    let year: Int
    /// 1 to 12.
    let number: Int

    /// The month of a time in milliseconds since 1970; `nil` outside 2020 to 2099, where only a wrong clock can be.
    init?(of milliseconds: Int) {
      guard (1_577_836_800_000..<4_102_444_800_000).contains(milliseconds) else { return nil }
      let text = WallClock.recorded.text(Instant(nanoseconds: Int64(milliseconds) * 1_000_000))
      guard let year = Int(text.prefix(4)), let number = Int(text.dropFirst(5).prefix(2)) else { return nil }
      (self.year, self.number) = (year, number)
    }

    private init(year: Int, number: Int) { (self.year, self.number) = (year, number) }

    var next: Month { number == 12 ? Month(year: year + 1, number: 1) : Month(year: year, number: number + 1) }

    /// `2026-11-01`
    var start: String { "\(year)-\(twoDigits)-01" }

    private var twoDigits: String { (number < 10 ? "0" : "") + String(number) }

    static func < (left: Month, right: Month) -> Bool { (left.year, left.number) < (right.year, right.number) }
  }

  /// Creates the partition of a month unless there is one.
  ///
  /// Its records may already be in `weighing_other`, which holds those without a partition, for example of a device whose
  /// clock was ahead. They move.
  static func create(_ month: Month, in connection: borrowing PostgresConnection) throws(PostgresError) {
    try connection.perform("SELECT create_partition($1::date)", [month.start])
  }
}
