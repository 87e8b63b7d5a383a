/// Measures the load on the pad: holds back spikes, filters the counts of the frames, and decides when a load is at
/// rest.
struct LoadMeter: Sendable {
  private(set) var filter = LoadFilter(fullScale: .zero)
  private(set) var stability: StabilityDetector
  private var rebaselining = RebaseliningDetector()
  private(set) var signal = SignalMonitor()
  private var loadsAtRest = LoadsAtRest()
  private(set) var flow = FlowSampler()
  private var newest = NewestFrame()
  /// How far the load moved from one sample to the next when it was last measured, in counts.
  private var moves = 0.0
  /// How many frames were beyond the range that the driver states, up to two.
  private var framesBeyondRange = 0

  /// Makes a meter without a pad.
  init(motion: Grams, stableTime: Interval) { stability = StabilityDetector(limit: motion, time: stableTime) }

  /// Replaces the rule for a load at rest.
  mutating func setStability(motion: Grams, time: Interval) { stability = StabilityDetector(limit: motion, time: time) }

  // MARK: Pad

  /// Starts measuring on a pad whose load is not known yet.
  mutating func attach(_ pad: ConnectedPad, isSamePad: Bool, at time: Instant) {
    rebaselining.begin(fullScale: pad.axis.fullScale, isSamePad: isSamePad)
    filter = LoadFilter(pad)
    loadsAtRest = LoadsAtRest()
    reset()
    signal.begin(deliversEverySample: pad.description.deliversEverySample, fullScale: pad.axis.fullScale, at: time)
  }

  /// Discards everything about the load: the pad is gone or another one is connected.
  mutating func reset() {
    rebaselining.discardLoad()
    signal.stop()
    newest = NewestFrame()
    framesBeyondRange = 0
    restart()
  }

  /// Starts a new load.
  mutating func restart() {
    interrupt()
    stability.restart()
    flow.restart()
  }

  /// Discards the load after a gap in the events.
  mutating func interrupt() {
    filter.restart()
    flow.interrupt()
    newest.releaseHeld()
  }

  // MARK: Frames

  /// Compares a frame with the load and decides whether it counts.
  ///
  /// - Parameter isOverloaded: Whether the last reading is in overload.
  mutating func receive(_ frame: FrameLoad, isOverloaded: Bool, at time: Instant, _ reference: OverloadGuard.Reference)
    -> FrameOutcome
  {
    if frame.isBeyondRange { framesBeyondRange = min(framesBeyondRange + 1, 2) }
    let arrival = observeArrival(of: frame, on: reference.pad, at: time)
    if arrival == .frozen { return lose(frame) }
    // One sample that is sent again is no second one, where a second one would change what is known about the load.
    let isNoSecond = signal.isRepeat && (isInDoubt || isStable(at: time, patience: 1) && filter.isUnusual(frame.raw))
    if signal.isDoubtful || isNoSecond { return .held }
    let followsGap = arrival != .expected || frame.followsGap
    rebaselining.observe(frame.raw, of: frame.contacts, followsGap: followsGap, at: time)
    // A converter always sends the next sample soon, so there this does not wait for rest.
    let isKnown = filter.isSampledRegularly ? !filter.isIdle : isStable(at: time, patience: 1)
    // Where each sample arrives, silence says nothing; but evdev drops a repeated value at the end of the range, too.
    let repeats = !filter.deliversEverySample || frame.isAtEnd && !reference.pad.description.deliversEverySample
    let finding = newest.receive(
      frame, followsGap: followsGap, mayBeSpike: !isOverloaded && (isKnown || newest.heldSince != nil),
      patience: repeats ? filter.isSampledRegularly ? filter.patience : .zero : nil, at: time, reference)
    if let held = finding.confirmed {
      apply(held)
    } else if finding.isOtherLoad, frame.contacts.count > 0 || !finding.isAccepted {
      if finding.isAccepted { filter.restart() }
      stability.restart()
    }
    return finding.isAccepted ? .measured : .held
  }

  /// Evaluates whether the samples had stopped before a frame, which then begins a new load, and whether it is one.
  private mutating func observeArrival(of frame: FrameLoad, on pad: ConnectedPad, at time: Instant)
    -> SignalMonitor.Arrival
  {
    let wasUnproven = signal.isUnproven
    let arrival = signal.observe(
      SignalMonitor.Circumstances(
        frame, on: pad, filter, isAtRest: isStable(at: time, patience: 1) && moves < filter.sampleDeviation / 2),
      at: time)
    // What was seen until now is no measurement at all.
    if wasUnproven, arrival == .thawed { filter = LoadFilter(pad) }
    // The filter keeps its window: if the load is another one now, it finds out.
    if arrival != .expected { stability.restart() }
    return arrival
  }

