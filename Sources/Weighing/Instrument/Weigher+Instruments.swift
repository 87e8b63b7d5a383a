/// The actions of target, counting and containers, and what the scale does without a request.
extension Weigher {
  // MARK: Requests

  /// Sets the tare: to a given mass, to that of a container, or to the load.
  ///
  /// - Parameter load: The load before a press; `nil` for the one on the pad.
  mutating func tare(
    _ parameters: ActionArguments, load: Grams?, at now: Instant, _ effects: inout [Effect]
  ) throws(Rejection) {
    guard case .tare(let preset) = parameters else {
      return setTare(load ?? gross ?? .zero, of: nil, at: now, &effects)
    }
    switch preset {
    case .mass(let mass):
      guard mass <= settings.scale.capacity else { throw .badPayload }
      setTare(mass, of: nil, at: now, &effects)
    case .container(let name):
      guard let mass = instruments.containers.tare(of: name) else { throw .unknownContainer }
      setTare(mass, of: name, at: now, &effects)
    }
  }

  /// Sets the target, or ends it without parameters.
  mutating func setTarget(
    _ parameters: ActionArguments, label: String?, at now: Instant, _ effects: inout [Effect]
  ) throws(Rejection) {
    var target: Target?
    if case .target(let new) = parameters {
      try checkTarget(new)
      target = new
    }
    endDose(.targetChanged, at: now, &effects)
    let stopsAhead = target != nil && (target?.stopsAhead ?? settings.target.stopsAhead)
    instruments.setTarget(target, reading, stopsAhead: stopsAhead)
    watch(stopsAhead ? target : nil, label: stopLabel(label))
  }

  /// Rejects a target above the capacity.
  func checkTarget(_ target: Target) throws(Rejection) {
    guard target.mass <= settings.scale.capacity else { throw .badPayload }
  }

  /// Starts counting with a piece mass or a sample, or ends it without parameters.
  mutating func setCounter(_ parameters: ActionArguments) throws(Rejection) {
    guard case .count(let reference) = parameters else { return instruments.setCounter(nil) }
    switch reference {
    case .mass(let mass, let spread):
      guard mass <= settings.scale.capacity else { throw .badPayload }
      instruments.setCounter(PieceCounter(pieceMass: mass, spread: spread))
    case .sample(let pieces, let spread):
      guard let net = reading.highResolution, let uncertainty = reading.uncertainty else { throw .unstable }
      instruments.setCounter(
        try PieceCounter(
          sample: net, uncertainty: uncertainty.without(commonUncertainty), pieces: pieces, spread: spread))
    }
  }

  /// Whether the newest frame is so far from the load that a piece may have been added or taken since.
  ///
  /// A change leaves the reading stable for a few frames, and one that is smaller than the limit of motion for longer; until
  /// the load follows it, the number would be that of the load before. A single frame far from the load may be wrong: the
  /// number remains until the next one, or the silence of a pad that repeats values, confirms it.
  var isCountStale: Bool {
    mutating get {
      guard let pad, let gross, !meter.isInDoubt, let count = reading.instruments?.count, count.pieces != nil
      else { return false }
      let newest = pad.calibration.mass(at: meter.raw) - plateLoad(pad)
      return (newest - gross).magnitude.value > max(count.pieceMass.value / 2, Self.frameDeviations * noise.value)
    }
  }

  /// A frame that is further from the load than this many standard deviations of a sample is another load: noise alone is
  /// once in 1.7 million frames.
  private static let frameDeviations = 5.0

  /// The same while pieces are counted; zero otherwise.
  var countingUncertainty: Grams { instruments.isCounting ? commonUncertainty : .zero }

  /// The part of the uncertainty of the reading that is common to all masses.
  var commonUncertainty: Grams {
    guard let pad, let gross else { return .zero }
    return pad.calibration.commonUncertainty(at: gross)
  }

  /// Stores the load as the tare of a container, or removes a container.
  ///
  /// - Parameter load: The load before a press; `nil` for the one on the pad.
  mutating func changeContainer(
    _ parameters: ActionArguments, load: Grams?, at now: Instant, _ effects: inout [Effect]
  ) throws(Rejection) {
    guard case .container(let change) = parameters else { throw .badPayload }
    switch change {
    case .store(let name):
      let mass = load ?? gross ?? .zero
      guard instruments.containers.store(Container(name: name, tare: mass)) else { throw .badPayload }
      effects.append(.containerChange(name, mass, at: now))
    case .remove(let name):
      guard instruments.containers.remove(name) else { throw .unknownContainer }
      effects.append(.containerChange(name, nil, at: now))
    }
    effects.append(.containers(instruments.containers.containers, at: now))
  }

  // MARK: Containers

  /// Restores the containers stored by earlier runs.
  mutating func restoreContainers(_ containers: [Container], at now: Instant, _ effects: inout [Effect]) {
    instruments.containers.restore(containers)
    effects.append(.containers(instruments.containers.containers, at: now))
  }

  /// Applies the containers of a changed configuration.
  mutating func configureContainers(at now: Instant, _ effects: inout [Effect]) {
    guard instruments.containers.configure(settings.containers) else { return }
    effects.append(.containers(instruments.containers.containers, at: now))
  }

  // MARK: Loads

  /// Sets what tells a load at rest from none on the present pad.
  mutating func setArrivalLimits() {
    let noise = max(settings.scale.division.step, Grams(Self.arrivalDeviations * grossVariance.squareRoot()))
    instruments.setArrivalLimits(LoadArrival.Limits(rest: meter.stableTime, noise: noise))
  }

  /// Less than this many standard deviations of the gross, or than a division, is no load: an empty pad is looked at all day.
  private static let arrivalDeviations = 6.0

  /// Tares a known container that has just been put on the empty pad.
  mutating func recogniseContainer(isForceAdded: Bool, at now: Instant, _ effects: inout [Effect]) {
    guard settings.recognisesContainers,
      let container = instruments.recognise(reading, gross: gross, minimum: settings.scale.minimum), let gross
    else { return }
    // The mass on this pad and not the stored one: the net of the empty container is zero.
    setTare(gross, of: container.name, at: now, &effects)
    recompose(isForceAdded: isForceAdded, at: now)
  }

  /// Whether the load has to be recorded now.
  mutating func isRecordDue() -> Bool {
    settings.scale.commitsAutomatically && instruments.isRecordDue(reading, minimum: settings.scale.minimum)
  }

  /// Reports that the target is reached.
  mutating func observeTarget(at now: Instant, _ effects: inout [Effect]) {
    guard let reached = instruments.observe(reading, at: now) else { return }
    effects.append(event(.targetReached(reached), at: now))
    effects.append(.feedback(.reached, at: now))
  }
}
