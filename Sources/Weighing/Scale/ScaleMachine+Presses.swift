extension ScaleMachine {
  /// What is around a press now.
  ///
  /// Mutating, though it changes nothing: a call that is not is handed a copy of the whole machine.
  private var scene: Presses.Scene {
    mutating get {
      Presses.Scene(
        now: now, confirm: settings.confirm, motion: settings.motion, interval: settings.liveInterval,
        reading: reading, gross: gross, noise: noise, sampleDeviation: filter.sampleDeviation, limit: addingLimit,
        // Only a load at rest is latched.
        deviation: reading.isStable ? deviation : .zero, isConsistent: reading.isStable && frameAgreesWithReading)
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

  /// Whether the newest frame is no further from the load than its noise and two divisions.
  var frameAgreesWithReading: Bool {
    mutating get {
      guard let pad, let gross, !axisAtEnd else { return false }
      let newest = pad.calibration.mass(at: raw) - plateLoad
      return (newest - gross).magnitude.value <= 2 * settings.division.step.value + 5 * noise.value
    }
  }

  /// The most that a press of added force can make the scale weigh; `nil` where presses are made in zones.
  @inline(__always)
  var addingLimit: Grams? {
    guard let pad, pad.weighsInZones else { return nil }
    return min(settings.capacity, pad.fullMass - plateLoad)
  }

  /// Takes what a frame says of presses; to be called before its load is weighed, so that the reading is that of before.
  mutating func observePresses(_ frame: Frame, _ pad: Pad, _ effects: inout [Effect]) {
    if let limit = addingLimit {
      if frame.followsGap { presses.unload(scene, &outcomes) }
      // At the end of its range the axis does not say how hard.
      let mass = axisAtEnd ? limit + settings.confirm.full : pad.calibration.mass(at: raw) - plateLoad
      presses.load(mass, counts: axisAtEnd ? nil : Double(raw.counts), scene, &outcomes)
    } else if pressedZones > 0 || presses.followsZones || frame.followsGap {
      findTouches(frame, pad)
      presses.touch(touches, followsGap: frame.followsGap, scene, &outcomes)
    }
    deliver(&effects)
  }

  /// Takes what happens to a key or button.
  mutating func observe(_ change: ButtonChange, _ effects: inout [Effect]) {
    presses.change(change, scene, &outcomes)
    deliver(&effects)
  }

  /// Lets time pass over a press.
  mutating func advancePresses(_ effects: inout [Effect]) {
    assert(presses.isQuiet == presses.hasNoPress)
    guard !presses.isQuiet else { return }
    presses.advance(scene, &outcomes)
    deliver(&effects)
  }

  /// Lets a press know the new reading.
  mutating func settlePresses(_ effects: inout [Effect]) {
    // Usually there is no press and no added force, or no load to add it to.
    if presses.isQuiet, addingLimit == nil || !reading.isStable && presses.rest == nil { return }
    if reading.state == .empty { presses.unload(scene, &outcomes) }
    presses.settle(scene, &outcomes)
    deliver(&effects)
  }

  /// The pad is gone, or what a press means has changed: what is not let go yet does not fire any more.
  mutating func cancelPresses(_ effects: inout [Effect]) {
    presses.loseSightOfReleased(scene)
    presses.cancel(scene, &outcomes)
    presses.unload(scene, &outcomes)
    deliver(&effects)
  }

  /// Makes effects of what presses came to.
  private mutating func deliver(_ effects: inout [Effect]) {
    guard !outcomes.isEmpty else { return }
    for index in outcomes.indices {
      switch outcomes[index] {
      case .report(let report): effects.append(.gesture(report))
      case .feedback(let feedback): effects.append(.feedback(feedback, at: now))
      case .fire(let action, let source, let latch, let wasSeen):
        take(
          ActionRequest(name: action, source: source),
          press: FiredPress(latch: latch, isChecked: wasSeen), &effects)
      }
    }
    outcomes.removeAll(keepingCapacity: true)
  }

  /// A press that has fired.
  struct FiredPress: Sendable {
    /// The load before it; `nil` where none was at rest, or another one lay on the pad when it fired.
    var latch: Latch?
    /// Whether `latch` was compared with the load.
    var isChecked: Bool
  }

  /// Compares the loads that were latched by presses with the one that lies on the pad now, when they fire.
  mutating func checkLatches() {
    guard !waiting.isEmpty else { return }
    for index in waiting.indices {
      guard let press = waiting[index].press, !press.isChecked else { continue }
      waiting[index].press?.isChecked = true
      let isThere =
        if let latch = press.latch, let gross, frameAgreesWithReading { latch.holds(for: gross) } else { false }
      if !isThere { waiting[index].press?.latch = nil }
    }
  }

  /// Lists the fingers in zones.
  private mutating func findTouches(_ frame: Frame, _ pad: Pad) {
    touches.removeAll(keepingCapacity: true)
    for contact in frame.contacts {
      guard let zone = settings.zones.zone(at: contact.origin) else { continue }
      touches.append(
        Presses.Touch(
          serial: contact.serial, action: zone.action, height: contact.position?.y,
          sideways: contact.position.map { max(zone.x.lowerBound - $0.x, $0.x - zone.x.upperBound, 0) } ?? 0,
          // At the end of its range the axis does not say how hard.
          force: contact.isAtMaximum ? settings.confirm.full : pad.calibration.mass(at: contact.raw),
          counts: contact.isAtMaximum ? nil : Double(contact.raw.counts)))
    }
  }
}
