import Languages
import Weighing

/// The result of the command `resend`: which records were published again, and which could not be.
public struct ResendResult: Hashable, Sendable {
  /// The sequence numbers that the client asked for.
  public var range: ClosedRange<Int>
  /// Number of records that the broker has accepted.
  public var sent = 0
  /// Sequence numbers without a record in the journal, ascending.
  public var missing: [ClosedRange<Int>] = []
  /// Records that were left out because a broker has rejected them; they are still in the outbox.
  public var rejected: [ClosedRange<Int>] = []
  /// The highest sequence number that the journal has assigned; 0 if there is none.
  public var last = 0
  /// Why the command is rejected; `nil` if it was carried out.
  public var rejection: Rejection?
  /// The limit that a rejected command has hit.
  private var limit: RejectionDetail?
  /// The source of the command.
  public var source: ActionSource
  /// The time of the result.
  public var time: Instant

  /// Why a command is rejected; the raw values are published as `reason`.
  public enum Rejection: String, Hashable, Sendable {
    /// Too many commands are waiting.
    case busy
    /// The message expiry has passed.
    case expired
    /// The journal cannot be read.
    case journalUnavailable = "journal_unavailable"
  }

  /// Makes a result for which nothing was sent yet.
  public init(range: ClosedRange<Int>, source: ActionSource, time: Instant = Instant(nanoseconds: 0)) {
    (self.range, self.source, self.time) = (range, source, time)
  }

  /// Makes the result of a command that is rejected.
  public init(
    range: ClosedRange<Int>, source: ActionSource, rejection: Rejection, limit: RejectionDetail, time: Instant
  ) {
    self.init(range: range, source: source, time: time)
    (self.rejection, self.limit) = (rejection, limit)
  }

  /// The limit of a rejection, or what was not sent: `not in the journal: 5-7, 12`; `nil` if everything was.
  var detail: Sentence? {
    if let limit { return limit.sentence }
    let absent = missing.isEmpty ? nil : Sentence(.detailNotInJournal, ["numbers": Self.text(missing)])
    let refused = rejected.isEmpty ? nil : Sentence(.detailRefusedByBroker, ["numbers": Self.text(rejected)])
    return absent?.and(refused) ?? refused
  }

  /// Maximum number of ranges in a text; the field `missing` has all of them.
  private static let maximumRanges = 100

  private static func text(_ ranges: [ClosedRange<Int>]) -> String {
    var texts = ranges.prefix(maximumRanges).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }
    if ranges.count > maximumRanges { texts.append("… (+\(ranges.count - maximumRanges))") }
    return texts.joined(separator: ", ")
  }
}

extension [ClosedRange<Int>] {
  /// Appends a number that is higher than all others.
  package mutating func append(number: Int) {
    if let last, last.upperBound + 1 == number {
      self[count - 1] = last.lowerBound...number
    } else {
      append(number...number)
    }
  }
}
