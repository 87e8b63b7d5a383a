import Messages

/// What a device answers to `command/resend`.
package struct ResendReport: Hashable, Sendable {
  /// The records that the device does not have, as ranges.
  package var missing: [ClosedRange<Int>] = []
  /// The highest sequence that the device has assigned; `nil` if it does not say so.
  package var last: Int?

  /// Makes a report.
  init(missing: [ClosedRange<Int>], last: Int?) {
    (self.missing, self.last) = (missing, last)
  }

  /// Parses an answer; `nil` for the answer to another command and for a rejection.
  init?(_ payload: [UInt8]) {
    guard let json = try? JSONValue(payload, maximumBytes: CollectedMessage.maximumBytes),
      json["action"]?.text == Command.resendName, json["ok"]?.isTrue == true
    else { return nil }
    if case .number(let last)? = json["last"] { self.last = Int(exactly: last) }
    guard case .array(let ranges)? = json["missing"] else { return nil }
    for range in ranges {
      guard case .array(let ends) = range, ends.count == 2, case .number(let from) = ends[0],
        case .number(let to) = ends[1], let range = Self.range(Int(exactly: from), Int(exactly: to))
      else { return nil }
      missing.append(range)
    }
  }

  /// Adds a later answer of the same device.
  mutating func append(_ report: ResendReport) {
    missing += report.missing
    last = report.last ?? last
  }

  private static func range(_ from: Int?, _ to: Int?) -> ClosedRange<Int>? {
    guard let from, let to, from >= 1, from <= to, Health.sequences.contains(to) else { return nil }
    return from...to
  }
}
