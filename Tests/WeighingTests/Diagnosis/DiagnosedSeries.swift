import Recordings
import Weighing

/// A series of samples with known properties, as a pad delivers it.
struct DiagnosedSeries {
  /// Samples per second.
  var rate = 80.0
  /// Seconds.
  var duration = 10.0
  /// The noise of a sample, one standard deviation in counts.
  var noise = 3.0
  /// The correlation of the noise of two successive samples.
  var correlation = 0.0
  /// The largest deviation of a sample time from its place, as a share of the period.
  var jitter = 0.0
  /// Whether a value that equals the previous one is left out, as evdev does.
  var dropsRepeats = false
  /// The value in counts at a time in seconds; `nil` for a sample that is missing.
  var value: (Double) -> Double? = { _ in 50_000 }
  /// Values that replace those of the samples with these numbers.
  var replaced: [Int: Double] = [:]
  var maximum: Int32 = 100_000

  /// A converter with one axis of 100 counts a gram.
  var pad: PadDescription {
    PadDescription(
      name: "cell", axes: [.pressure: AxisRange(minimum: 0, maximum: maximum, resolution: 100)], keys: [.touch],
      deliversEverySample: !dropsRepeats)
  }

  func series(seed: UInt64 = 1, startsWithState: Bool = true) -> SampledSeries {
    var random = SplitMix64(seed: seed)
    let start = Instant(nanoseconds: 5_000_000_000)
    var series = SampledSeries(start: start)
    var deviation = noise * random.gaussian()
    var last: Int?
    if startsWithState {
      let counts = Int((value(0) ?? 0).rounded())
      series.add(frame(counts, at: start, followsGap: true))
      last = counts
    }
    for index in 0..<Int((rate * duration).rounded()) {
      deviation = correlation * deviation + (1 - correlation * correlation).squareRoot() * noise * random.gaussian()
      let time = (Double(index) + 0.5 + jitter * (2 * random.unit() - 1)) / rate
      guard let level = value(time) else { continue }
      let counts = Int((replaced[index] ?? level + deviation).rounded())
      if dropsRepeats && counts == last { continue }
      last = counts
      series.add(frame(counts, at: start + .seconds(time)))
    }
    return series
  }

  private func frame(_ counts: Int, at time: Instant, followsGap: Bool = false) -> Frame {
    let contact = Contact(
      serial: 1, position: nil, origin: nil, raw: RawForce(counts), isAtMaximum: counts >= Int(maximum))
    return Frame(time: time, contacts: counts > 0 ? [contact] : [], followsGap: followsGap)
  }

  func diagnosis(seed: UInt64 = 1, _ change: (inout ScaleSettings) -> Void = { _ in }) throws -> PadDiagnosis {
    var settings = ScaleSettings()
    change(&settings)
    let series = series(seed: seed)
    return try PadDiagnosis(series, of: pad, settings: settings, until: series.start + .seconds(duration))
  }
}
