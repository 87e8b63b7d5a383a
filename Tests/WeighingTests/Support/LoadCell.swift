import Recordings
import Weighing

/// A load cell under a plate, as one pressure axis: 1,540 counts a gram on 23 bits, about eleven samples a second with
/// jitter, and noise with a correlation from sample to sample, like that of real converters.
struct LoadCell {
  var scale: HandFedScale
  /// One standard deviation of a sample in grams.
  var noise = 0.03
  /// The correlation of the noise of neighbouring samples.
  var correlation = 0.5
  /// The shortest and the longest time between two samples.
  var period = Interval.milliseconds(86)...Interval.milliseconds(100)
  private var random: SplitMix64
  private var error = 0.0

  static let countsPerGram = 1540.0
  static let plate = 30.0

  /// What the scale showed after a sample.
  struct Sample {
    /// Seconds since the call.
    var time: Double
    var load: Double
    var reading: Reading
  }

  init(
    division: Double = 1, motion: Double = 1, stableTime: Int = 300, seed: UInt64 = 1,
    deliversEverySample: Bool = false
  ) throws {
    var settings = ScaleSettings()
    settings.surface = .platter
    settings.scale.division = Division(Grams(division)) ?? .gram
    settings.stability.motion = Grams(motion)
    settings.stability.time = .milliseconds(stableTime)
    settings.curve = try CalibrationCurve(
      shape: .linear,
      points: [
        CalibrationPoint(raw: .zero, mass: .zero),
        CalibrationPoint(raw: RawForce(Int(Self.countsPerGram * 500)), mass: Grams(500)),
      ])
    let pad = PadDescription(
      name: "cell", axes: [.pressure: AxisRange(minimum: 0, maximum: 1 << 23 - 1)], keys: [.touch],
      deliversEverySample: deliversEverySample)
    scale = HandFedScale(settings, pad: pad)
    random = SplitMix64(seed: seed)
  }

  /// Weighs a load that depends on the time in seconds since the call; returns what each sample showed.
  mutating func weigh(for seconds: Double, _ load: (Double) -> Double) -> [Sample] {
    let begin = scale.now
    var samples: [Sample] = []
    while (scale.now - begin).seconds < seconds {
      let time = (scale.now - begin).seconds
      sample(load(time))
      samples.append(Sample(time: time, load: load(time), reading: scale.reading))
      wait()
    }
    return samples
  }

  /// Weighs a constant load.
  @discardableResult
  mutating func rest(_ load: Double, for seconds: Double) -> [Sample] { weigh(for: seconds) { _ in load } }

  /// One sample, now.
  mutating func sample(_ load: Double) {
    let share = (1 - correlation * correlation).squareRoot()
    error = correlation * error + share * noise * random.gaussian()
    send(Int(((load + Self.plate + error) * Self.countsPerGram).rounded()))
  }

  /// One frame, now.
  mutating func send(_ counts: Int) {
    let middle = Position(x: 0.5, y: 0.5)
    scale.frame([
      Contact(
        serial: 1, position: middle, origin: middle, raw: RawForce(max(counts, 0)), isAtMaximum: counts >= 1 << 23 - 1)
    ])
  }

  /// The time to the next sample.
  mutating func wait() {
    let width = Double(period.upperBound.nanoseconds - period.lowerBound.nanoseconds)
    scale.wait(Interval(nanoseconds: period.lowerBound.nanoseconds + Int64(width * random.unit())))
  }
}

extension [LoadCell.Sample] {
  /// The share of the samples with a stable reading.
  var stableShare: Double { isEmpty ? 0 : Double(count { $0.reading.isStable }) / Double(count) }

  /// When the reading became stable and remained so up to the end; `nil` if it is not stable.
  var stableFrom: Double? {
    guard let last, last.reading.isStable else { return nil }
    return self[(lastIndex { !$0.reading.isStable } ?? -1) + 1].time
  }

  /// The loads at which the reading became stable.
  var onsets: [Double] {
    zip(self, dropFirst()).filter { !$0.reading.isStable && $1.reading.isStable }.map(\.1.load)
  }
}
