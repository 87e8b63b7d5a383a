import Weighing

/// How long weighings are kept: the table `retention`, and the partitions that have expired by it.
enum Retention {
  /// What became of the partitions that have expired.
  enum Outcome: Hashable, Sendable {
    /// The names of those that were dropped.
    case dropped([String])
    /// Nothing was dropped, because the clocks of the database and of this machine differ by more than a day.
    case clocksDiffer
  }

  /// Sets for how many days after the end of its month a weighing is kept.
  ///
  /// - Parameter days: 0 keeps all.
  /// - Throws: With `PostgresError.isDenied` if the role is not the owner and the number of days is another one.
  static func set(days: Int, in connection: borrowing PostgresConnection) throws(PostgresError) {
    let rows = try connection.perform("SELECT keep_days FROM retention")
    guard rows.first?[0] ?? "0" != String(days) else { return }
    if days == 0 {
      try connection.perform("DELETE FROM retention")
    } else {
      try connection.perform(
        "INSERT INTO retention (keep_days) VALUES ($1) ON CONFLICT (single) DO UPDATE SET keep_days = $1", ["\(days)"])
    }
  }

  /// Drops what has expired, unless another collector does.
  ///
  /// The clock of the database decides. If it has jumped ahead, it would drop everything.
  ///
  /// - Parameter now: The current time since 1970 in UTC, by the clock of this machine.
  static func apply(at now: Instant, in connection: borrowing PostgresConnection) throws(PostgresError) -> Outcome {
    let rows = try connection.perform(
      "SELECT abs(extract(epoch FROM clock_timestamp()) - $1) <= 86400", ["\(now.nanoseconds / 1_000_000_000)"])
    guard rows == [["t"]] else { return .clocksDiffer }
    // What was detached before a collector was killed is dropped first: its name is free then.
    try connection.perform("SELECT drop_expired()")
    var dropped: [String] = []
    while let name = try connection.perform("SELECT detach_expired_partition()")[0][0] {
      dropped.append(name)
      try connection.perform("SELECT drop_expired()")
    }
    return .dropped(dropped)
  }
}
