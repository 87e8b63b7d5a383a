/// Composes the part of a reading that depends on the load, and rounds it to the division.
struct ReadingComposer: Sendable {
  /// What is known about a load besides its mass.
  struct Conditions {
    /// Whether the load is at rest.
    var isResting: Bool
    /// Whether there is nothing on the pad but its plate.
    var isEmpty: Bool
    /// Whether the firmware of the pad treats resting loads as its zero.
    var isSuspect: Bool
    /// Whether a press of added force is past the threshold, so that the load is not known.
    var isForceAdded: Bool
    /// Whether a contact is in the zone of an action.
    var isZonePressed: Bool
    /// The least net that can be committed.
    var minimum: Grams
    /// One standard uncertainty of zero, from the noise, in grams.
    var zeroDeviation: Double
  }

  private var netRounding = DivisionRounding()
  /// Rounds the gross that is compared with the capacity.
  private var grossRounding = DivisionRounding()

  /// Forgets the displayed digits.
  mutating func reset() {
    netRounding.reset()
    grossRounding.reset()
  }

  /// Forgets the displayed digits of the net: the tare has changed, or there is no net.
  mutating func resetNet() { netRounding.reset() }

  /// Completes an empty reading with a load; returns whether the load is weighed: the pad is not empty and not in overload.
  mutating func compose(
    _ load: Load, gross: Grams, tare: Grams, _ conditions: Conditions, on pad: ConnectedPad, into reading: inout Reading
  ) -> Bool {
    let division = reading.tare.division
    let rounded = grossRounding.steps(
      for: gross, deviation: load.deviation, isResting: conditions.isResting, division: division)
    if rounded >= division.steps(atOrPast: reading.capacity) {
      reading.setOverload()
      netRounding.reset()
      return false
    }
    if conditions.isEmpty {
      if conditions.isZonePressed { reading.state = .pressing }
      return false
    }
    let net = gross - tare
    let steps = netRounding.steps(
      for: net, deviation: load.deviation, isResting: conditions.isResting, division: division)
    reading.net = DisplayedMass(steps: steps, division: division)
    reading.gross = DisplayedMass(steps: steps + reading.tare.steps, division: division)
    reading.highResolution = net
    reading.isInsideZero = gross.magnitude.value <= division.step.value / 2
    // Further under zero, something that counted as zero was taken away.
    reading.isUnderloaded = gross < Self.lowestGross(minimum: conditions.minimum, division: division)
    reading.isStable = conditions.isResting && !conditions.isForceAdded && !conditions.isSuspect
    reading.state =
      conditions.isZonePressed || conditions.isForceAdded ? .pressing : reading.isStable ? .stable : .settling
    if reading.isStable {
      reading.uncertainty = load.uncertainty(
        of: gross, zeroDeviation: conditions.zeroDeviation, division: division, calibration: pad.calibration)
    }
    return true
  }

  /// The gross below which the zero is wrong.
  @inline(__always)
  static func lowestGross(minimum: Grams, division: Division) -> Grams { Grams(-max(minimum, division.step).value) }
}
