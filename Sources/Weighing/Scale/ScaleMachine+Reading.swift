extension ScaleMachine {
  /// Works out the reading of now and everything that follows from it.
  mutating func update(_ effects: inout [Effect]) {
    updateDue = nil
    expireOverloadGuard(&effects)
    rebaselining.advance(to: now)
    advancePresses(&effects)
    let load = weigh()
    if let load { learnPlate(load, &effects) }
    reading = compose(load)
    dropTareOfEmptyPad(&effects)
    announceOverload(&effects)
    announceSettled(&effects)
    settlePresses(&effects)
    answerWaiting(&effects)
    checkPad(&effects)
    let appearance = ReadingThrottle.Appearance(reading)
    let reason = live.offer(appearance, at: now, settings.livePace)
    if reason != nil { effects.append(.live(reading)) }
    if readings.offer(appearance, at: now, settings.readingPace, along: reason) != nil {
      effects.append(.reading(reading))
    }
    remember(&effects)
  }

  /// Publishes on the topic `reading` what its rate limit has held back. Nothing is weighed for it, so that its deadlines
  /// do not change what the other topics say.
  mutating func publishHeldReading(_ effects: inout [Effect]) {
    reading.time = now
    if readings.offer(ReadingThrottle.Appearance(reading), at: now, settings.readingPace) != nil {
      effects.append(.reading(reading))
    }
  }

  /// Works out the reading again after a change of tare or zero.
  mutating func recompose() {
    reading = compose(weigh())
  }

  /// What the filter makes of the load, in grams and without plate and zero.
  struct Load {
    var counts: Double
    var mass: Grams
    var deviation: Double
    /// Grams a second, and one standard uncertainty of that.
    var slope: Double
    var slopeDeviation: Double
    var gramsPerCount: Double

    /// Whether the load moves by more than a rate in grams a second, beyond doubt.
    func movesSteadily(over rate: Double) -> Bool { slope.magnitude - 2 * slopeDeviation > rate }
  }

  mutating func weigh() -> Load? {
    if stability.isDue(at: now) { filter.catchUp(to: now) }
    guard let pad, let estimate = filter.estimate(at: now) else { return nil }
    let counts = RawForce(Int(estimate.level))
    let slope = pad.calibration.slope(at: counts)
    let mass = pad.calibration.mass(atCounts: estimate.level)
    stability.observe(
      StabilityDetector.Level(
        mass: mass.value, deviation: estimate.deviation * slope, slope: estimate.slope * slope,
        slopeDeviation: estimate.slopeDeviation * slope, since: estimate.since),
      at: now)
    if let time = stability.restToBeShown(at: now), !filter.isRestless(limit: settings.motion.value / slope, over: time)
    {
      stability.rest()
    }
    return Load(
      counts: estimate.level, mass: stability.mass(at: now).map(Grams.init) ?? mass,
      deviation: estimate.deviation * slope, slope: estimate.slope * slope,
      slopeDeviation: estimate.slopeDeviation * slope, gramsPerCount: slope)
  }

  /// Whether the load rests. One under the minimum is mostly a hand that only begins to put something down: it has to rest
  /// three times as long.
  func isResting(_ gross: Grams) -> Bool {
    stability.isStable(at: now, patience: gross.magnitude < settings.minimum ? 3 : 1)
  }

  private mutating func compose(_ load: Load?) -> Reading {
    gross = nil
    let division = settings.division
    let tareShown = DisplayedMass(steps: division.steps(nearest: tare), division: division)
    let nothing = DisplayedMass(steps: 0, division: division)
    var new = Reading(
      time: now, state: .empty, gross: nothing, tare: tareShown, net: nothing, highResolution: .zero, uncertainty: nil,
      isStable: false, isInsideZero: true, isOverloaded: false, isUnderloaded: false, raw: raw,
      force: pad?.axis.force(of: raw) ?? 0, calibration: pad?.calibration.origin, tareEpoch: tareEpoch,
      capacity: settings.capacity)
    guard let pad else {
      new.state = .offline
      new.net = nil
      new.highResolution = nil
      new.isInsideZero = false
      return new
    }
    let gross = load.map { $0.mass - plateLoad }
    let rests = gross.map(isResting) ?? false
    let rounded = gross.map {
      grossRounding.steps(for: $0, deviation: load?.deviation ?? 0, isResting: rests, division: division)
    }
    if axisAtEnd || rounded ?? 0 >= division.steps(atOrPast: settings.capacity) {
      new.state = .overload
      new.isOverloaded = true
      new.isInsideZero = false
      new.gross = DisplayedMass(steps: division.steps(nearest: settings.capacity), division: division)
      new.net = nil
      new.highResolution = nil
      rounding.reset()
      return new
    }
    guard let load, let gross, !isEmptyPlatter(load, gross: gross) else {
      if pressedZones > 0 { new.state = .pressing }
      return new
    }
    self.gross = gross
    noise = Grams(filter.sampleDeviation * load.gramsPerCount)
    let net = gross - tare
    let steps = rounding.steps(for: net, deviation: load.deviation, isResting: rests, division: division)
    new.net = DisplayedMass(steps: steps, division: division)
    new.gross = DisplayedMass(steps: steps + tareShown.steps, division: division)
    new.highResolution = net
    new.isInsideZero = gross.magnitude.value <= division.step.value / 2
    new.isUnderloaded = gross.value < -underloadBand.value
    new.isStable = rests && !presses.distortsLoad && !rebaselining.isSuspect
    new.state = pressedZones > 0 || presses.distortsLoad ? .pressing : new.isStable ? .stable : .settling
    if new.isStable { new.uncertainty = uncertainty(load, gross, pad) }
    return new
  }

  /// Noise of the average, the step of the axis and of the display (a rectangle of width w has w / sqrt(12)), and the
  /// calibration, added as squares (JCGM 100:2008, 5.1.2 and F.2.2.1).
  private func uncertainty(_ load: Load, _ gross: Grams, _ pad: Pad) -> Grams {
    let noise = load.deviation
    // A noisy axis averages to fractions of a count; a quiet one stays within its step.
    let step = filter.sampleDeviation < 0.5 ? load.gramsPerCount : 0
    let division = settings.division.step.value
    let calibration = pad.calibration.uncertainty(at: gross).value
    let variance = noise * noise + (step * step + division * division) / 12 + calibration * calibration
    return Grams(variance.squareRoot())
  }

  private mutating func announceOverload(_ effects: inout [Effect]) {
    if reading.isOverloaded && !wasOverloaded { effects.append(.event(event(.overload))) }
    wasOverloaded = reading.isOverloaded
    if wasOverloaded, !presses.distortsLoad { announced = nil }
  }

  /// Announces each settled load once: again only after a release, or when the load that settles is another one.
  private mutating func announceSettled(_ effects: inout [Effect]) {
    if reading.state == .empty { announced = nil }
    guard reading.state == .stable, !reading.isUnderloaded, let gross else { return }
    let difference = max(settings.motion, settings.division.step)
    if let announced, (gross - announced).magnitude <= difference { return }
    announced = gross
    effects.append(.settled(reading))
  }
}

extension LoadAxis {
  /// A raw value as a fraction of the range, 0...1.
  func force(of raw: RawForce) -> Double {
    min(max(Double(raw.counts) / Double(fullScale.counts), 0), 1)
  }
}
