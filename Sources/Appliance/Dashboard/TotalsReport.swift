import Journal
import Messages
import Synchronization
import Weighing

/// The totals of selections for the page, as JSON.
///
/// Summing up may take several requests; what they have in common is kept here. It is repeated only after new records, and takes at
/// most a tenth of the time: until then the page gets the last totals, whose `sequence` tells how far they reach.
final class TotalsReport: Sendable {
  private struct Summation: Sendable {
    /// The last finished totals with the number of the last record; `nil` before that.
    var last: (sequence: Int, payload: [UInt8])?
    /// The totals in progress; `nil` between two summations.
    var unfinished: WeighingTotals?
    /// The time that they have taken so far.
    var spent = Interval.zero
    /// The earliest time of the next summation.
    var next: Instant
    var used: Instant
  }

  /// The maximum number of groups: a year of days with one label, and less than 40 KB.
  static let maximumGroups = 366

  /// Number of selections that are kept, with at most 80 KB each.
  static let maximumSelections = 16

  private let summations = Mutex<[WeighingSelection: Summation]>([:])

  /// The kept totals of a selection; `nil` if it is time to continue or repeat their summation.
  ///
  /// - Parameter newest: The number of the newest record.
  func payload(of selection: WeighingSelection, newest: Int, at now: Instant) -> [UInt8]? {
    summations.withLock { summations in
      summations[selection]?.used = now
      guard let summation = summations[selection], summation.unfinished == nil, let last = summation.last else {
        return nil
      }
      return last.sequence >= newest || now < summation.next ? last.payload : nil
    }
  }

  /// The totals of a selection in progress, or new ones.
  func unfinished(_ selection: WeighingSelection) -> WeighingTotals {
    summations.withLock { $0[selection]?.unfinished } ?? WeighingTotals()
  }

  /// Keeps totals that were worked on from `begin` to `end`; returns those for the client: these, or while they are not finished the
  /// ones before, if there are any.
  func keep(_ totals: WeighingTotals, of selection: WeighingSelection, from begin: Instant, to end: Instant) -> [UInt8]
  {
    let payload = Self.json(totals)
    return summations.withLock { summations in
      var summation = summations[selection] ?? Summation(next: end, used: end)
      let spent = Interval(nanoseconds: summation.spent.nanoseconds + max((end - begin).nanoseconds, 0))
      if totals.isFinished {
        summation.last = (totals.sequence, payload)
        summation.next = end + Interval(nanoseconds: 9 * spent.nanoseconds)
        (summation.unfinished, summation.spent) = (nil, .zero)
      } else {
        (summation.unfinished, summation.spent) = (totals, spent)
      }
      summation.used = end
      summations[selection] = summation
      if summations.count > Self.maximumSelections,
        let oldest = summations.min(by: { $0.value.used < $1.value.used })?.key
      {
        summations[oldest] = nil
      }
      return summation.last?.payload ?? payload
    }
  }

  /// The totals as JSON.
  static func json(_ totals: WeighingTotals) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("sequence", totals.sequence)
      json.field("next", totals.next)
      write(totals.all, to: &json)
      json.field("complete", totals.isComplete)
      json.array("groups", totals.groups) { json, group in
        json.object { json in
          json.field("day", group.day)
          json.field("label", group.label)
          write(group.sum, to: &json)
        }
      }
    }
    return json.bytes
  }

  private static func write(_ sum: WeighingTotals.Sum, to json: inout JSONWriter) {
    json.field("weighings", sum.count)
    json.field("net_g", sum.net.value, decimals: sum.division?.decimals ?? 0)
  }
}
