extension ScaleMachine {
  /// What is around a press now.
  private var scene: Presses.Scene {
    Presses.Scene(
      now: now, confirm: settings.confirm, motion: settings.motion, interval: settings.liveInterval, reading: reading,
      gross: gross, noise: noise, limit: addingLimit)
  }

  /// The most that a press of added force can make the scale weigh; `nil` where presses are made in zones.
  private var addingLimit: Grams? {
    guard let pad, pad.weighsInZones else { return nil }
    return min(settings.capacity, pad.calibration.mass(at: pad.axis.fullScale) - plateLoad)
  }

  /// Takes what a frame says of presses; to be called before its load is weighed, so that the reading is that of before.
  mutating func observePresses(_ frame: Frame, _ pad: Pad, _ effects: inout [Effect]) {
    var outcomes: [Presses.Outcome] = []
    if let limit = addingLimit {
      if frame.followsGap { presses.unload(scene, &outcomes) }
      // At the end of its range the axis does not say how hard.
      let mass = axisAtEnd ? limit + settings.confirm.full : pad.calibration.mass(at: raw) - plateLoad
      presses.load(mass, scene, &outcomes)
    } else if pressedZones > 0 || presses.followsZones || frame.followsGap {
      presses.touch(touches(frame, pad), followsGap: frame.followsGap, scene, &outcomes)
    }
    deliver(outcomes, &effects)
  }

  /// Takes what happens to a key or button.
  mutating func observe(_ change: ButtonChange, _ effects: inout [Effect]) {
    var outcomes: [Presses.Outcome] = []
    presses.change(change, scene, &outcomes)
    deliver(outcomes, &effects)
  }

  /// Lets time pass over a press.
  mutating func advancePresses(_ effects: inout [Effect]) {
    var outcomes: [Presses.Outcome] = []
    presses.advance(scene, &outcomes)
    deliver(outcomes, &effects)
  }

  /// Lets a press know the new reading.
  mutating func settlePresses(_ effects: inout [Effect]) {
    var outcomes: [Presses.Outcome] = []
    if reading.state == .empty { presses.unload(scene, &outcomes) }
    presses.settle(scene, &outcomes)
    deliver(outcomes, &effects)
  }

  /// The pad is gone, or what a press means has changed: what is not let go yet does not fire any more.
  mutating func cancelPresses(_ effects: inout [Effect]) {
    var outcomes: [Presses.Outcome] = []
    presses.cancel(scene, &outcomes)
    presses.unload(scene, &outcomes)
    deliver(outcomes, &effects)
  }

  private mutating func deliver(_ outcomes: [Presses.Outcome], _ effects: inout [Effect]) {
    for outcome in outcomes {
      switch outcome {
      case .report(let report): effects.append(.gesture(report))
      case .feedback(let feedback): effects.append(.feedback(feedback, at: now))
      case .fire(let action, let source, let latch):
        take(ActionRequest(name: action, source: source), latch: latch, &effects)
      }
    }
  }

  private func touches(_ frame: Frame, _ pad: Pad) -> [Presses.Touch] {
    frame.contacts.compactMap { contact in
      guard let zone = settings.zones.zone(at: contact.origin) else { return nil }
      return Presses.Touch(
        serial: contact.serial, action: zone.action, height: contact.position?.y,
        // At the end of its range the axis does not say how hard.
        force: contact.isAtMaximum ? settings.confirm.full : pad.calibration.mass(at: contact.raw))
    }
  }
}
