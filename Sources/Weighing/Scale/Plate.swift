/// What presses and counts as nothing: the plate that always touches the pad (`surface: platter`), or what `zero` was asked
/// for on a bare pad, until it is lifted.
struct Plate: Sendable {
  /// What the axis says under it alone, so that it outlives another calibration; `nil` until it is learned.
  var counts: Double?
  /// When the zero last followed.
  var trackedAt: Instant?
}

extension ScaleMachine {
  /// Within this of the learned plate there is nothing on it.
  @inline(__always)
  var zeroBand: Grams { max(settings.minimum, settings.division.step) }

  /// The plate's load; zero until it is learned.
  @inline(__always)
  var plateLoad: Grams {
    guard let pad, let counts = plate.counts else { return .zero }
    return pad.calibration.mass(atCounts: counts)
  }

  /// Whether there is nothing on the platter but its plate, or not even that before it is learned.
  @inline(__always)
  func isEmptyPlatter(_ gross: Grams) -> Bool {
    guard settings.surface == .platter else { return false }
    return plate.counts == nil ? raw <= .zero : gross.magnitude <= zeroBand
  }

  /// The first load that comes to rest on a platter is the plate, unless it is more than a fifth of the capacity: then
  /// something may lie on it, and `zero` has to say so. (Initial zero-setting, OIML R 76-1:2006, T.2.7.2.4 and 4.5.1.)
  ///
  /// Later the zero of an empty plate follows slow drift, by half a division a second at most (ibid., 4.5.7).
  mutating func learnPlate(_ load: Load, _ effects: inout [Effect]) {
    guard settings.surface == .platter else { return }
    guard let counts = plate.counts else {
      if raw > .zero, load.mass.value <= settings.capacity.value / 5, stability.isStable(at: now, patience: 1) {
        plate = Plate(counts: load.counts, trackedAt: now)
        tareEpoch += 1
        effects.append(.event(event(.zeroed)))
      }
      return
    }
    let offset = load.mass - plateLoad
    guard offset.magnitude <= zeroBand else {
      plate.trackedAt = nil
      return
    }
    if tare != .zero, settings.tareOnRelease == .clear, reading.state != .empty { dropTare(&effects) }
    if let last = plate.trackedAt, settings.tracksZero, stability.isStable(at: now, patience: 1),
      load.gramsPerCount > 0,
      offset.magnitude.value <= settings.division.step.value / 2
    {
      let most = settings.division.step.value / 2 * (now - last).seconds
      plate.counts = counts + min(max(offset.value, -most), most) / load.gramsPerCount
    }
    plate.trackedAt = now
  }
}
