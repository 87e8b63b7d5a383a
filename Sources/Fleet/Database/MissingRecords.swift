import Messages

/// The requests for records that are missing.
enum MissingRecords {
  /// Maximum number of requests per device at a time; an appliance queues 16.
  private static let requestsPerDevice = 8

  /// Takes the requests that are due; another collector gets others.
  ///
  /// The wait until the next request of a device doubles from 5 s to 5 minutes, and starts again when a record arrives. Each
  /// time continues with the holes after those of the last one, so that holes which are never filled do not hold up others.
  /// While `requests` is 0, only the holes that were not asked for are, if there are any: the others are being filled.
  ///
  /// - Parameter limit: Maximum number of devices.
  static func takeRequests(
    limit: Int, in connection: borrowing PostgresConnection
  ) throws(PostgresError) -> [FleetStore.Request] {
    let rows = try connection.perform(
      """
      WITH due AS MATERIALIZED (
        SELECT id, missing_ranges, coalesce(last_asked, 0) AS last_asked, requests FROM device
        WHERE missing_ranges <> '{}' AND coalesce(next_request, now()) <= now()
        ORDER BY next_request LIMIT \(limit) FOR UPDATE SKIP LOCKED
      ), chosen AS MATERIALIZED (
        SELECT due.id, r.start, r.last, r.place FROM due, LATERAL (
          SELECT start, least(past, start + \(Command.maximumResendCount)) - 1 AS last, place FROM (
            SELECT lower(range) AS start, upper(range) AS past,
              row_number() OVER (ORDER BY lower(range) <= due.last_asked, range) AS place,
              bool_or(lower(range) > due.last_asked) OVER () AS has_new
            FROM unnest(due.missing_ranges) AS range
          ) ranges WHERE due.requests > 0 OR start > due.last_asked OR NOT has_new
          ORDER BY place LIMIT \(Self.requestsPerDevice)
        ) r
      ), asked AS (
        UPDATE device d SET requests = requests + 1, last_asked = c.last,
          next_request = now() + least(5 * power(2, least(requests, 6)), 300) * interval '1 second'
        FROM (SELECT DISTINCT ON (id) id, last FROM chosen ORDER BY id, place DESC) c WHERE d.id = c.id
      )
      SELECT id, start, last FROM chosen ORDER BY id, place
      """, [])
    return rows.compactMap { row in
      guard let device = row[0], let from = row[1].flatMap({ Int($0) }), let to = row[2].flatMap({ Int($0) }) else {
        return nil
      }
      return FleetStore.Request(device: device, range: from...to)
    }
  }

  /// Stores that a device does not have records.
  ///
  /// The next request follows at once, since an answer also means that the device is there. A device that has assigned less
  /// than what is known of it has lost its journal, or part of it, and will assign those numbers again: then they are asked
  /// for like others.
  static func save(
    _ report: ResendReport, of device: String, in connection: borrowing PostgresConnection
  ) throws(PostgresError) {
    let ranges = report.missing.map { "[\($0.lowerBound),\($0.upperBound)]" }
    try connection.perform(
      """
      UPDATE device SET lost_ranges = lost_ranges + (missing_ranges * $2::int8multirange),
        missing_ranges = missing_ranges - $2::int8multirange, last_seen = now(),
        known_sequence = least(known_sequence, greatest(highest_sequence, coalesce($3::bigint, known_sequence))),
        next_request = CASE
          WHEN requests <= 1 OR missing_ranges && $2::int8multirange THEN now() + interval '1 second'
          ELSE next_request END
      WHERE id = $1
      """, [device, "{\(ranges.joined(separator: ","))}", report.last.map { "\(max($0, 0))" }])
  }
}
