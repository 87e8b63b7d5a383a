import Weighing

/// Waits that double from one failure to the next, each drawn at random up to the doubled bound ("full jitter").
///
/// The jitter keeps a house full of scales from knocking at a restarted broker all at once; libmosquitto's own delay has
/// none. Source: Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
package struct BackOff: Hashable, Sendable {
  /// The bound of the first wait.
  package var first: Interval
  /// The bound that the doubling ends at.
  package var longest: Interval
  private var failures = 0

  /// Makes waits of up to `first`, then twice that and so on up to `longest`.
  package init(first: Interval = .seconds(0.5), longest: Interval = .seconds(30)) {
    self.first = first
    self.longest = longest
  }

  /// The next wait, from zero to the bound, which doubles.
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Interval {
    let bound = self.bound
    failures += 1
    return Interval(nanoseconds: .random(in: 0...max(0, bound.nanoseconds), using: &generator))
  }

  /// Begins again with short waits.
  package mutating func reset() { failures = 0 }

  /// The longest that the next wait can be.
  package var bound: Interval {
    // 2^40 times anything of a nanosecond and more is past every limit, and the shift cannot overflow before.
    let doubled = first.nanoseconds.multipliedReportingOverflow(by: 1 << Int64(min(failures, 40)))
    return doubled.overflow ? longest : min(Interval(nanoseconds: doubled.partialValue), longest)
  }
}
