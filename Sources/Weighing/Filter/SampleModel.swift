/// What the filter knows about the samples of the pad: how they arrive, how often, and how noisy they are.
struct SampleModel: Sendable {
  private(set) var period = SamplePeriod()
  private(set) var delivery: SampleDelivery
  /// The noise as long as repeated values are dropped.
  private var distinct: NoiseEstimate
  /// The noise with its correlation, once each sample is seen.
  private var sequence: SequenceNoise
  /// The last frames of a noisy pad, up to `SampleDelivery.frames`, and how many samples it took during them.
  private var (frames, samples) = (0, 0)
  private let fullScale: RawForce

  /// Makes a model of a pad of which nothing has been seen.
  init(fullScale: RawForce, deliversEverySample: Bool) {
    delivery = deliversEverySample ? .everySample : .distinctValues
    distinct = NoiseEstimate(fullScale: fullScale)
    sequence = SequenceNoise(fullScale: fullScale)
    self.fullScale = fullScale
  }

  /// Whether silence is a repeated value.
  var dropsRepeats: Bool { @inline(__always) get { delivery == .distinctValues } }

  /// The noise of the samples, in counts.
  var noise: SampleNoise {
    @inline(__always) get {
      dropsRepeats ? SampleNoise(variance: distinct.deviation * distinct.deviation) : sequence.noise
    }
  }

  /// The noise of the samples as it most likely is, in counts.
  var likelyNoise: SampleNoise { @inline(__always) get { dropsRepeats ? noise : sequence.likely } }

  /// The noise of the pad when it was quietest; that of now where repeated values are dropped.
  var quietNoise: SampleNoise { dropsRepeats ? noise : sequence.quiet }

  /// One standard deviation of the quietest noise as a share of that of now, 0...1.
  var quietness: Double { dropsRepeats ? 1 : (sequence.quiet.variance / sequence.noise.variance).squareRoot() }

  // MARK: Samples

  /// Evaluates the time between two frames.
  mutating func observe(interval: Interval) {
    period.observe(interval, deliversEverySample: !dropsRepeats)
    guard isNoisy else { return }
    frames += 1
    samples += min(period.samples(in: interval), SampleDelivery.frames)
  }

  /// Whether repeated values are dropped, but there may be none of them. The noise of a movement counts here, too.
  private var isNoisy: Bool { dropsRepeats && distinct.deviation >= SampleDelivery.noisy }

  /// Evaluates the step to a frame, if repeated values are dropped.
  mutating func observe(step: Double, settled: Bool) { distinct.observe(step: step, settled: settled) }

  /// Evaluates samples that are equal to the previous one.
  mutating func observe(repeats: Int, settled: Bool) { distinct.observe(repeats: repeats, settled: settled) }

  /// Appends the value of a frame that is no spike.
  mutating func append(_ value: Double) { if !dropsRepeats || isNoisy { sequence.append(value) } }

  /// Learns from the last value, when the window of the filter, which contains it, has `count` samples.
  mutating func learn(window count: Int) {
    if !dropsRepeats || isNoisy { sequence.learn(window: count) } else { sequence.interrupt() }
  }

  /// The load is lost: the next value has nothing to do with the last one.
  mutating func interrupt() { sequence.interrupt() }

  // MARK: Delivery

  /// Evaluates whether the frames show that each sample arrives, or no longer do.
  mutating func evaluateDelivery() {
    if delivery == .apparentlyEverySample, sequence.noise.deviation < SampleDelivery.quiet {
      // The pad has become so quiet that it repeats values.
      distinct = NoiseEstimate(deviation: sequence.noise.deviation, samples: SampleDelivery.frames)
      delivery = .distinctValues
    } else if frames >= SampleDelivery.frames {
      if isNoisy, frames * 100 >= samples * SampleDelivery.leastShare,
        sequence.isKnown(toExceed: SampleDelivery.noisy)
      {
        delivery = .apparentlyEverySample
      } else if isNoisy, sequence.isKnown(toExceed: 0), sequence.noise.deviation * 4 < distinct.deviation {
        // What was assumed for the range of the axis is far too much.
        distinct = NoiseEstimate(deviation: sequence.noise.deviation, samples: SampleDelivery.frames)
      }
      (frames, samples) = (0, 0)
    }
  }

  /// Treats each frame as one sample; the caller appends the last ones again.
  mutating func recountFrames() {
    delivery = .apparentlyEverySample
    period.acceptIntervals()
    sequence = SequenceNoise(fullScale: fullScale)
  }

  /// Whether the last frames, appended again, are too noisy for a pad that repeats values, and not loads that were put
  /// down one after the other.
  var isNoisyAtStart: Bool { isScale && sequence.noise.deviation >= SampleDelivery.noisyAtStart }

  /// Whether the noise of the last frames is small enough for a scale.
  private var isScale: Bool { sequence.noise.deviation * SampleDelivery.leastSignal <= Double(fullScale.counts) }

  /// Replaces the noise that was assumed for the range of the axis by that of the last frames.
  mutating func assumeNoise(of recounted: SampleModel) {
    guard recounted.isScale else { return }
    distinct = NoiseEstimate(deviation: recounted.sequence.noise.deviation, samples: SampleDelivery.framesAtStart)
  }
}
