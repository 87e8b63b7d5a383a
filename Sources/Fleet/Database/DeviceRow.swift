import Weighing

/// The gaps of a device in its row: read and locked, changed, and written in the same transaction.
struct DeviceRow {
  let device: String
  var gaps = RecordGaps()
  /// The number of weighings that were added.
  var weighings = 0

  /// The columns from which a value is made.
  static let columns = """
    d.id, d.highest_sequence, d.known_sequence, d.missing_ranges, d.lost_ranges, d.requests, d.last_asked,
    CASE WHEN isfinite(d.next_request) THEN (least(extract(epoch FROM d.next_request - now()), 1e9) * 1000000)::bigint END
    """

  /// Reads the values of `columns`, which may be followed by others; `nil` for a row without a device.
  init?(_ values: some Collection<String?>) {
    let values = Array(values)
    func number(_ index: Int) -> Int? { values[index].flatMap { Int($0) } }
    guard let device = values[0] else { return nil }
    self.device = device
    gaps.highest = number(1) ?? 0
    gaps.known = number(2) ?? 0
    gaps.missing = RangeSet(multirange: values[3] ?? "")
    gaps.lost = RangeSet(multirange: values[4] ?? "")
    gaps.requests = number(5) ?? 0
    gaps.lastAsked = number(6)
    gaps.wait = number(7).map { Interval(nanoseconds: Int64($0) * 1000) }
  }

  /// Writes rows.
  ///
  /// - Parameter isAlive: Whether the devices were heard.
  static func write(
    _ rows: [DeviceRow], isAlive: Bool, in connection: borrowing PostgresConnection
  ) throws(PostgresError) {
    guard !rows.isEmpty else { return }
    func numbers(_ value: (DeviceRow) -> Int?) -> String { PostgresArray.numbers(rows.map(value)) }
    func texts(_ value: (DeviceRow) -> String) -> String { PostgresArray.text(rows.map(value)) }
    try connection.perform(
      """
      UPDATE device d SET
        last_seen = CASE WHEN $1::boolean THEN now() ELSE d.last_seen END, weighings = d.weighings + s.weighings,
        highest_sequence = s.highest, known_sequence = s.known, missing_ranges = s.missing, lost_ranges = s.lost,
        requests = s.requests, last_asked = s.last_asked,
        next_request = coalesce(now() + s.wait * interval '1 microsecond', d.next_request)
      FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int8multirange[], $7::int8multirange[],
        $8::int[], $9::bigint[], $10::bigint[])
        AS s (id, weighings, highest, known, missing, lost, requests, last_asked, wait)
      WHERE d.id = s.id
      """,
      [
        "\(isAlive)", texts(\.device), numbers(\.weighings), numbers(\.gaps.highest), numbers(\.gaps.known),
        texts(\.gaps.missing.multirange), texts(\.gaps.lost.multirange), numbers(\.gaps.requests),
        numbers(\.gaps.lastAsked), numbers { $0.gaps.wait.map { Int($0.nanoseconds / 1000) } },
      ])
  }
}

extension RangeSet<Int> {
  /// Parses a multirange of PostgreSQL: `{[1,4),[7,9)}`.
  init(multirange text: String) {
    var numbers: [Int] = []
    var number: Int?
    for byte in text.utf8 {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
      } else if let complete = number {
        numbers.append(complete)
        number = nil
      }
    }
    self.init(stride(from: 0, to: numbers.count - 1, by: 2).map { numbers[$0]..<numbers[$0 + 1] })
  }

  /// The set as a multirange of PostgreSQL.
  var multirange: String { "{" + ranges.map { "[\($0.lowerBound),\($0.upperBound))" }.joined(separator: ",") + "}" }
}
