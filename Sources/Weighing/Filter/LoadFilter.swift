/// Finds the load in a noisy pad: a window that grows while the load behaves, and starts again where it changes.
///
/// A moving average must choose between being quick and being quiet. This filter need not: it asks at every frame
/// whether all it has seen since the window began is still one story, a load at rest or one that moves steadily, and
/// averages all of it. When the newest part tells another story, it finds the moment at which the change began and
/// begins its window there.
///
/// 1. **Observations.** evdev drops repeated values, so a value stands for as many samples as the pad took until the
///    next one came (`SamplePeriod`). A silent pad therefore goes on being observed.
/// 2. **Change.** The window is split at the frames 1, 2, 3, 4, 6, 8, 12 ... before now. At each split the mean of the
///    part after it is held against what the part before it foretells; the squared distance in standard deviations is
///    the generalised likelihood ratio of a change at that moment (Page, Biometrika 41, 1954; Willsky and Jones, IEEE
///    Trans. Automatic Control 21, 1976; Basseville and Nikiforov, Detection of Abrupt Changes, 1993, chapter 2.4.3).
///    The largest one over its threshold wins, and the window begins at that split. The threshold grows with the
///    logarithm of what would be thrown away, as in minimum description length: a few samples at the head of the window,
///    the end of somebody's movement, go easily; ten seconds of good average do not.
/// 3. **Spikes.** One value far off an established window is set aside. If the next one, or the pad's silence, agrees
///    with it, it was the start of a change and counts; otherwise it was a spike and never does.
/// 4. **Suspicion.** While a window is young, a change that is well on its way to its threshold is believed by the share
///    that it has come: the reading follows the end of a hand's movement before the window is split there. In an old window
///    that would shake the reading for nothing.
/// 5. **Steady movement.** A line is fitted to the window along with the mean. A window that the line explains better than a
///    step does is not split. Once its slope is beyond doubt (a drip, a creeping sensor) the load is where the line ends,
///    not where the middle of the window was; from a hint to that certainty it goes over
///    gradually. That takes the lag of a drip of 1 g/s under 0.5 g of noise from 0.23 g to
///    0.05 g (medians over 60 runs).
/// 6. **Noise** is learned from neighbouring samples, in counts, so that it holds for every load on a curved response.
///
/// Time is only ever handed in. What is read off at a moment depends on the frames and on the filter's own deadlines,
/// never on how often anybody asked.
struct LoadFilter: Sendable {
  /// What the filter knows at a moment.
  struct Estimate: Equatable, Sendable {
    /// The load in counts.
    var level: Double
    /// One standard uncertainty of the level, from noise alone, in counts.
    var deviation: Double
    /// How fast the level moves, in counts a second, by the line through the window.
    var slope: Double
    /// One standard uncertainty of the slope, in counts a second.
    var slopeDeviation: Double
    /// When the window began.
    var since: Instant
  }

  private var noise: NoiseEstimate
  private var period = SamplePeriod()
  private var history = ObservationHistory()
  private var suspect: Suspect?
  /// The value that the pad holds, since when, and how many samples of it are in the history already.
  private var held: Held?
  private var windowBegan = Instant(nanoseconds: 0)

  private struct Held: Equatable, Sendable {
    var value: Double
    var since: Instant
    var counted: Int
    /// The sample count at which silence is next looked at.
    var nextCheck: Int
  }

  private struct Suspect: Equatable, Sendable {
    var value: Double
    var since: Instant
  }

  /// Number of samples without a frame after which the filter checks a silent pad; doubled up to `lastCheck`.
  private static let firstCheck = 2
  private static let lastCheck = 1024

  /// Makes a filter for an axis with this range.
  init(fullScale: RawForce) {
    noise = NoiseEstimate(fullScale: fullScale)
  }

  /// Whether nothing has been seen since the last restart.
  var isIdle: Bool { held == nil }

  /// The number of samples in the window.
  var sampleCount: Int { history.count }

  /// The noise of one sample, one standard deviation in counts.
  var sampleDeviation: Double { noise.deviation }

  /// When the filter next wants `advance(to:)`, if nothing happens before.
  var nextDeadline: Instant? {
    guard let held, held.nextCheck <= Self.lastCheck else { return nil }
    return held.since + period.length * held.nextCheck
  }

  /// Forgets the load but not the pad's noise: for a load put down or lifted, a gap, another pad.
  mutating func restart() {
    // An empty pad says so with every frame.
    guard !isIdle else { return }
    history.removeAll()
    suspect = nil
    held = nil
  }

