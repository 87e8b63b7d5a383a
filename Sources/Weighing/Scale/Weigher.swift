/// The weighing part of the scale: turns the frames of a pad into readings, and owns calibration, plate and tare.
/// Presses, requests and publication are the business of `ScaleMachine`, which also passes the time.
struct Weigher: Sendable {
  private(set) var settings: ScaleSettings
  /// The pad; `nil` while none is connected.
  private(set) var pad: ConnectedPad?
  /// The load in counts.
  private(set) var meter: LoadMeter
  /// The current reading.
  private(set) var reading: Reading
  /// Its gross, unrounded; `nil` without a load and in overload.
  private(set) var gross: Grams?
  /// The noise of a single frame, one standard deviation.
  private(set) var noise = Grams.zero
  /// The variance of the gross from noise, in square grams.
  private(set) var grossVariance = 0.0
  /// The number of contacts in zones in the last frame, and of those in zones of actions: the others change no reading.
  private(set) var fingers = (zones: 0, actions: 0)
  /// Target, counting and containers; stops ahead of targets, and doses.
  var instruments: Instruments
  var dosing = Dosing()
  private var register = TareRegister()
  private(set) var plate = Plate()
  private var composer = ReadingComposer()
  private var reports = LoadReports()
  private var padReports = PadReports()

  /// Makes a weigher without a pad.
  init(settings: ScaleSettings, at now: Instant) {
    self.settings = settings
    meter = LoadMeter(motion: settings.stability.motion, stableTime: settings.stability.time)
    let tare = DisplayedMass(steps: 0, division: settings.scale.division)
    reading = Reading(
      offlineAt: now, tare: tare, tareEpoch: 0, capacity: settings.scale.capacity, unit: settings.scale.unit)
    instruments = Instruments(settings.containers)
  }

  /// The tare, unrounded.
  var tare: Grams { @inline(__always) get { register.tare } }
  /// The number of tare and zero changes.
  var tareEpoch: Int { @inline(__always) get { register.epoch } }

  // MARK: Pad and settings

  /// Connects a pad; tare and plate of another pad are dropped.
  mutating func attach(_ new: ConnectedPad, at now: Instant, _ effects: inout [Effect]) {
    // Changed settings connect the pad again, whose load they leave there.
    instruments.attachPad(isSame: pad != nil)
    pad = new
    let isSamePad = register.pad == new.identity
    assign(to: new.identity, at: now, &effects)
    meter.attach(new, isSamePad: isSamePad, at: now)
    forgetLoad()
  }

  mutating func detach() {
    meter.reset()
    forgetLoad()
    pad = nil
  }

  /// Applies changed settings to the same pad; the tare remains.
  mutating func configure(_ new: ScaleSettings, at now: Instant, _ effects: inout [Effect]) {
    let old = settings
    settings = new
    if let former = pad, new.axis == old.axis, new.surface == old.surface {
      let pad = ConnectedPad(former.description, axis: former.axis, settings: new)
      self.pad = pad
      composer.reset()
      _ = register.note(pad.calibratedZero)
      if let mass = plate.replace(by: pad, after: former) { reportZero(mass, at: now, &effects) }
    }
    if new.stability.motion != old.stability.motion || new.stability.time != old.stability.time {
      meter.setStability(motion: new.stability.motion, time: new.stability.time)
    }
    if new.curve != old.curve { reports.forgetSettled() }
  }

  private mutating func assign(to identity: String, at now: Instant, _ effects: inout [Effect]) {
    if register.assign(to: identity) {
      plate = Plate()
      if tare != .zero { clearTare(at: now, &effects) }
    }
    let isNewer = pad.map { register.note($0.calibratedZero) } ?? false
    if let zero = pad?.calibratedZero, isNewer || plate.counts == nil { plate = Plate(restored: zero.counts) }
    plate.requireConfirmation()
    register.setClearsOnEmptyPad(settings.scale.tareOnRelease == .clear)
  }

  private mutating func forgetLoad() {
    instruments.timer.loseVessel()
    fingers = (0, 0)
    reports.reset()
    padReports.resetSampling()
    composer.reset()
    if surface == .contacts { plate = Plate() }
  }

  // MARK: Frames

  /// Accepts a frame as the load, holds it as a possible spike, or discards it. The reading is still that of the last frame.
  mutating func receive(_ frame: Frame, on pad: ConnectedPad, at now: Instant) -> FrameOutcome {
    if frame.followsGap {
      meter.interrupt()
      reports.forgetSettled()
    }
    instruments.observe(frame, on: pad)
    let load = FrameLoad(frame, on: pad, zones: settings.zones)
    fingers = load.fingers
    return meter.receive(load, isOverloaded: reading.isOverloaded, at: now, overloadReference(pad))
  }

