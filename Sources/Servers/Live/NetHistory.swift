import Messages
import Weighing

/// A range of the chart beyond the trace of the last minutes.
enum TraceRange: String, CaseIterable, Sendable {
  case hour = "1h"
  case sixHours = "6h"
  case day = "24h"

  /// The length of a bucket.
  var bucket: Interval {
    switch self {
    case .hour: .seconds(5)
    case .sixHours: .seconds(30)
    case .day: .seconds(120)
    }
  }
}

/// The net of a range in buckets: the lowest, the highest and the last value in each.
///
/// The memory is fixed: 720 buckets of 20 bytes, 43,200 bytes for all three ranges. Times are those of the monotonic clock, so that
/// setting the system clock moves nothing.
struct NetHistory: Sendable {
  /// The net during a bucket, in grams.
  struct Bucket: Hashable, Sendable {
    /// The number of the bucket since the start of the clock; negative for an unused place.
    var number: Int32 = -1
    /// The extremes and the last value; NaN without any.
    var low = Float.nan
    var high = Float.nan
    var last = Float.nan
    /// Whether the load was in overload at any time.
    var isOverload = false
  }

  /// Number of buckets of a range.
  static let capacity = 720

  let range: TraceRange
  private var buckets = [Bucket](repeating: Bucket(), count: capacity)

  /// Makes an empty history.
  init(_ range: TraceRange) { self.range = range }

  /// Adds a value that is valid at a time.
  ///
  /// - Parameter since: The time from which on it is valid, too, before that time.
  mutating func add(_ net: Double?, isOverload: Bool, at time: Instant, since: Instant? = nil) {
    guard net != nil || isOverload else { return }
    let last = number(at: time)
    let first = max(since.map { number(at: $0) } ?? last, last - Int32(Self.capacity) + 1)
    for number in first...last {
      let index = Int(number) % Self.capacity
      if buckets[index].number != number { buckets[index] = Bucket(number: number) }
      buckets[index].isOverload = buckets[index].isOverload || isOverload
      guard let net = net.map(Float.init) else { continue }
      // Without a value the extremes are NaN, which both functions ignore.
      buckets[index].low = .minimum(buckets[index].low, net)
      buckets[index].high = .maximum(buckets[index].high, net)
      buckets[index].last = net
    }
  }

  /// The buckets that a range before a time touches, oldest first; those without any value are left out.
  func content(at now: Instant) -> [Bucket] {
    let newest = number(at: now)
    return buckets.filter { $0.number > newest - Int32(Self.capacity) && $0.number <= newest && $0.number >= 0 }
      .sorted { $0.number < $1.number }
  }

  /// `{"range": "1h", "bucket_ms": 5000, "buckets": [[age of the start in ms, low, high, last, overload], ...]}`, masses in g.
  func json(at now: Instant) -> [UInt8] {
    JSONWriter.object { json in
      json.fields(("range", range.rawValue), ("bucket_ms", Int(range.bucket.nanoseconds / 1_000_000)))
      json.array("buckets", content(at: now)) { json, bucket in
        json.array { json in
          json.integer(Int((now.nanoseconds - Int64(bucket.number) * range.bucket.nanoseconds) / 1_000_000))
          for value in [bucket.low, bucket.high, bucket.last] {
            if value.isNaN { json.null() } else { json.number(Double(value), decimals: 3) }
          }
          json.boolean(bucket.isOverload)
        }
      }
    }
  }

  private func number(at time: Instant) -> Int32 { Int32(clamping: time.nanoseconds / range.bucket.nanoseconds) }
}
