/// Composes the reading of a moment from the load, the tare and the state of the pad.
struct ReadingComposer: Sendable {
  /// What a reading is composed from.
  struct Input {
    var now: Instant
    var pad: ConnectedPad
    /// The load; `nil` if nothing is on the pad.
    var load: Load?
    /// The load without the plate.
    var gross: Grams?
    /// Whether there is nothing on the pad but its plate.
    var isEmpty: Bool
    /// Whether the load is at rest.
    var isResting: Bool
    /// Whether the stability of the load can be trusted.
    var isSuspect: Bool
    /// Whether a press of added force is past the threshold, so that the load is not known.
    var isForceAdded: Bool
    /// Whether a contact is in a zone.
    var isZonePressed: Bool
    /// The load of the last frame in counts.
    var raw: RawForce
    /// Whether an axis is at its end.
    var isAtEnd: Bool
    var tare: Grams
    var tareEpoch: Int
    var division: Division
    var capacity: Grams
    /// The least net that can be committed.
    var minimum: Grams
  }

  private var netRounding = DivisionRounding()
  /// Rounds the gross that is compared with the capacity.
  private var grossRounding = DivisionRounding()

  /// Forgets the displayed digits.
  mutating func reset() {
    netRounding.reset()
    grossRounding.reset()
  }

  /// Forgets the displayed digits of the net: the tare has changed.
  mutating func resetNet() { netRounding.reset() }

  /// Composes a reading.
  mutating func compose(_ input: borrowing Input) -> Reading {
    let division = input.division
    let tare = DisplayedMass(steps: division.steps(nearest: input.tare), division: division)
    var new = Reading(
      emptyAt: input.now, raw: input.raw, force: input.pad.axis.force(of: input.raw),
      calibration: input.pad.calibration.origin, tare: tare, tareEpoch: input.tareEpoch, capacity: input.capacity)
    var rounded = 0
    if let gross = input.gross {
      rounded = grossRounding.steps(
        for: gross, deviation: input.load?.deviation ?? 0, isResting: input.isResting, division: division)
    }
    if input.isAtEnd || rounded >= division.steps(atOrPast: input.capacity) {
      new.setOverload()
      netRounding.reset()
      return new
    }
    guard let load = input.load, let gross = input.gross, !input.isEmpty else {
      if input.isZonePressed { new.state = .pressing }
      return new
    }
    let net = gross - input.tare
    let steps = netRounding.steps(for: net, deviation: load.deviation, isResting: input.isResting, division: division)
    new.net = DisplayedMass(steps: steps, division: division)
    new.gross = DisplayedMass(steps: steps + tare.steps, division: division)
    new.highResolution = net
    new.isInsideZero = gross.magnitude.value <= division.step.value / 2
    // Further under zero, something that counted as zero was taken away.
    new.isUnderloaded = gross.value < -max(input.minimum, division.step).value
    new.isStable = input.isResting && !input.isForceAdded && !input.isSuspect
    new.state = input.isZonePressed || input.isForceAdded ? .pressing : new.isStable ? .stable : .settling
    if new.isStable {
      new.uncertainty = load.uncertainty(of: gross, division: division, calibration: input.pad.calibration)
    }
    return new
  }
}