  /// Filters the load of the frame that `receive` has accepted.
  mutating func filterFrame(on pad: ConnectedPad, at now: Instant, _ effects: inout [Effect]) {
    guard meter.filterFrame(at: now, on: pad) else { return }
    guard surface == .contacts else { return meter.filterZero(at: now, on: pad) }
    // Nothing touches the pad: the reading resets at once.
    meter.restart()
    reports.forgetSettled()
    composer.reset()
    plate = Plate()
    // A tare that was set on the empty pad remains for the load to come.
    guard gross != nil || reading.isOverloaded else { return }
    if settings.scale.tareOnRelease == .clear && tare != .zero { clearTare(at: now, &effects) }
  }

  // MARK: Time

  /// When the weigher next has something to do, if no frame arrives before.
  mutating func nextDeadline(after now: Instant) -> Instant? {
    instruments.earlier(meter.nextDeadline(after: now), after: now)
  }

  mutating func advanceFilter(to now: Instant) { meter.advanceFilter(to: now) }
  /// Evaluates what the time shows; returns whether the held frame counts as the load now.
  mutating func advance(to now: Instant) -> Bool { meter.advance(to: now) }

  // MARK: Reading

  /// Computes the reading and reports what it shows; a press of added force past the threshold hides the load.
  mutating func update(isForceAdded: Bool, at now: Instant, _ effects: inout [Effect]) {
    followPour(at: now, &effects)
    let load = measure(at: now)
    if let load { updatePlate(load, at: now, &effects) }
    compose(load, isForceAdded: isForceAdded, at: now)
    if register.needsClearing(isEmpty: reading.state == .empty, hasPad: reading.state != .offline) {
      clearTare(at: now, &effects)
      compose(measure(at: now), isForceAdded: isForceAdded, at: now)
    }
    let due = reports.evaluate(reading, isForceAdded: isForceAdded)
    if due.isOverload { effects.append(event(.overload, at: now)) }
    if due.isSettled { effects.append(.settled(reading)) }
  }

  mutating func recompose(isForceAdded: Bool, at now: Instant) {
    composer.reset()
    compose(measure(at: now), isForceAdded: isForceAdded, at: now)
  }

  /// Dates the reading without measuring: nothing has changed since.
  mutating func dateReading(at now: Instant) {
    (reading.time, reading.timer, reading.pours) = (now, instruments.timer.elapsed(at: now), instruments.timer.pours)
  }

  /// Evaluates the flow alone; returns whether the reading shows another one now.
  mutating func advanceFlow(to now: Instant) -> Bool {
    guard let pad, pad.isCalibrated else { return false }
    meter.advanceFlow(to: now, on: pad)
    guard meter.flowRate != reading.flow, !meter.isIdle, reading.state != .pressing else { return false }
    reading.flow = meter.flowRate
    return true
  }

  private mutating func measure(at now: Instant) -> Load? {
    if let pad, !meter.isFrozen { meter.measure(on: pad, at: now) } else { nil }
  }

  private mutating func compose(_ load: Load?, isForceAdded: Bool, at now: Instant) {
    composeLoad(load, isForceAdded: isForceAdded, at: now)
    instruments.complete(&reading, register.container, deviation: load?.deviation, common: countingUncertainty)
    if instruments.isCounting, isCountStale { reading.instruments?.count?.pieces = nil }
  }

  private mutating func composeLoad(_ load: Load?, isForceAdded: Bool, at now: Instant) {
    gross = nil
    guard let pad, pad.isCalibrated, !meter.isFrozen else {
      reading = Reading(
        offlineAt: now, raw: meter.raw, on: pad, tare: displayed(tare), tareEpoch: tareEpoch,
        capacity: settings.scale.capacity, unit: settings.scale.unit)
      return
    }
    let division = settings.scale.division
    reading = Reading(
      emptyAt: now, raw: meter.raw, force: pad.axis.force(of: meter.raw), calibration: pad.calibration.origin,
      tare: displayed(tare), tareEpoch: tareEpoch, capacity: settings.scale.capacity, unit: settings.scale.unit)
    guard let load, !meter.isAtEnd else {
      if meter.isAtEnd {
        reading.setOverload()
        composer.resetNet()
      } else if fingers.actions > 0 {
        reading.state = .pressing
      }
      return
    }
    reading.flow = isForceAdded ? nil : meter.flowRate
    let newGross = load.mass - plate.load(pad.calibration)
    let zeroDeviation = plate.deviation(near: load)
    grossVariance = load.deviation * load.deviation + zeroDeviation * zeroDeviation
    let conditions = ReadingComposer.Conditions(
      // A load under the minimum is mostly a hand that is about to put something down: it has to rest three times as long.
      isResting: meter.isStable(
        at: now, patience: newGross.magnitude < settings.scale.minimum ? StabilityDetector.maximumPatience : 1),
      isEmpty: surface == .platter && plate.isEmpty(load, gross: newGross, raw: meter.raw, division: division),
      isSuspect: meter.isSuspect, isForceAdded: isForceAdded, isZonePressed: fingers.actions > 0,
      minimum: settings.scale.minimum, zeroDeviation: zeroDeviation)
    if composer.compose(load, gross: newGross, tare: tare, conditions, on: pad, into: &reading) {
      gross = newGross
      noise = Grams(load.sampleDeviation * load.gramsPerCount)
    }
  }