  /// Discards a frame that is no measurement; what is known about load and noise remains.
  private mutating func lose(_ frame: FrameLoad) -> FrameOutcome {
    newest.lose(frame)
    rebaselining.discardLoad()
    loadsAtRest.interrupt()
    flow.interrupt()
    return .lost
  }

  /// Filters the load of the last frame; returns whether the pad reports that nothing touches it.
  mutating func filterFrame(at time: Instant, on pad: ConnectedPad) -> Bool {
    if isAtEnd {
      // A value at the end of the range only says that there is a load.
      filter.restart()
      flow.restart()
    } else if raw > .zero {
      if filter.isIdle { stability.restart() }
      filter.add(Double(raw.counts), at: time)
      observeRest(at: time)
      flow.add(Double(raw.counts), at: time, filter.flowSampling(loadsAtRest), pad.calibration)
    } else {
      return true
    }
    return false
  }

  /// Learns noise and wander of a load at rest, on a pad that delivers each sample.
  private mutating func observeRest(at time: Instant) {
    guard filter.deliversEverySample else { return }
    guard isStable(at: time, patience: 1) else { return loadsAtRest.interrupt() }
    // A single wrong sample says nothing about the load.
    guard !filter.isInDoubt else { return }
    loadsAtRest.append(Double(raw.counts), slope: filter.certainSlope)
  }

  /// Filters an empty frame under a platter, whose load never lifts.
  mutating func filterZero(at time: Instant, on pad: ConnectedPad) {
    filter.add(0, at: time, isClipped: !pad.description.deliversEverySample)
    flow.add(0, at: time, filter.flowSampling(loadsAtRest), pad.calibration)
  }

  /// Counts a held frame as the load, from its own time on.
  private mutating func apply(_ held: OverloadGuard.HeldFrame) {
    filter.restart()
    stability.restart()
    if !held.isAtEnd { filter.add(Double(held.raw.counts), at: held.time) }
  }

  // MARK: Time

  /// When the meter next needs `advanceFilter(to:)` and `advance(to:)`, if no frame arrives before.
  mutating func nextDeadline(after now: Instant) -> Instant? {
    var earliest = EarliestInstant()
    if signal.isMeasurable {
      earliest.include(filter.nextDeadline)
      if filter.deliversEverySample {
        let rest = stability.nextDeadline(after: filter.observed(until: now))
        if let rest, filter.observed(until: rest) == rest { earliest.include(rest) }
        if let end = doubtEnd, end >= now { earliest.include(end + Interval(nanoseconds: 1)) }
      } else {
        earliest.include(stability.nextDeadline(after: now))
      }
    }
    earliest.include(signal.deadline)
    earliest.include(newest.deadline)
    earliest.include(rebaselining.nextDeadline)
    return earliest.instant
  }

  /// Whether a decay or the end of a flow, or a held frame about which the time decides, is still undecided.
  var hasPendingDecision: Bool { newest.deadline != nil || rebaselining.nextDeadline != nil || flowDeadline != nil }

  /// Evaluates the silence of the pad.
  mutating func advanceFilter(to time: Instant) { if signal.isMeasurable { filter.advance(to: time) } }

  /// When the flow has to be evaluated, if no frame arrives before; `nil` while nothing flows.
  var flowDeadline: Instant? {
    @inline(__always) get { signal.isMeasurable ? flow.nextDeadline(filter.meaningOfSilence) : nil }
  }

  /// Evaluates the silence of the pad for the flow.
  mutating func advanceFlow(to time: Instant, on pad: ConnectedPad) {
    if signal.isMeasurable { flow.advance(to: time, filter.flowSampling(loadsAtRest), pad.calibration) }
  }

  /// Evaluates what the time alone shows: a load that holds its value, samples that have stopped, and a held frame whose
  /// time is over. Returns whether the held frame counts as the load now.
  mutating func advance(to time: Instant) -> Bool {
    rebaselining.advance(to: time)
    if signal.advance(to: time) { stability.restart() }
    guard let held = newest.expire(at: time) else { return false }
    apply(held)
    return true
  }

  // MARK: Results

