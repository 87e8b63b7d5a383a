/// Estimates the load on a noisy pad with a window that grows while the load is steady and restarts when it changes.
///
/// A moving average is either quick or quiet. This filter is both: at every frame it tests whether everything since the
/// window began is consistent with a load at rest or in steady movement, and averages all of it. If the newest part is
/// not, the filter finds the moment at which the change began and restarts the window there.
///
/// 1. **Observations.** evdev drops repeated values, so a value counts as many times as the pad took samples until the
///    next value (`SamplePeriod`). A silent pad is therefore still observed. On a pad that delivers each sample
///    (`SampleDelivery`), a value counts once, and silence says nothing.
/// 2. **Change.** The window is split at the frames 1, 2, 3, 4, 6, 8, 12 ... before now. At each split the mean of the
///    part after it is compared with the prediction of the part before it; the squared distance in standard deviations
///    is the generalised likelihood ratio of a change at that moment (Page, Biometrika 41, 1954; Willsky and Jones,
///    IEEE Trans. Automatic Control 21, 1976; Basseville and Nikiforov, Detection of Abrupt Changes, 1993, chapter
///    2.4.3). The largest one over its threshold wins, and the window begins at that split. The threshold grows with
///    the logarithm of what would be discarded, as in minimum description length: a few samples at the head of the
///    window, the end of a movement, are discarded easily; an average of ten seconds is not.
/// 3. **Spikes.** A single value far from an established window is set aside. If the next value agrees with it, it was
///    the start of a change and counts; otherwise it was a spike and is discarded. The silence of a pad that repeats
///    values agrees with it, too. On any other, only the next value decides, however late it is: a converter that has
///    read a wrong bit may reset itself for some periods. At the end of its range every axis repeats values.
/// 4. **Suspicion.** In a young window, a change that is near its threshold is applied in proportion: the reading
///    follows the end of a movement before the window is split there. In an old window this would disturb it.
/// 5. **Steady movement.** Both a mean and a line are fitted to the window. A window that the line explains better than
///    a step is not split. Once the slope is certain (a drip, a creeping sensor), the load is the end of the line and
///    not the middle of the window; the estimate moves gradually from one to the other. This reduces the lag of a drip
///    of 1 g/s under 0.5 g of noise from 0.23 g to 0.05 g (medians over 60 runs).
/// 6. **Noise** is learned from neighbouring samples in counts, so that it is valid for every load on a curved
///    response. Where each sample is seen, so is the correlation of the noise (`SequenceNoise`).
///
/// Time is always passed in. The estimate of a moment depends on the frames and on the deadlines of the filter, never
/// on how often it is read.
struct LoadFilter: Sendable {
  private var samples: SampleModel
  private var history = ObservationHistory()
  private var suspect: SuspectValue?
  private var held: HeldValue?
  private var windowBegan = Instant(nanoseconds: 0)
  private var frames = RecentFrames()

  /// Makes a filter for an axis of this many counts.
  ///
  /// - Parameter deliversEverySample: Whether the pad is known to deliver each sample, repeated values included.
  init(fullScale: RawForce, deliversEverySample: Bool = false) {
    samples = SampleModel(fullScale: fullScale, deliversEverySample: deliversEverySample)
  }

  /// The time between two samples.
  var samplePeriod: Interval { samples.period.length }

  /// Whether each sample arrives, repeated values included; otherwise silence is a repeated value.
  var deliversEverySample: Bool { !samples.dropsRepeats }

  /// Whether the frames are those of a slow converter, or each sample arrives.
  var isSampledRegularly: Bool { !samples.dropsRepeats || samples.period.isSlow }

  /// Whether the newest value may be a spike or the beginning of a change.
  var isInDoubt: Bool { suspect != nil }

  /// Whether no value was added since the last restart.
  var isIdle: Bool { held == nil }

  /// The number of samples in the window.
  var sampleCount: Int { history.count }

  /// The noise of the samples, in counts.
  var sampleNoise: SampleNoise { samples.noise }

  /// The noise of the samples as it most likely is, in counts.
  var likelySampleNoise: SampleNoise { samples.likelyNoise }

  /// The slope of a load that certainly moves steadily, in counts per sample; otherwise 0.
  var certainSlope: Double { history.certainSlope(samples.noise) }

  /// The noise of one sample, one standard deviation in counts.
  var sampleDeviation: Double { samples.noise.deviation }

  /// The variance of one sample of the pad when it was quietest, in counts.
  var quietVariance: Double { samples.quietNoise.variance }

