/// The part of a scale's state that survives a restart.
public struct ScaleMemory: Hashable, Sendable {
  /// The tare, unrounded.
  public var tare: Grams
  /// The count of tare and zero changes.
  public var tareEpoch: Int
  /// The highest epoch that was published, at least `tareEpoch`: a run that was killed may have published epochs that it
  /// did not store.
  public var highestEpoch: Int
  /// The axis value under the learned plate alone; `nil` without one.
  public var plateCounts: Double?
  /// The pad, axis and surface to which tare and plate belong; `""` before the first pad.
  public var pad: String

  /// Makes a state, of a scale that nothing was done to unless said otherwise.
  public init(
    tare: Grams = .zero, tareEpoch: Int = 0, highestEpoch: Int? = nil, plateCounts: Double? = nil, pad: String = ""
  ) {
    self.tare = tare
    self.tareEpoch = tareEpoch
    self.highestEpoch = max(highestEpoch ?? tareEpoch, tareEpoch)
    self.plateCounts = plateCounts
    self.pad = pad
  }
}

extension ScaleMachine {
  /// Takes over the state of an earlier run. The epoch never goes back.
  mutating func restore(_ memory: ScaleMemory, _ effects: inout [Effect]) {
    highestEarlierEpoch = memory.highestEpoch
    // A tare or zero of this run is the newer one.
    guard tareEpoch == 0 else {
      tareEpoch += memory.highestEpoch
      return
    }
    tareEpoch = memory.tareEpoch
    stored = memory
    tare = memory.tare
    plate = memory.plateCounts.map { Plate(restored: $0) } ?? Plate()
    let present = owner
    owner = memory.pad
    if let present { own(present, &effects) }
    rounding.reset()
    // Without a pad the first reading still waits for one.
    if presence != .unknown { update(&effects) }
  }

  /// The pad to which tare and plate belong from now on; those of another one are dropped.
  mutating func own(_ pad: String, _ effects: inout [Effect]) {
    if let owner, owner != pad {
      plate = Plate()
      if tare != .zero { dropTare(&effects) }
    }
    owner = pad
    plate.isUnconfirmed = plate.counts != nil
    dropsTareIfEmpty = tare != .zero && settings.tareOnRelease == .clear
  }

  /// Tells a pad, its axis and its surface from others.
  func identity(of description: PadDescription, axis: LoadAxis) -> String {
    let id = description.id
    return "\(description.name)|\(id.bus):\(id.vendor):\(id.product)|\(description.unique)|\(axis.code.name) "
      + "\(axis.range.minimum)...\(axis.range.maximum)|\(settings.surface.rawValue)"
  }

  /// An empty pad at the start drops the tare where lifting a load does.
  mutating func dropTareOfEmptyPad(_ effects: inout [Effect]) {
    guard dropsTareIfEmpty, pad != nil else { return }
    dropsTareIfEmpty = false
    guard reading.state == .empty, tare != .zero else { return }
    dropTare(&effects)
    recompose()
  }

  /// Counts a change of tare or zero: no epoch is published twice with different meanings, not even after a crash.
  mutating func advanceEpoch() { tareEpoch = max(tareEpoch, highestEarlierEpoch) + 1 }

  /// Has the state stored when it has changed.
  mutating func remember(_ effects: inout [Effect]) {
    // For every frame: zero tracking moves the plate all the time, and only a large step of it is stored.
    let counts = settings.surface == .platter ? plate.counts : nil
    guard tareEpoch != stored.tareEpoch || tare != stored.tare || isFarFromStoredPlate(counts) else { return }
    stored = ScaleMemory(
      tare: tare, tareEpoch: tareEpoch, highestEpoch: highestEarlierEpoch, plateCounts: counts, pad: owner ?? "")
    effects.append(.memory(stored, at: now))
  }

  /// Whether the plate has moved by more than a quarter of a division since it was stored.
  private func isFarFromStoredPlate(_ counts: Double?) -> Bool {
    guard let counts, let storedCounts = stored.plateCounts else { return counts != stored.plateCounts }
    guard counts != storedCounts, let pad else { return false }
    let slope = pad.calibration.slope(at: RawForce(Int(counts)))
    return (counts - storedCounts).magnitude > (slope > 0 ? settings.division.step.value / 4 / slope : 0)
  }
}
