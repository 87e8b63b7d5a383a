import Weighing

/// Delays drawn at random up to a bound that doubles with each failure ("full jitter").
///
/// The jitter prevents many scales from reconnecting to a restarted broker at the same time; libmosquitto's own delay
/// has none. Source: Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
package struct BackOff: Hashable, Sendable {
  /// The bound of the first delay.
  package var first: Interval
  /// The largest bound.
  package var longest: Interval
  private var failures = 0

  /// Makes delays of up to `first`, then twice that and so on up to `longest`.
  package init(first: Interval = .seconds(0.5), longest: Interval = .seconds(30)) {
    (self.first, self.longest) = (first, longest)
  }

  /// The next delay, from zero to the bound, which then doubles.
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Interval {
    let bound = self.bound
    failures += 1
    return Interval(nanoseconds: .random(in: 0...max(0, bound.nanoseconds), using: &generator))
  }

  /// Resets the bound to the first.
  package mutating func reset() { failures = 0 }

  /// The longest possible next delay.
  package var bound: Interval {
    // 2^40 ns or more exceeds every limit, and the shift cannot overflow before.
    let doubled = first.nanoseconds.multipliedReportingOverflow(by: 1 << Int64(min(failures, 40)))
    return doubled.overflow ? longest : min(Interval(nanoseconds: doubled.partialValue), longest)
  }
}