  /// The load of the plate; zero until it is learned.
  @inline(__always) mutating func plateLoad(_ pad: ConnectedPad) -> Grams { plate.load(pad.calibration) }

  // MARK: Tare and zero

  /// Sets the tare to a mass, which may be that of a container.
  mutating func setTare(_ tare: Grams, of container: ContainerName?, at now: Instant, _ effects: inout [Effect]) {
    register.set(tare, container: container)
    instruments.timer.tare(meter.pour, gross: gross ?? .zero)
    effects.append(event(.tared(displayed(tare), container: container), at: now))
  }

  /// Clears the tare.
  mutating func clearTare(at now: Instant, _ effects: inout [Effect]) {
    register.set(.zero)
    composer.resetNet()
    effects.append(event(.tareCleared, at: now))
  }

  /// Zeroes the scale at its current load; this clears the tare.
  mutating func zero(at now: Instant, _ effects: inout [Effect]) {
    register.clearBeforeZero()
    if let load = measure(at: now) { plate = Plate(load, isZeroed: true, at: now) }
    reportZero(gross ?? .zero, at: now, &effects)
  }

  /// Learns the plate of a platter, or lets its zero follow slow drift.
  private mutating func updatePlate(_ load: Load, at now: Instant, _ effects: inout [Effect]) {
    guard surface == .platter, let pad, pad.isCalibrated else { return }
    let isStable = meter.isStable(at: now, patience: 1)
    let offset = load.mass - plate.load(pad.calibration)
    switch plate.evaluate(load, offset: offset, raw: meter.raw, isStable: isStable, settings) {
    case .unlearned: return
    case .learned:
      plate = Plate(load, isZeroed: false, at: now)
      return reportZero(load.mass, at: now, &effects)
    case .confirmed:
      plate = Plate(load, isZeroed: true, at: now)
      return reportZero(offset, at: now, &effects)
    case .empty where tare != .zero && settings.scale.tareOnRelease == .clear && reading.state != .empty:
      clearTare(at: now, &effects)
    case .empty, .loaded: break
    }
    if isStable { plate.refine(load, offset: offset, at: now) }
    plate.track(load, offset: offset, isStable: isStable && settings.scale.tracksZero, at: now, settings)
  }

  /// Reports another zero and by how much it reduces the gross.
  private mutating func reportZero(_ mass: Grams, at now: Instant, _ effects: inout [Effect]) {
    register.countChange()
    effects.append(event(.zeroed(displayed(mass)), at: now))
  }

  // MARK: State that survives a restart

  /// Restores the state of an earlier run, but for tare and zero if this run has set one of them already.
  mutating func restore(_ memory: ScaleMemory, at now: Instant, _ effects: inout [Effect]) {
    let present = register.pad
    guard register.restore(memory) else { return }
    plate = memory.plateCounts.map { Plate(restored: $0) } ?? Plate()
    if let present { assign(to: present, at: now, &effects) }
    composer.resetNet()
  }

  mutating func store(at now: Instant, _ effects: inout [Effect]) {
    // Without a pad, the plate of the last one: it may come back.
    let counts = surface == .platter || pad == nil ? plate.counts : nil
    let memory = register.stateToStore(plateCounts: counts, pad: pad, division: settings.scale.division)
    if let memory { effects.append(.memory(memory, at: now)) }
  }

  /// Reports a change of what is wrong with the pad.
  mutating func checkPad(at now: Instant, _ effects: inout [Effect]) {
    padReports.report(
      meter, on: pad, hasAssumedPlate: surface == .platter && pad != nil && plate.isAssumed,
      isUnderloaded: reading.isUnderloaded, motion: settings.stability.motion, tareEpoch: tareEpoch, at: now, &effects)
  }
}
