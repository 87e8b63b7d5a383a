/// How long weighings are kept: the table `retention`, and the partitions that have expired by it.
enum Retention {
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
  /// - Returns: The names of the partitions.
  static func apply(in connection: borrowing PostgresConnection) throws(PostgresError) -> [String] {
    // What was detached before a collector was killed is dropped first: its name is free then.
    try connection.perform("SELECT drop_expired()")
    var dropped: [String] = []
    while let name = try connection.perform("SELECT detach_expired_partition()")[0][0] {
      dropped.append(name)
      try connection.perform("SELECT drop_expired()")
    }
    return dropped
  }
}
