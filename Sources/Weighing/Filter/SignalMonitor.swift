/// Watches whether samples arrive from a pad that cannot be silent, and whether they still come from its sensor.
///
/// ```
///             no sample for the larger of 2 s and 15 sample periods
///  delivering ─────────────────────────────────────────────────────► silent ──┐
///   ▲  ▲  │                                                                   │
///   │  │  └── one value, more often than chance explains ──► frozen           │
///   │  └───────────────────── another value ───────────────────┘              │
///   └──────────────────────────── a sample ───────────────────────────────────┘
/// ```
///
/// evdev drops repeated values, so the silence of an evdev pad is a load at rest. Two kinds of pads cannot be silent: a
/// converter, which delivers each sample, and an axis under a plate whose noise hardly ever repeats a value. The second
/// is a load cell that was recorded as an evdev device. Its noise has to be seen at rest first: a pour changes the value
/// with every sample on a quiet pad too. With a quarter of repeated values at most, fifteen in a row have a probability
/// of 1e-9.
///
/// The same pads cannot repeat a value for long. A converter whose cell is not connected does, and one that hangs.
struct SignalMonitor: Sendable {
  /// What is known about the pad at a frame.
  struct Circumstances: Sendable {
    /// The value of the axis.
    var value: RawForce
    /// Whether it is the largest one, as in overload.
    var isAtEnd: Bool
    /// Whether each sample is known to arrive.
    var deliversEverySample: Bool
    /// Whether the axis can show noise: a plate lies on it, and the value is not at the end of the range.
    var canShowNoise: Bool
    /// Whether the load is at rest, so that only noise changes the value.
    var isAtRest: Bool
    /// The noise of one sample, one standard deviation in counts.
    var noise: Double
    /// The variance of the samples of the pad when it was quietest.
    var quietVariance: Double
    /// The time between two samples.
    var period: Interval
  }

  /// What a frame shows.
  enum Arrival: Sendable {
    case expected
    /// It follows a silence.
    case resumed
    /// It is no sample of the sensor.
    case frozen
    /// It is the first sample of the sensor after others that were not.
    case thawed
  }

  /// Whether the samples have stopped.
  private(set) var isSilent = false
  /// Whether the samples do not come from the sensor.
  private(set) var isFrozen = false
  /// When the samples have stopped if none arrives before; `nil` if the pad may be silent.
  private(set) var deadline: Instant?

  /// When the newest frame arrived; `nil` before the first one.
  private(set) var lastFrame: Instant?
  /// The samples of the resting load that were observed, and how many of them repeated the value before.
  private var samples = 0
  private var repeats = 0
  /// The time in which they were observed.
  private var observed = Interval.zero

  /// The newest value, since when it has not changed, and how many samples repeated it.
  private var value: RawForce?
  private var since = Instant(nanoseconds: 0)
  private var run = 0
  /// The natural logarithm of the probability of that many repeated samples; 0 if it is not known.
  private var chance = 0.0
  /// Whether the pad delivers each sample of a converter that always shows noise, and none has been seen.
  private(set) var isUnproven = false
  private var alwaysShowsNoise = false

  /// The silence that shows missing samples, as a time and in sample periods. Source: the specification of the scale.
  private static let shortest = Interval.seconds(2)
  private static let periods = 15
  /// How much has to be known about the noise before silence is no rest.
  private static let fewestSamples = 24
  private static let shortestObservation = Interval.seconds(2)
  /// One in this many samples may repeat the value before it.
  private static let repeatedShare = 4
  /// The least noise in counts, `repeatedShare` / (2√π): below, more than a quarter of the values repeat the last one.
  private static let leastNoise = 1.128
  /// A gap of more samples is a loss: with a quarter of repeated values, nine in a row have a probability of 4e-6.
  private static let mostRepeats = 9
  /// The number of samples after which half of them are forgotten: a table that shook does not count forever.
  private static let memory = 512
  /// The logarithm of 1e-9: chance explains nothing less probable. Source: the specification of the scale.
  private static let impossible = -20.72
  /// The logarithm of one in a thousand: a less probable run says nothing about load and noise.
  private static let doubtful = -6.9
  /// The logarithm of a little over one in four: where values repeat less, a repeated sample is no second one.
  private static let unusual = -1.35
  /// How long a converter may repeat a value before its noise is known. Source: the specification of the scale.
  private static let patience = Interval.seconds(3)
  /// The counts of a converter that always shows noise: none of 20 bits is so quiet that its last bit stands still.
  private static let noisyRange = 1 << 20

