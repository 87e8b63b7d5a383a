import Weighing

/// The gaps of a device in its row: read and locked, changed, and written in the same transaction.
extension RecordGaps {
  /// The columns from which a value is made, with the identifier of the device first.
  static let columns = """
    d.id, d.highest_sequence, d.known_sequence, d.missing_ranges, d.lost_ranges, d.requests, d.last_asked,
    (extract(epoch FROM d.next_request - now()) * 1000000)::bigint
    """

  /// The device and its gaps, from the values of `columns`; `nil` for a row without a device.
  static func read(_ row: some Collection<String?>) -> (device: String, gaps: RecordGaps)? {
    let row = Array(row)
    guard let device = row[0] else { return nil }
    var gaps = RecordGaps()
    gaps.highest = row[1].flatMap { Int($0) } ?? 0
    gaps.known = row[2].flatMap { Int($0) } ?? 0
    gaps.missing = RangeSet(multirange: row[3] ?? "")
    gaps.lost = RangeSet(multirange: row[4] ?? "")
    gaps.requests = row[5].flatMap { Int($0) } ?? 0
    gaps.lastAsked = row[6].flatMap { Int($0) }
    gaps.wait = row[7].flatMap { Int64($0) }.map { Interval(nanoseconds: $0 * 1000) }
    return (device, gaps)
  }

  /// Writes the gaps of devices, with the number of weighings that were added.
  ///
  /// - Parameter isAlive: Whether the devices were heard.
  static func write(
    _ devices: [(device: String, gaps: RecordGaps, weighings: Int)], isAlive: Bool,
    in connection: borrowing PostgresConnection
  ) throws(PostgresError) {
    guard !devices.isEmpty else { return }
    func array(_ value: (RecordGaps) -> (some LosslessStringConvertible)?) -> String {
      PostgresArray.text(devices.map { value($0.gaps).map(String.init) })
    }
    try connection.perform(
      """
      UPDATE device d SET
        last_seen = CASE WHEN $1::boolean THEN now() ELSE d.last_seen END, weighings = d.weighings + s.weighings,
        highest_sequence = s.highest, known_sequence = s.known, missing_ranges = s.missing, lost_ranges = s.lost,
        requests = s.requests, last_asked = s.last_asked, next_request = now() + s.wait * interval '1 microsecond'
      FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int8multirange[], $7::int8multirange[],
        $8::int[], $9::bigint[], $10::bigint[])
        AS s (id, weighings, highest, known, missing, lost, requests, last_asked, wait)
      WHERE d.id = s.id
      """,
      [
        "\(isAlive)", PostgresArray.text(devices.map(\.device)), PostgresArray.text(devices.map { "\($0.weighings)" }),
        array(\.highest), array(\.known), array(\.missing.multirange), array(\.lost.multirange), array(\.requests),
        array(\.lastAsked), array { $0.wait.map { $0.nanoseconds / 1000 } },
      ])
  }
}

extension RangeSet<Int> {
  /// Parses a multirange of PostgreSQL: `{[1,4),[7,9)}`.
  init(multirange text: String) {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    self.init(stride(from: 0, to: numbers.count - 1, by: 2).map { numbers[$0]..<numbers[$0 + 1] })
  }

  /// The set as a multirange of PostgreSQL.
  var multirange: String { "{" + ranges.map { "[\($0.lowerBound),\($0.upperBound))" }.joined(separator: ",") + "}" }
}