  /// Measures the load; `nil` if nothing is on the pad.
  mutating func measure(on pad: ConnectedPad, at now: Instant) -> Load? {
    // While samples are missing, the load is that of the last one.
    let moment = signal.isSilent ? signal.lastFrame ?? now : filter.observed(until: now)
    if signal.isMeasurable, stability.isDue(at: moment) { filter.catchUp(to: moment) }
    guard let estimate = filter.estimate(at: moment) else { return nil }
    let counts = RawForce(Int(estimate.level))
    let slope = pad.calibration.slope(at: counts)
    moves = estimate.slope.magnitude * estimate.period.seconds
    let mass = pad.calibration.mass(atCounts: estimate.level)
    if signal.isMeasurable {
      let isYoung = estimate.since + stability.time > moment
      stability.observe(
        StabilityDetector.Level(
          estimate, mass: mass, gramsPerCount: slope,
          slopeAcrossWindows: isYoung ? filter.slopeAcrossWindows(within: stability.time * 4) : nil,
          step: filter.isSampledRegularly ? slope : 0), at: moment)
      if !filter.isInDoubt, let time = stability.restToBeShown(at: moment),
        !filter.isRestless(limit: stability.limit / slope, over: time)
      {
        stability.markAtRest()
      }
    }
    return Load(
      counts: estimate.level, mass: stability.mass(at: moment).map(Grams.init) ?? mass,
      deviation: estimate.deviation * slope, slope: estimate.slope * slope,
      slopeDeviation: estimate.slopeDeviation * slope, gramsPerCount: slope, noise: filter.sampleNoise,
      noiseAtRest: noiseAtRest, wander: filter.deliversEverySample ? loadsAtRest.wander(of: estimate, noiseAtRest) : 0,
      samples: estimate.samples)
  }

  /// The noise for the uncertainty of a load at rest.
  private var noiseAtRest: SampleNoise {
    @inline(__always) get { filter.deliversEverySample ? loadsAtRest.noise ?? filter.sampleNoise : filter.sampleNoise }
  }

  /// Whether the load has been at rest for `patience` times the stable time.
  @inline(__always) func isStable(at now: Instant, patience: Int) -> Bool {
    if signal.isUnproven { return false }
    guard filter.deliversEverySample else { return stability.isStable(at: now, patience: patience) }
    return stability.isStable(at: filter.observed(until: now), patience: patience)
      && doubtEnd.map { now <= $0 } ?? true
  }

  /// Until when the reading stands although the newest frame may be a single wrong one; `nil` without such a frame, or
  /// where the time decides about it.
  private var doubtEnd: Instant? {
    if let since = newest.heldSince, filter.deliversEverySample { return since + filter.patience }
    return filter.doubtEnd
  }

  /// The flow in grams per second; `nil` while it is unknown.
  var flowRate: Double? { signal.isMeasurable ? flow.meter.rate : nil }

  /// The pours on the pad.
  var pour: PourDetector { @inline(__always) get { flow.meter.pour } }

  /// When the newest frame has arrived.
  var lastFrame: Instant? { @inline(__always) get { signal.lastFrame } }
  /// Whether the pad has stopped delivering samples.
  var isSilent: Bool { @inline(__always) get { signal.isSilent } }
  /// Whether the samples of the pad do not come from its sensor.
  var isFrozen: Bool { @inline(__always) get { signal.isFrozen } }

  /// Whether the firmware of the pad treats resting loads as its zero.
  var isSuspect: Bool { @inline(__always) get { rebaselining.isSuspect } }

  /// Whether the newest frame may be a single wrong one.
  var isInDoubt: Bool { @inline(__always) get { filter.isInDoubt || newest.heldSince != nil } }

  /// The load of the newest frame that counts, in counts.
  var raw: RawForce { @inline(__always) get { newest.raw } }

  /// Whether an axis is at the end of its range in that frame.
  var isAtEnd: Bool { @inline(__always) get { newest.isAtEnd } }

  /// Whether the range that the driver states is wrong: two frames were beyond it, since a single one may be a spike.
  var isRangeExceeded: Bool { @inline(__always) get { framesBeyondRange > 1 } }

  /// Whether nothing has been measured since the last restart.
  var isIdle: Bool { @inline(__always) get { filter.isIdle } }

  /// The noise of a single frame, one standard deviation in counts.
  var sampleDeviation: Double { @inline(__always) get { filter.sampleDeviation } }

  /// The time between two samples.
  var samplePeriod: Interval { filter.samplePeriod }

  /// Whether each sample arrives, repeated values included.
  var deliversEverySample: Bool { filter.deliversEverySample }

  /// How long a load at rest has not moved.
  var stableTime: Interval { stability.time }

  /// The time up to which the load has been observed.
  func observed(until now: Instant) -> Instant { filter.observed(until: now) }

  /// What the filter knows about the load in counts; `nil` if nothing is on the pad.
  func estimate(at now: Instant) -> LoadFilter.Estimate? { filter.estimate(at: now) }
}
