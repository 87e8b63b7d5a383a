import Journal
import Messages
import Synchronization
import Weighing

/// The totals of all weighings for the page.
///
/// Each summation reads the whole journal. It is repeated only after new records, and takes at most a tenth of the
/// time: until then the page gets the last totals, whose `sequence` tells how far they reach.
final class TotalsReport: Sendable {
  private struct Summation: Sendable {
    var sequence: Int
    var payload: [UInt8]
    /// The earliest time of the next one.
    var next: Instant
  }

  /// The maximum number of groups: a year of days with one label, and less than 40 KB.
  static let maximumGroups = 366

  private let last = Mutex<Summation?>(nil)

  /// The totals as JSON. Calls must not overlap.
  ///
  /// - Parameter newest: The number of the newest record.
  /// - Parameter source: Reads the totals of all weighings; may block on the disk.
  func json(
    newest: Int, at now: Instant, _ source: (_ groups: Int) throws(JournalError) -> WeighingTotals
  ) throws(JournalError) -> [UInt8] {
    if let last = last.withLock({ $0 }), last.sequence >= newest || now < last.next { return last.payload }
    let totals = try source(Self.maximumGroups)
    let payload = Self.json(totals)
    let end = Instant.now()
    last.withLock {
      $0 = Summation(
        sequence: totals.sequence, payload: payload,
        next: end + Interval(nanoseconds: 9 * max((end - now).nanoseconds, 0)))
    }
    return payload
  }

  /// The totals as JSON.
  static func json(_ totals: WeighingTotals) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("sequence")
      json.integer(totals.sequence)
      write(totals.all, to: &json)
      json.key("complete")
      json.boolean(totals.isComplete)
      json.key("groups")
      json.array { json in
        for group in totals.groups {
          json.object { json in
            json.key("day")
            json.string(group.day)
            json.key("label")
            json.string(group.label)
            write(group.sum, to: &json)
          }
        }
      }
    }
    return json.bytes
  }

  private static func write(_ sum: WeighingTotals.Sum, to json: inout JSONWriter) {
    json.key("weighings")
    json.integer(sum.count)
    json.key("net_g")
    json.number(sum.net.value, decimals: sum.division?.decimals ?? 0)
  }
}
