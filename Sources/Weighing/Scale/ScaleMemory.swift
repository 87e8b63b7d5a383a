/// The part of a scale's state that survives a restart.
public struct ScaleMemory: Hashable, Sendable {
  /// The tare, unrounded.
  public var tare: Grams
  /// The count of tare and zero changes.
  public var tareEpoch: Int
  /// The axis value under the learned plate alone; `nil` without one.
  public var plateCounts: Double?
  /// The pad, axis and surface to which tare and plate belong; `""` before the first pad.
  public var pad: String

  /// Makes a state, of a scale that nothing was done to unless said otherwise.
  public init(tare: Grams = .zero, tareEpoch: Int = 0, plateCounts: Double? = nil, pad: String = "") {
    self.tare = tare
    self.tareEpoch = tareEpoch
    self.plateCounts = plateCounts
    self.pad = pad
  }

  /// Whether another state needs to be stored in place of this one: tare, epoch or plate have changed.
  ///
  /// - Parameter counts: The movement of the plate under which it has not. Zero tracking moves it all the time.
  func differs(from other: ScaleMemory, by counts: Double) -> Bool {
    if tareEpoch != other.tareEpoch || tare != other.tare { return true }
    guard let plateCounts, let otherCounts = other.plateCounts else { return plateCounts != other.plateCounts }
    return (plateCounts - otherCounts).magnitude > counts
  }
}

extension ScaleMachine {
  /// Takes over the state of an earlier run. The epoch never goes back.
  mutating func restore(_ memory: ScaleMemory, _ effects: inout [Effect]) {
    tareEpoch += memory.tareEpoch
    // A tare or zero of this run is the newer one.
    guard tareEpoch == memory.tareEpoch else { return }
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

  /// Has the state stored when it has changed.
  mutating func remember(_ effects: inout [Effect]) {
    // For every frame: the state is put together only where it may have changed.
    guard
      tareEpoch != stored.tareEpoch || tare != stored.tare || settings.surface == .platter
        || stored.plateCounts != nil
    else { return }
    let memory = ScaleMemory(
      tare: tare, tareEpoch: tareEpoch, plateCounts: settings.surface == .platter ? plate.counts : nil,
      pad: owner ?? "")
    guard memory.differs(from: stored, by: storedPlateStep) else { return }
    stored = memory
    effects.append(.memory(memory, at: now))
  }

  /// A quarter of a division, in counts.
  private var storedPlateStep: Double {
    guard let pad else { return 0 }
    let slope = pad.calibration.slope(at: RawForce(Int(plate.counts ?? 0)))
    return slope > 0 ? settings.division.step.value / 4 / slope : 0
  }
}
