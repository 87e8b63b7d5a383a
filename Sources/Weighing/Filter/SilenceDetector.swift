/// Detects that a pad which cannot be silent has stopped delivering samples.
///
/// ```
///               no sample for the larger of 2 s and 20 sample periods
///   delivering ────────────────────────────────────────────────────────► silent
///       ▲                                                                   │
///       └──────────────────────────── a sample ─────────────────────────────┘
/// ```
///
/// evdev drops repeated values, so the silence of an evdev pad is a load at rest. Two kinds of pads cannot be silent: a
/// converter, which delivers each sample, and an axis under a plate whose noise hardly ever repeats a value. The second
/// is a load cell that was recorded as an evdev device. Its noise has to be seen at rest first: a pour changes the value
/// with every sample on a quiet pad too. With a third of repeated values at most, twenty in a row have a probability of
/// 3e-10.
struct SilenceDetector: Sendable {
  /// What is known about the pad at a frame.
  struct Circumstances: Sendable {
    /// Whether each sample is known to arrive.
    var deliversEverySample: Bool
    /// Whether the axis can show noise: a plate lies on it, and the value is not at the end of the range.
    var canShowNoise: Bool
    /// Whether the load is at rest, so that only noise changes the value.
    var isAtRest: Bool
    /// The noise of one sample, one standard deviation in counts.
    var noise: Double
    /// The time between two samples.
    var period: Interval
  }

  /// Whether the samples have stopped.
  private(set) var isSilent = false
  /// When the samples have stopped if none arrives before; `nil` if the pad may be silent.
  private(set) var deadline: Instant?

  /// When the newest frame arrived; `nil` before the first one.
  private(set) var lastFrame: Instant?
  /// The samples of the resting load that were observed, and how many of them repeated the value before.
  private var samples = 0
  private var repeats = 0
  /// The time in which they were observed.
  private var observed = Interval.zero

  /// Source: the specification of the scale.
  private static let shortest = Interval.seconds(2)
  private static let periods = 20
  /// How much has to be known about the noise before silence is no rest.
  private static let fewestSamples = 24
  private static let shortestObservation = Interval.seconds(2)
  /// One in this many samples may repeat the value before it.
  private static let repeatedShare = 3
  /// The least noise in counts; below, a value repeats in more than a third of the samples.
  private static let leastNoise = 0.85
  /// The number of samples after which half of them are forgotten: a table that shook does not count forever.
  private static let memory = 512

  /// Starts with a pad.
  ///
  /// - Parameter deliversEverySample: Whether it is known to deliver each sample; then the first one is expected too.
  mutating func begin(deliversEverySample: Bool, at time: Instant) {
    self = SilenceDetector()
    if deliversEverySample { deadline = time + Self.shortest }
  }

  /// Forgets the pad.
  mutating func stop() { self = SilenceDetector() }

  /// Evaluates the arrival of a frame; returns whether the samples had stopped before it.
  mutating func observe(_ circumstances: Circumstances, at time: Instant) -> Bool {
    let resumes = isSilent
    isSilent = false
    if resumes {
      // If this was a quiet pad after all, the next silence is a load at rest again.
      (samples, repeats, observed) = (0, 0, .zero)
    } else if let lastFrame, circumstances.isAtRest, circumstances.canShowNoise {
      count(time - lastFrame, period: circumstances.period)
    }
    lastFrame = time
    let isExpected =
      circumstances.deliversEverySample
      || (circumstances.canShowNoise && circumstances.noise >= Self.leastNoise && hardlyRepeats)
    deadline = isExpected ? time + max(Self.shortest, circumstances.period * Self.periods) : nil
    return resumes
  }

  /// Evaluates the time; returns whether the samples have stopped now.
  mutating func advance(to time: Instant) -> Bool {
    guard let deadline, deadline <= time else { return false }
    self.deadline = nil
    isSilent = true
    return true
  }

  private var hardlyRepeats: Bool {
    samples >= Self.fewestSamples && observed >= Self.shortestObservation && repeats * Self.repeatedShare <= samples
  }

  private mutating func count(_ interval: Interval, period: Interval) {
    let taken = max((interval.nanoseconds + period.nanoseconds / 2) / max(period.nanoseconds, 1), 1)
    let counted = min(Int(taken), Self.memory / 4)
    samples += counted
    repeats += counted - 1
    observed = min(observed + interval, .seconds(60))
    if samples > Self.memory {
      samples /= 2
      repeats /= 2
    }
  }
}
