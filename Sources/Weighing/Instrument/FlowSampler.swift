/// Passes the samples of the pad to the flow meter: averages them in blocks and counts values that are repeated in
/// silence.
///
/// evdev drops repeated values, so the silence of a fast pad is its last value. The frames of a converter that was
/// recorded as an evdev device hardly ever repeat a value: its silence is a gap at first, through which a line goes as
/// well. A pad that delivers each sample has no repeats.
struct FlowSampler: Sendable {
  /// What the silence of the pad means.
  enum Silence: Sendable {
    /// The value is repeated.
    case repeats
    /// Samples are missing, unless it lasts.
    case gap
    /// Samples are missing.
    case loss
  }

  /// How the pad samples the load.
  struct Sampling {
    /// The noise in counts.
    var noise: FlowNoise
    /// The time between two samples.
    var period: Interval
    var silence: Silence
  }

  private struct Held: Sendable {
    var counts: Double
    /// The time of the newest sample, and the time up to which its value is counted.
    var since: Instant
    var counted: Instant
  }

  private(set) var meter = FlowMeter()
  private var block = FlowBlock()
  private var held: Held?

  /// The least length of a block.
  private static let blockLength = Interval.milliseconds(40)
  /// How often silence is evaluated while something flows, and how long a gap lasts until it is a repeated value.
  private static let step = Interval.milliseconds(100)
  private static let longestGap = Interval.milliseconds(1500)
  /// In how many blocks a long silence counts.
  private static let blocksOfSilence: Int64 = 20

  // MARK: Samples

  /// Forgets the load.
  mutating func restart() {
    guard held != nil || !block.isEmpty || !meter.isEmpty else { return }
    held = nil
    block = FlowBlock()
    meter.restart()
  }

  /// Events were lost: the time before the next sample is not that of a repeated value.
  mutating func interrupt() { held = nil }

  /// Adds a sample in counts.
  mutating func add(
    _ counts: Double, at time: Instant, _ sampling: Sampling, _ calibration: Calibration
  ) {
    if let held, sampling.silence == .repeats || held.counted != held.since {
      hold(to: time, sampling, calibration)
    }
    if !block.isEmpty, time - block.begin >= Self.blockLength { close(sampling.noise, calibration) }
    block.add(counts, at: time)
    // The next sample would be past the block: it is complete.
    if time + sampling.period - block.begin >= Self.blockLength { close(sampling.noise, calibration) }
    held = Held(counts: counts, since: time, counted: time)
  }

  /// Counts the newest value as that of the samples up to a moment.
  private mutating func hold(to time: Instant, _ sampling: Sampling, _ calibration: Calibration) {
    guard let held else { return }
    let period = max(sampling.period.nanoseconds, 1)
    var repeats = (time - held.counted).nanoseconds / period
    // The sample of the moment itself is that of the next value.
    if (time - held.counted).nanoseconds - repeats * period < period / 2 { repeats -= 1 }
    guard repeats > 0 else { return }
    if repeats * period <= Self.step.nanoseconds {
      for index in 1...repeats {
        addHeld(held.counts, times: 1, at: held.counted + Interval(nanoseconds: index * period), sampling, calibration)
      }
    } else {
      let first = max(1, repeats - Interval.seconds(FlowMeter.longestRest).nanoseconds / period)
      let stride = max((repeats - first) / Self.blocksOfSilence + 1, 1)
      var index = first
      while index <= repeats {
        let count = min(stride, repeats - index + 1)
        addHeld(
          held.counts, times: count, at: held.counted + Interval(nanoseconds: index * period), sampling, calibration)
        index += count
      }
    }
    self.held?.counted = held.counted + Interval(nanoseconds: repeats * period)
  }

  private mutating func addHeld(
    _ counts: Double, times: Int64, at time: Instant, _ sampling: Sampling, _ calibration: Calibration
  ) {
    if !block.isEmpty, time - block.begin >= Self.blockLength { close(sampling.noise, calibration) }
    block.add(counts, times: Double(times), at: time, length: sampling.period * Int(times - 1))
  }

  private mutating func close(_ noise: FlowNoise, _ calibration: Calibration) {
    let slope = calibration.slope(at: RawForce(Int(block.mean)))
    meter.append(block, mass: calibration.mass(atCounts: block.mean).value, noise: noise.scaled(by: slope))
    block = FlowBlock()
  }

  // MARK: Time

  /// When the silence of the pad has to be evaluated; `nil` while nothing flows.
  @inline(__always)
  func nextDeadline(_ silence: @autoclosure () -> Silence) -> Instant? {
    guard let held, !meter.isSettled else { return nil }
    switch silence() {
    case .repeats: return held.counted + Self.step
    case .gap: return held.counted + (held.counted == held.since ? Self.longestGap : Self.step)
    case .loss: return nil
    }
  }

  /// Evaluates the silence of the pad if a deadline has passed.
  mutating func advance(to time: Instant, _ sampling: Sampling, _ calibration: Calibration) {
    while let deadline = nextDeadline(sampling.silence), deadline <= time {
      let counted = held?.counted
      hold(to: deadline + sampling.period, sampling, calibration)
      // A pad slower than the steps has no sample in each of them.
      if held?.counted == counted { held?.counted = deadline }
    }
  }
}

/// The samples of a few hundredths of a second.
struct FlowBlock: Sendable {
  /// The number of samples.
  private(set) var weight = 0.0
  private var sum = 0.0
  private var times = 0.0
  /// The times of the first and the newest sample.
  private(set) var begin = Instant(nanoseconds: 0)
  private(set) var end = Instant(nanoseconds: 0)

  /// Whether there are no samples.
  var isEmpty: Bool { weight == 0 }
  /// The mean of the samples in counts.
  var mean: Double { sum / weight }
  /// The mean of their times.
  var centre: Instant { begin + .seconds(times / weight) }

  /// Adds a sample.
  @inline(__always)
  mutating func add(_ value: Double, at time: Instant) {
    if weight == 0 { begin = time }
    weight += 1
    sum += value
    times += (time - begin).seconds
    end = time
  }

  /// Adds samples of one value from a time on.
  mutating func add(_ value: Double, times count: Double, at time: Instant, length: Interval) {
    if weight == 0 { begin = time }
    weight += count
    sum += value * count
    times += ((time - begin).seconds + length.seconds / 2) * count
    end = time + length
  }
}

extension LoadFilter {
  /// What the flow needs to know about the samples.
  @inline(__always)
  func flowSampling(_ loadsAtRest: LoadsAtRest) -> FlowSampler.Sampling {
    let inMotion = likelySampleNoise
    let atRest = deliversEverySample ? loadsAtRest.likelyNoise ?? inMotion : inMotion
    return FlowSampler.Sampling(
      noise: FlowNoise(inMotion: inMotion, atRest: atRest), period: samplePeriod, silence: meaningOfSilence)
  }

  /// What the time without a sample says.
  var meaningOfSilence: FlowSampler.Silence {
    @inline(__always) get { deliversEverySample ? .loss : isSampledRegularly ? .gap : .repeats }
  }
}