  /// Takes the value of one frame, in counts.
  mutating func add(_ value: Double, at time: Instant) {
    if let held {
      period.observe(time - held.since)
      countHeld(upTo: min(period.samples(in: time - held.since), Self.maximumRepeats))
      noise.observe(step: value - held.value, settled: history.count >= 4)
    } else {
      windowBegan = time
    }
    held = Held(value: value, since: time, counted: 1, nextCheck: Self.firstCheck)
    judge(value, at: time)
  }

  /// Looks at the silence of the pad where that is due.
  mutating func advance(to time: Instant) {
    while let held, let deadline = nextDeadline, deadline <= time {
      let check = held.nextCheck
      countHeld(upTo: check)
      self.held?.nextCheck = check * 2
    }
  }

  /// Looks at all that the pad's silence has said by now, before anything is concluded from it.
  mutating func catchUp(to time: Instant) {
    guard let held else { return }
    countHeld(upTo: period.samples(in: time - held.since))
  }

  /// The load as it is known at a moment; `nil` before the first frame.
  func estimate(at time: Instant) -> Estimate? {
    guard let held else { return nil }
    let more = suspect == nil ? max(period.samples(in: time - held.since) - held.counted, 0) : 0
    let line = history.line(adding: held.value, times: more)
    let sigma = noise.deviation
    let trust = line.trustInSlope(variance: sigma * sigma)
    let level = line.mean + trust * (line.end - line.mean)
    let belief = more > 0 ? 0 : belief(at: time)
    return Estimate(
      level: belief == 0 ? level : level + belief * (history.suspectedLevel - level),
      deviation: (1 + trust) * sigma / line.count.squareRoot(), slope: line.slope / period.length.seconds,
      slopeDeviation: line.slopeDeviation(variance: sigma * sigma) / period.length.seconds, since: windowBegan)
  }

  /// How far to believe in a change that is not certain: by as much as it is past `beginning`, less with the window's age.
  private func belief(at time: Instant) -> Double {
    let youth = 1 - (time - windowBegan).seconds / Self.young.seconds
    let share = (history.suspicion.share - Self.beginning) / (1 - Self.beginning)
    return max(share, 0) * max(youth, 0)
  }

  private static let beginning = 0.3
  private static let young = Interval.milliseconds(300)

  /// Whether the last `time` of the window may hide a movement of more than `limit` counts, peak to peak.
  func isRestless(limit: Double, over time: Interval) -> Bool {
    let variance = noise.deviation * noise.deviation
    return history.hidesStep(over: limit / 2, variance: variance)
      || history.wanders(over: period.samples(in: time), limit: limit, variance: variance)
  }

  /// Brings the samples that the held value has stood for into the history.
  private mutating func countHeld(upTo samples: Int) {
    guard let held, samples > held.counted else { return }
    // A value held for several samples is no spike.
    if let suspect { adopt(suspect) }
    take(held.value, times: samples - held.counted, at: held.since)
    noise.observe(repeats: samples - held.counted, settled: history.count >= 4)
    self.held?.counted = samples
    lookForChange()
  }

  /// More silence than this adds nothing to what is known.
  private static let maximumRepeats = 1 << 16

  private mutating func judge(_ value: Double, at time: Instant) {
    if let earlier = suspect {
      let level = history.line(adding: 0, times: 0).mean
      if (earlier.value - level) * (value - level) > 0, isFarOff(value, by: Self.agreeing) {
        adopt(earlier)
      }
      suspect = nil
    } else if history.count >= Self.established, isFarOff(value, by: Self.spike) {
      suspect = Suspect(value: value, since: time)
      return
    }
    take(value, times: 1, at: time)
    lookForChange()
  }

  private mutating func adopt(_ earlier: Suspect) {
    suspect = nil
    take(earlier.value, times: 1, at: earlier.since)
  }

  private mutating func take(_ value: Double, times: Int, at time: Instant) {
    guard times > 0 else { return }
    history.append(value, times: times, at: time)
  }

  /// Minimum number of samples for a single value to count as a spike.
  private static let established = 6
  /// Distance from the window of a spike or a change, in standard deviations.
  private static let spike = 5.0
  /// A second value this far off on the same side makes it a change.
  private static let agreeing = 3.0

  private func isFarOff(_ value: Double, by deviations: Double) -> Bool {
    let line = history.line(adding: 0, times: 0)
    let sigma = noise.deviation
    let expected = line.isSteadyMovement(variance: sigma * sigma) ? line.next : line.mean
    return (value - expected).magnitude > deviations * sigma * (1 + 1 / line.count).squareRoot()
  }

  /// Begins the window at the likeliest moment of change, if there was one.
  private mutating func lookForChange() {
    let variance = noise.deviation * noise.deviation
    while let split = history.likeliestChange(variance: variance) {
      windowBegan = history.beginWindow(at: split)
    }
  }
}
