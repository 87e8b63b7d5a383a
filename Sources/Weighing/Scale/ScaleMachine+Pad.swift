extension ScaleMachine {
  /// Takes a pad, if it can weigh.
  mutating func find(_ description: PadDescription, _ effects: inout [Effect]) {
    let axis: LoadAxis
    do {
      axis = try description.loadAxis(settings.axis)
    } catch {
      return lose(error.description, &effects)
    }
    pad = Pad(
      axis: axis,
      calibration: settings.calibration(of: description, axis: axis),
      weighsInZones: settings.surface == .platter || !description.hasPositions(for: axis),
      description: description)
    presence = .seen
    let former = owner
    own(identity(of: description, axis: axis), &effects)
    rebaselining.begin(fullScale: axis.fullScale, isSamePad: owner == former)
    restartWaiting()
    cancelPresses(&effects)
    filter = LoadFilter(fullScale: axis.fullScale)
    forgetLoad()
    effects.append(.event(event(.padFound(description.name))))
    recompose()
    // To be told now, but not before a frame of this very moment has said what lies on the pad.
    updateDue = now
  }

  /// Learns that there is no pad.
  mutating func lose(_ reason: String, _ effects: inout [Effect]) {
    if presence == .unknown {
      presence = .expected
      restartWaiting()
    }
    cancelPresses(&effects)
    presses.areZonesSpent = false
    if pad != nil {
      pad = nil
      forgetLoad()
      effects.append(.event(event(.padLost(reason))))
    }
    update(&effects)
  }

  /// Takes other settings; the tare stands.
  mutating func adopt(_ new: ScaleSettings, _ effects: inout [Effect]) {
    let old = settings
    settings = new
    if let present = pad {
      if new.axis != old.axis || new.surface != old.surface {
        find(present.description, &effects)
      } else {
        pad = Pad(
          axis: present.axis, calibration: new.calibration(of: present.description, axis: present.axis),
          weighsInZones: present.weighsInZones, description: present.description)
        rounding.reset()
        grossRounding.reset()
      }
    }
    if new.motion != old.motion || new.stableTime != old.stableTime {
      stability = StabilityDetector(limit: new.motion, time: new.stableTime)
      stability.restart()
    }
    if new.confirm != old.confirm || new.zones != old.zones || new.curve != old.curve || new.capacity != old.capacity
      || new.motion != old.motion
    {
      cancelPresses(&effects)
    }
    if new.quickActions != old.quickActions {
      quickActions = new.quickActions
      effects.append(.actions(quickActions, at: now))
    }
    if new.curve != old.curve {
      announced = nil
      effects.append(.event(event(.calibrated)))
    }
    effects.append(.event(event(.reloaded)))
    update(&effects)
  }
}
