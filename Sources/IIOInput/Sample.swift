import Weighing

/// A count of a converter and when it was read.
struct Sample: Hashable, Sendable {
  var count: Int64
  var time: Instant
}

/// Drops counts that are no new conversion: one wrong count, and a conversion that was read twice.
///
/// A driver that reads three bytes one after the other (nau7802.c) can return bytes of two conversions, and a disturbed
/// transfer any count. A count far from the last one is held until the next one shows whether the load has changed.
struct SampleFilter {
  /// A torn upper byte of three is wrong by nearly a 256th of the range. A smaller jump is left to the filter of the scale.
  private static let jumpFraction: Int64 = 512
  /// Two equal counts are one conversion if the noise is above this number of counts, so that they are improbable.
  private static let noisyCounts = 4.0
  /// The share of a new difference in the mean.
  private static let weight = 0.125

  private let jump: Int64
  /// Within this time an equal count may be the same conversion; `nil` if each read waits for a new one.
  private let repeatTime: Interval?
  private var last: Sample?
  private var held: Sample?
  /// The mean difference of two conversions in counts.
  private var meanDifference = 0.0
  /// The number of counts dropped as wrong.
  private(set) var spikes = 0

  /// Makes a filter.
  ///
  /// - Parameter period: The time between two conversions, if a read can return one twice; otherwise `nil`.
  init(_ range: CountRange, period: Interval?) {
    jump = max((range.top - range.bottom) / Self.jumpFraction, 1)
    repeatTime = period.map { $0 + Interval(nanoseconds: $0.nanoseconds / 2) }
  }

  /// Accepts a sample; passes on what is a new conversion.
  mutating func add(_ sample: Sample, _ body: (Sample) -> Void) {
    guard let last else { return accept(sample, body) }
    if isRepeat(sample, of: held ?? last) { return }
    guard let held else {
      if (sample.count - last.count).magnitude > jump { self.held = sample } else { accept(sample, body) }
      return
    }
    self.held = nil
    if (sample.count - last.count).magnitude <= (sample.count - held.count).magnitude {
      // Back where it was.
      spikes += 1
    } else {
      accept(held, body)
    }
    accept(sample, body)
  }

  private func isRepeat(_ sample: Sample, of earlier: Sample) -> Bool {
    guard let repeatTime, sample.count == earlier.count else { return false }
    return meanDifference > Self.noisyCounts && sample.time - earlier.time < repeatTime
  }

  private mutating func accept(_ sample: Sample, _ body: (Sample) -> Void) {
    if let last {
      let difference = Double((sample.count - last.count).magnitude)
      // A change of the load says nothing about the noise.
      if difference <= Double(jump) { meanDifference += Self.weight * (difference - meanDifference) }
    }
    last = sample
    body(sample)
  }
}

/// When to read the next conversion.
///
/// A driver that waits for the conversion is read again at once. One that returns the last conversion is read once a
/// period.
struct SamplePace {
  /// The period of a converter that does not state its rate.
  static let defaultPeriod = Interval.milliseconds(20)
  /// The driver of the HX711 looks for a conversion at most this often.
  private static let shortestWait = Interval.milliseconds(10)
  /// A driver that has taken a quarter of the period for this many reads in a row waits for the conversion itself. A busy
  /// machine delays fewer.
  private static let fewestSlowReads = 8

  private let waits: Bool
  private let period: Interval
  private var due: Instant
  private var slowReads = 0

  init(waits: Bool, period: Interval, at now: Instant) {
    self.waits = waits
    self.period = period
    due = now
  }

  /// When to read again after a read from `start` to `end`.
  mutating func next(start: Instant, end: Instant) -> Instant {
    let half = Interval(nanoseconds: period.nanoseconds / 2)
    slowReads = (end - start).nanoseconds * 4 >= period.nanoseconds ? slowReads + 1 : 0
    if waits {
      // A conversion was ready: the next one is not due yet. Otherwise a driver that does not wait would be read
      // without a pause.
      due = max(start + min(half, Self.shortestWait), end)
    } else if slowReads >= Self.fewestSlowReads {
      due = end
    } else {
      // After a delay, the next conversion is not there yet.
      due = max(due + period, start + half, end)
    }
    return due
  }
}