  /// When the filter next needs `advance(to:)`, if nothing happens before.
  var nextDeadline: Instant? {
    guard let held, held.nextCheck <= HeldValue.lastCheck, samples.dropsRepeats || isInDoubt && held.isClipped else {
      return nil
    }
    return held.since + samples.period.length * held.nextCheck
  }

  /// The time up to which the load has been observed: where silence says nothing, no more than a sample period after the
  /// newest frame.
  @inline(__always)
  func observed(until time: Instant) -> Instant {
    guard !samples.dropsRepeats, let held else { return time }
    return min(time, held.since + samples.period.length)
  }

  /// Until when a value in doubt leaves the load as it was, where only the next one decides: it is overdue then by more
  /// than one and a half periods.
  var doubtEnd: Instant? {
    guard isInDoubt, !samples.dropsRepeats, let held else { return nil }
    return held.since + patience
  }

  /// How long the next sample may take: it is overdue then by one and a half periods.
  var patience: Interval { Interval(nanoseconds: samples.period.length.nanoseconds / 2 * 5) }

  /// Forgets the load but not the noise of the pad: after a load was put down or lifted, or a gap.
  mutating func restart() {
    // An empty pad restarts the filter with every frame.
    guard !isIdle else { return }
    history.removeAll()
    samples.interrupt()
    frames.removeAll()
    suspect = nil
    held = nil
  }

  /// Adds the value of one frame in counts.
  ///
  /// - Parameter isClipped: Whether it is the end of the range of an axis that does not deliver repeated values.
  mutating func add(_ value: Double, at time: Instant, isClipped: Bool = false) {
    let mightBeSlow = samples.period.mayBeSlow
    if let held {
      let distance = time - held.since
      samples.observe(interval: distance)
      if samples.dropsRepeats {
        countHeld(upTo: samples.period.samples(in: distance))
        samples.observe(step: value - held.value, settled: history.count >= 4)
      }
    } else {
      windowBegan = time
    }
    held = HeldValue(value, at: time, isClipped: isClipped)
    judge(value, at: time)
    guard samples.delivery != .everySample else { return }
    samples.evaluateDelivery()
    // A pad that was fast once is no slow converter.
    guard samples.dropsRepeats, !samples.period.wasFast else { return }
    let isBeginning = frames.count < RecentFrames.maximum
    frames.append(value, at: time)
    if samples.period.mayBeSlow, isBeginning || !mightBeSlow, frames.count >= SampleDelivery.framesAtStart {
      recountFrames()
    }
  }

  // MARK: Delivery

  /// The first frames of a slow pad have counted for the silence between them, too: starts again with each of them as
  /// one sample, if they are so noisy that silence is not a repeated value.
  private mutating func recountFrames() {
    var filter = self
    filter.samples.recountFrames()
    filter.history.removeAll()
    filter.suspect = nil
    filter.windowBegan = frames[0].time
    for index in 0..<frames.count {
      filter.append(frames[index].value, times: 1, at: frames[index].time)
      filter.lookForChange()
      filter.samples.learn(window: filter.history.count)
    }
    let newest = frames[frames.count - 1]
    filter.held = HeldValue(newest.value, at: newest.time, isClipped: held?.isClipped ?? false)
    if filter.samples.isNoisyAtStart { self = filter } else { samples.assumeNoise(of: filter.samples) }
  }

  // MARK: Time

  /// Evaluates the silence of the pad if a deadline has passed.
  mutating func advance(to time: Instant) {
    while let held, let deadline = nextDeadline, deadline <= time {
      countHeld(upTo: held.nextCheck)
      self.held?.nextCheck = held.nextCheck * 2
    }
  }

  /// Evaluates the silence of the pad up to now, before a decision is made.
  mutating func catchUp(to time: Instant) {
    guard let held, samples.dropsRepeats else { return }
    countHeld(upTo: samples.period.samples(in: time - held.since))
  }

  /// The estimate of the load at a moment; `nil` before the first frame.
  func estimate(at time: Instant) -> Estimate? {
    guard let held else { return nil }
    let isHeld = samples.dropsRepeats && suspect == nil
    let more = isHeld ? max(samples.period.samples(in: time - held.since) - held.counted, 0) : 0
    let line = history.line(adding: held.value, times: more)
    let variance = samples.noise.variance(inMeanOf: line.count)
    let trust = line.trustInSlope(variance: variance)
    let level = line.mean + trust * (line.end - line.mean)
    let belief = more > 0 ? 0 : belief(at: time)
    let period = samples.period.length
    let deviation = (1 + trust) * (variance / line.count).squareRoot()
    return Estimate(
      level: belief == 0 ? level : level + belief * (history.suspectedLevel - level),
      deviation: deviation, quietDeviation: deviation * samples.quietness,
      samples: line.count / ((1 + trust) * (1 + trust)), trustInSlope: trust, slope: line.slope / period.seconds,
      slopeDeviation: line.slopeDeviation(variance: variance) / period.seconds, since: windowBegan,
      newest: held.since, period: period, deliversEverySample: deliversEverySample)
  }

