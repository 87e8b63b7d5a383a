import Messages
import Weighing

/// What is known of the records of a device: which ones are missing, and when they are asked for.
///
/// A value without a clock: `wait` counts from the moment of the change. The rows of the database hold it between changes, so that
/// several collectors keep it right together.
struct RecordGaps: Hashable, Sendable {
  /// The highest sequence that is stored.
  var highest = 0
  /// The highest sequence that the device has told of.
  var known = 0
  /// The records that the device has assigned and that are not stored.
  var missing = RangeSet<Int>()
  /// Those that the device does not have either.
  var lost = RangeSet<Int>()
  /// The number of requests since a record has arrived; 0 after a new hole was found.
  var requests = 0
  /// The last record that was asked for.
  var lastAsked: Int?
  /// The time until missing records are asked for, negative if that is overdue; `nil` before the first hole.
  var wait: Interval?

  /// How soon a new gap is asked for: after records, after a health, whose records may still be on their way, and beside others.
  private static let patience = Interval.seconds(1)
  private static let patienceWithTail = Interval.seconds(2)
  private static let patienceBesideOthers = Interval.seconds(3)
  /// How long a gap that is being filled is left alone: 10,000 records take 20 s.
  private static let patienceWhileFilling = Interval.seconds(5)
  /// The wait after a request, which doubles each time.
  private static let firstRetry = 5.0
  private static let lastRetry = 300.0
  /// Maximum number of requests at a time; an appliance queues 16.
  private static let requestsAtATime = 8

  /// Records were stored: a sequence above the known ones opens a gap of what is between them.
  ///
  /// While a gap that was asked for is being filled, it is not asked for again. A new gap waits neither for that nor for the
  /// back-off of an earlier one.
  ///
  /// - Parameter stored: Their sequences.
  mutating func add(_ stored: RangeSet<Int>) {
    let before = missing
    let top = (stored.ranges.last?.upperBound ?? 1) - 1
    let new = learn(upTo: top)
    missing.subtract(stored)
    lost.subtract(stored)
    highest = max(highest, top)
    if !new.isSubset(of: stored) {
      open(besides: before, within: Self.patience)
    } else if before.isEmpty {
      requests = 0
    } else if !before.isDisjoint(stored) {
      if requests > 0 { wait = Self.patienceWhileFilling }
      requests = min(requests, 1)
    }
  }

  /// The device has told of a sequence.
  mutating func learn(of sequence: Int) {
    let before = missing
    if !learn(upTo: sequence).isEmpty { open(besides: before, within: Self.patienceWithTail) }
  }

  /// The device does not have records. An answer also means that it is there, so the next request follows at once.
  ///
  /// A device that has assigned less than what is known of it has lost its journal, or part of it, and will assign those
  /// numbers again: then they are asked for like others.
  mutating func learn(from report: ResendReport) {
    let absent = RangeSet(report.missing.map { $0.lowerBound..<$0.upperBound + 1 })
    if requests <= 1 || !missing.isDisjoint(absent) { wait = Self.patience }
    lost.formUnion(missing.intersection(absent))
    missing.subtract(absent)
    if let last = report.last { known = min(known, max(highest, last)) }
  }

  /// Takes the next requests. Each time continues with the holes after those of the last one, so that holes which are never filled
  /// do not hold up others; while `requests` is 0, the holes that were asked for are being filled.
  mutating func takeRequests() -> [ClosedRange<Int>] {
    let new = missing.ranges.filter { $0.lowerBound > lastAsked ?? 0 }
    let old = requests > 0 || new.isEmpty ? missing.ranges.filter { $0.lowerBound <= lastAsked ?? 0 } : []
    let chosen = (new + old).prefix(Self.requestsAtATime).map {
      $0.lowerBound...min($0.upperBound, $0.lowerBound + Command.maximumResendCount) - 1
    }
    guard let last = chosen.last?.upperBound else { return [] }
    wait = .seconds(min(Self.firstRetry * Double(1 << min(requests, 6)), Self.lastRetry))
    (lastAsked, requests) = (last, requests + 1)
    return chosen
  }

  /// All up to a sequence are assigned; returns those that were not known.
  private mutating func learn(upTo sequence: Int) -> RangeSet<Int> {
    guard sequence > known else { return RangeSet() }
    let new = RangeSet(known + 1..<sequence + 1)
    missing.formUnion(new)
    lost.subtract(new)
    known = sequence
    return new
  }

  /// A gap was found.
  private mutating func open(besides others: RangeSet<Int>, within patience: Interval) {
    requests = 0
    wait = others.isEmpty ? patience : min(wait ?? Self.patienceBesideOthers, Self.patienceBesideOthers)
  }
}
