extension Weigher {
  /// The surface of the pad; as configured without a pad.
  var surface: ScaleSettings.Surface { @inline(__always) get { pad?.surface ?? settings.surface } }

  /// The axis value under the learned plate alone; `nil` without one.
  var plateCounts: Double? { plate.counts }

  /// The state of the scale at a press.
  mutating func pressContext(at now: Instant) -> PressRecognizer.Context {
    PressRecognizer.Context(
      now: now, confirm: settings.confirm, motion: settings.stability.motion, interval: settings.publish.liveInterval,
      historyDepth: settings.history.depth, reading: reading,
      gross: gross, period: AddedForce.period(meter.samplePeriod), noise: noise, sampleDeviation: meter.sampleDeviation,
      deliversEverySample: meter.deliversEverySample, isConverter: pad?.description.deliversEverySample ?? false,
      limit: addingLimit,
      // Only a load at rest is latched.
      deviation: reading.isStable ? deviation : .zero, isConsistent: reading.isStable && frameAgreesWithReading)
  }

  /// The scale with which a frame is compared.
  @inline(__always)
  mutating func overloadReference(_ pad: ConnectedPad) -> OverloadGuard.Reference {
    OverloadGuard.Reference(
      pad: pad, capacity: settings.scale.capacity, division: settings.scale.division, plateLoad: plateLoad(pad),
      gross: gross, noise: noise)
  }

  /// How the pad samples the load, as measured; `nil` without a pad.
  var sampling: PadSampling? {
    pad.map { _ in
      PadSampling(period: meter.samplePeriod, noise: noise, deliversEverySample: meter.deliversEverySample)
    }
  }

  /// One standard uncertainty of a settled gross without that of the calibration.
  private var deviation: Grams {
    mutating get {
      guard let pad, let gross, let uncertainty = reading.uncertainty else { return .zero }
      let calibration = pad.calibration.uncertainty(at: gross)
      return Grams(max(uncertainty.value * uncertainty.value - calibration.value * calibration.value, 0).squareRoot())
    }
  }

  /// Whether the newest frame is no further from the load than its noise and two divisions, and no possible spike.
  var frameAgreesWithReading: Bool {
    mutating get {
      guard let pad, !meter.isAtEnd, !meter.isInDoubt else { return false }
      let newest = pad.calibration.mass(at: meter.raw) - plateLoad(pad)
      return (newest - (gross ?? .zero)).magnitude.value <= 2 * settings.scale.division.step.value + 5 * noise.value
    }
  }

  /// The largest gross that a press of added force can reach; `nil` on a pad where presses are made in zones.
  var addingLimit: Grams? {
    @inline(__always) mutating get {
      guard let pad, pad.weighsInZones, pad.isCalibrated else { return nil }
      return min(settings.scale.capacity, pad.fullMass - plateLoad(pad))
    }
  }

  /// The force of the last frame, as a gross with the press in it and in counts; `nil` counts at the end of the axis.
  mutating func addedForce(on pad: ConnectedPad, limit: Grams) -> (force: Grams, counts: Double?) {
    // At the end of its range the axis does not show the force.
    meter.isAtEnd
      ? (limit + settings.confirm.full, nil)
      : (pad.calibration.mass(at: meter.raw) - plateLoad(pad), Double(meter.raw.counts))
  }

  /// Whether the load is at rest; a press may still distort it.
  private func isSettled(at now: Instant) -> Bool { !meter.isSuspect && meter.isStable(at: now, patience: 1) }

  /// Whether nothing touches a bare pad.
  private var isBare: Bool { mutating get { surface == .contacts && meter.isIdle } }

  /// The state of the scale on which the answer to a request depends.
  mutating func requestConditions(_ presence: PadPresence, isForceAdded: Bool, at now: Instant)
    -> RequestQueue.Conditions
  {
    RequestQueue.Conditions(
      now: now, presence: presence, hasPad: pad?.isCalibrated == true && !meter.isFrozen, reading: reading,
      gross: gross, tare: tare, minimum: settings.scale.minimum, isSettled: !isForceAdded && isSettled(at: now),
      isBare: isBare, frameAgreesWithReading: frameAgreesWithReading)
  }

  /// Makes an event of this moment.
  func event(_ kind: ScaleEvent.Kind, at now: Instant) -> Effect {
    .event(ScaleEvent(kind: kind, time: now, tareEpoch: tareEpoch))
  }

  /// Rounds a mass to the division.
  func displayed(_ mass: Grams) -> DisplayedMass {
    DisplayedMass(steps: settings.scale.division.steps(nearest: mass), division: settings.scale.division)
  }
}