  /// The weight of a change that is not certain, which falls with the window's age.
  private func belief(at time: Instant) -> Double {
    history.suspicion.weight * max(1 - (time - windowBegan).seconds / Self.young.seconds, 0)
  }

  private static let young = Interval.milliseconds(300)  // The age from which on a window ignores suspicions.

  /// Whether the last `time` of the window may hide a movement of more than `limit` counts, peak to peak.
  func isRestless(limit: Double, over time: Interval) -> Bool {
    history.hidesStep(over: limit / 2, noise: samples.quietNoise)
      || history.wanders(over: samples.period.samples(in: time), limit: limit, noise: samples.quietNoise)
  }

  /// The slope in counts per second of a movement through several windows, seen within `time`; `nil` without one.
  func slopeAcrossWindows(within time: Interval) -> Double? {
    history.steadySlope(within: samples.period.samples(in: time), noise: samples.noise).map {
      $0 / samples.period.length.seconds
    }
  }

  /// Appends the samples of the current value to the history.
  private mutating func countHeld(upTo count: Int) {
    let count = min(count, Self.maximumRepeats)
    guard let held, count > held.counted else { return }
    // A value that lasts for several samples is no spike.
    if let suspect { confirm(suspect) }
    append(held.value, times: count - held.counted, at: held.since)
    samples.observe(repeats: count - held.counted, settled: history.count >= 4)
    self.held?.counted = count
    lookForChange()
  }

  /// The maximum number of samples for which a value counts; more silence adds no information.
  private static let maximumRepeats = 1 << 16

  private mutating func judge(_ value: Double, at time: Instant) {
    if let earlier = suspect {
      let level = history.line(adding: 0, times: 0).mean
      if earlier.isFollowed(by: value, from: level), isFarOff(value, by: Self.agreeing) { confirm(earlier) }
      suspect = nil
    } else if history.count >= Self.established, isFarOff(value, by: Self.spike) {
      suspect = SuspectValue(value: value, since: time)
      return
    }
    append(value, times: 1, at: time)
    lookForChange()
    samples.learn(window: history.count)
  }

  private mutating func confirm(_ earlier: SuspectValue) {
    suspect = nil
    append(earlier.value, times: 1, at: earlier.since)
  }

  private mutating func append(_ value: Double, times: Int, at time: Instant) {
    guard times > 0 else { return }
    history.append(value, times: times, at: time)
    samples.append(value)
  }

  /// The least number of samples with which a single value can be called a spike.
  private static let established = 6
  /// The distance from the window, in standard deviations, of a spike or a change.
  private static let spike = 5.0
  /// The distance, in standard deviations on the same side, at which the second value makes it a change.
  private static let agreeing = 3.0
  /// The distance, in standard deviations, of a value that matters: one sample in 20 is that far off.
  private static let unusual = 2.0

  /// Whether a value is so far from the window that counting it twice would move the load.
  func isUnusual(_ value: RawForce) -> Bool { history.count > 0 && isFarOff(Double(value.counts), by: Self.unusual) }

  @inline(__always)
  private func isFarOff(_ value: Double, by deviations: Double) -> Bool {
    let line = history.line(adding: 0, times: 0)
    let noise = samples.noise
    let mean = noise.variance(inMeanOf: line.count)
    let expected = line.isSteadyMovement(variance: mean) ? line.next : line.mean
    return (value - expected).magnitude > deviations * (noise.variance + mean / line.count).squareRoot()
  }

  /// Restarts the window at the likeliest moment of a change, if there is one.
  private mutating func lookForChange() {
    let noise = samples.noise
    while let split = history.likeliestChange(noise: noise) {
      windowBegan = history.beginWindow(at: split)
    }
  }
}

extension LoadFilter: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "a window has a newest value": history.count == 0 || held != nil,
      "a value in doubt is the newest one": suspect.map { $0.since == held?.since } ?? true,
      "noise is above zero": samples.noise.variance > 0,
      "a window does not begin after its newest value": held.map { windowBegan <= $0.since } ?? true,
    ]
  }
}