  /// Starts with a pad.
  ///
  /// - Parameters:
  ///   - deliversEverySample: Whether it is known to deliver each sample; then the first one is expected too.
  ///   - fullScale: The largest value of its axis.
  mutating func begin(deliversEverySample: Bool, fullScale: RawForce, at time: Instant) {
    self = SignalMonitor()
    guard deliversEverySample else { return }
    deadline = time + Self.shortest
    alwaysShowsNoise = fullScale.counts >= Self.noisyRange - 1
    isUnproven = alwaysShowsNoise
  }

  /// Forgets the pad.
  mutating func stop() { self = SignalMonitor() }

  /// Whether a load can be measured: samples arrive, and they come from the sensor.
  var isMeasurable: Bool { @inline(__always) get { !isSilent && !isFrozen } }

  /// Whether the newest sample repeats the one before on a pad that hardly ever does. It may be the same one once more.
  var isRepeat: Bool { @inline(__always) get { run > 0 && chance < Self.unusual * Double(run) } }

  /// Whether the newest sample repeats a value so often that it is hardly one of the load.
  var isDoubtful: Bool { @inline(__always) get { chance < Self.doubtful } }

  // MARK: Frames

  /// Evaluates the arrival of a frame.
  mutating func observe(_ circumstances: Circumstances, at time: Instant) -> Arrival {
    let resumes = isSilent
    isSilent = false
    let isSame = circumstances.value == value
    if resumes {
      // If this was a quiet pad after all, the next silence is a load at rest again.
      if !circumstances.deliversEverySample, circumstances.noise < SampleDelivery.noisy {
        (samples, repeats, observed) = (0, 0, .zero)
      }
    } else if let lastFrame, circumstances.isAtRest, circumstances.canShowNoise {
      count(time - lastFrame, circumstances, isSame: isSame)
    }
    lastFrame = time
    let isNoisy = circumstances.noise >= Self.leastNoise && hardlyRepeats
    let isExpected = circumstances.deliversEverySample || circumstances.canShowNoise && isNoisy
    deadline = isExpected ? time + max(Self.shortest, circumstances.period * Self.periods) : nil
    let wasFrozen = isFrozen
    if isSame, isExpected {
      observeRepeat(circumstances, isNoisy: isNoisy, at: time)
    } else {
      isUnproven = isUnproven && value == nil
      (value, since, run, chance, isFrozen) = (circumstances.value, time, 0, 0, false)
    }
    return isFrozen ? .frozen : wasFrozen ? .thawed : resumes ? .resumed : .expected
  }

  private mutating func observeRepeat(_ circumstances: Circumstances, isNoisy: Bool, at time: Instant) {
    run += 1
    // A load beyond the range repeats the end of it; no converter is left there for long.
    if hasBeenObserved, !circumstances.isAtEnd {
      guard isNoisy else { return }
      chance = Double(run) * naturalLogarithm(chanceOfRepeat(quietVariance: circumstances.quietVariance))
      if chance < Self.impossible { isFrozen = true }
    } else if alwaysShowsNoise, time - since >= Self.patience {
      isFrozen = true
    }
  }

  /// The probability that a sample of a resting load repeats the one before: what was seen, and at least that of the
  /// commonest value of normally distributed noise.
  private func chanceOfRepeat(quietVariance: Double) -> Double {
    let seen = Double(repeats + 1) / Double(samples + 2)
    let commonest = 1 / (2 * Double.pi * (quietVariance + SampleNoise.ofRounding)).squareRoot()
    return min(max(seen, commonest), 1)
  }

  // MARK: Time

  /// Evaluates the time; returns whether the samples have stopped now.
  mutating func advance(to time: Instant) -> Bool {
    guard let deadline, deadline <= time else { return false }
    self.deadline = nil
    isSilent = true
    return true
  }

  // MARK: Repeated values

  private var hasBeenObserved: Bool { samples >= Self.fewestSamples && observed >= Self.shortestObservation }
  private var hardlyRepeats: Bool { hasBeenObserved && repeats * Self.repeatedShare <= samples }

  private mutating func count(_ interval: Interval, _ circumstances: Circumstances, isSame: Bool) {
    // What chance hardly explains is not the noise of the pad.
    if isSame, isDoubtful { return }
    let period = circumstances.period.nanoseconds
    let taken = circumstances.deliversEverySample ? 1 : (interval.nanoseconds + period / 2) / max(period, 1)
    // A longer gap is a loss of samples.
    if taken > Self.mostRepeats, hardlyRepeats { return }
    let counted = min(max(Int(taken), 1), Self.memory / 4)
    samples += counted
    repeats += isSame ? counted : counted - 1
    observed = min(observed + interval, Self.shortestObservation)
    if samples > Self.memory {
      samples /= 2
      repeats /= 2
    }
  }
}

extension SignalMonitor: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "repeated samples are samples": repeats <= samples && repeats >= 0,
      "a probability is not above one": chance <= 0,
      "a pad that is silent has no deadline": !isSilent || deadline == nil,
    ]
  }
}
