/// What a pad delivers: rate, gaps, noise, resolution, saturation, range and drift (`grampad diagnose`).
///
/// evdev drops repeated values. On such a pad a silence is a load at rest, so only lost events are gaps, and each value is
/// taken to last until the next one. A pad that delivers every sample has gaps.
package struct PadDiagnosis: Sendable {
  /// The pad.
  package let pad: PadDescription
  /// Its load axis.
  package let axis: LoadAxis
  /// The origin of the grams.
  package let calibration: Calibration.Origin
  /// The capacity of the scale.
  package let capacity: Grams
  /// The division of the scale.
  package let division: Grams
  /// How long the pad was observed.
  package let duration: Interval
  /// The number of samples that arrived.
  package let samples: Int
  /// Whether each sample arrives, repeated values included.
  package let deliversEverySample: Bool
  /// The samples per second while samples arrive; `nil` for too few samples.
  package let rate: Double?
  /// The times without a sample, if each sample arrives.
  package let gaps: [Interval]
  /// The longest time without a sample.
  package let longestSilence: Interval
  /// How often the kernel lost events.
  package let losses: Int
  /// The number of different values under a load.
  package let uniqueValues: Int
  /// The smallest difference between two values in counts; `nil` for fewer than two values.
  package let smallestStep: Int?
  /// The number of samples at the end of the axis.
  package let saturatedSamples: Int
  /// The smallest and the largest load, 0 without one; `nil` without any.
  package let range: ClosedRange<Int>?
  /// The share of the axis between the smallest and the largest value of a contact, 0...1; `nil` without any.
  package let rangeUsed: Double?
  /// The noise of one sample at rest, one standard deviation; `nil` if the load was not at rest for long enough.
  package let noise: Amount?
  /// The drift per second at rest.
  package let drift: Amount?
  /// One standard deviation of the drift per second.
  package let driftDeviation: Amount?
  /// The number of single wrong samples at rest.
  package let spikes: Int
  /// How long the load was at rest.
  package let rest: Interval
  /// Grams per count near the load.
  package let gramsPerCount: Double
  /// The mass at the end of the range of the axes.
  package let fullMass: Grams

  /// A quantity in counts and in grams.
  package struct Amount: Hashable, Sendable {
    /// Counts.
    package var counts: Double
    /// Grams.
    package var mass: Grams
  }

  /// Evaluates a series.
  ///
  /// - Throws: `UnsuitablePadError` if the pad cannot weigh.
  package init(
    _ series: SampledSeries, of pad: PadDescription, settings: ScaleSettings, until end: Instant
  ) throws(UnsuitablePadError) {
    let axis = try pad.loadAxis(settings.axis)
    let calibration = settings.calibration(of: pad, axis: axis)
    let held = (series.initial.map { [$0] } ?? []) + series.samples
    // A recording of a converter repeats values, too.
    deliversEverySample =
      pad.deliversEverySample || pad.axes.count == 1 && axis.kind != .slots && series.repeatsValues
    let timing = SampleTiming(series, end: end, deliversEverySample: deliversEverySample)
    let stretch = Self.rest(
      in: held, until: end, period: timing.period ?? SamplePeriod.assumed.seconds, holdsValues: !deliversEverySample)
    let values = Set(held.filter { !$0.isEmpty }.map(\.counts)).sorted()
    let counts = held.map(\.counts)
    let slope = calibration.slope(at: RawForce(Int((stretch?.mean ?? Double(values.last ?? 0)).rounded())))
    func amount(_ counts: Double?) -> Amount? { counts.map { Amount(counts: $0, mass: Grams($0 * slope)) } }
    (self.pad, self.axis) = (pad, axis)
    self.calibration = calibration.origin
    (capacity, division) = (settings.scale.capacity, settings.scale.division.step)
    duration = end - series.start
    samples = series.count
    rate = timing.period.map { 1 / $0 }
    gaps = timing.gaps.map { .seconds($0) }
    longestSilence = .seconds(timing.longestSilence)
    // A converter that stalls has gaps in time.
    losses = deliversEverySample ? 0 : series.indicesAfterGap.count
    uniqueValues = values.count
    smallestStep = zip(values.dropFirst(), values).map { $0 - $1 }.min()
    saturatedSamples = held.count { $0.isSaturated }
    range = counts.min().flatMap { least in counts.max().map { least...$0 } }
    let peaks = held.map(\.peak)
    let width = Double(max(axis.largestSum.counts, 1))
    rangeUsed = peaks.min().flatMap { least in peaks.max().map { Double($0 - least) / width } }
    noise = amount(stretch?.noise)
    drift = amount(stretch?.drift)
    driftDeviation = amount(stretch?.driftDeviation)
    spikes = stretch?.spikes ?? 0
    rest = .seconds(stretch?.duration ?? 0)
    gramsPerCount = slope
    fullMass = calibration.mass(at: axis.largestSum)
  }

  /// The most samples that are searched for rest: a minute at 1.6 kHz.
  private static let mostValues = 100_000

  /// Finds the stretch at rest. Values that are held are as many samples as periods.
  private static func rest(
    in samples: [SampledSeries.Sample], until end: Instant, period: Double, holdsValues: Bool
  ) -> RestStretch? {
    guard let first = samples.first else { return nil }
    var values: [Double] = []
    var times: [Double] = []
    for (index, sample) in samples.enumerated() where !sample.isSaturated && !sample.isEmpty {
      let time = (sample.time - first.time).seconds
      let next = index + 1 < samples.count ? samples[index + 1].time : end
      let repeats = holdsValues ? max(Int(((next - sample.time).seconds / period).rounded()), 1) : 1
      for step in 0..<min(repeats, mostValues - values.count) {
        values.append(Double(sample.counts))
        times.append(time + Double(step) * period)
      }
    }
    return RestStretch(values: values, times: times, period: period)
  }
}
