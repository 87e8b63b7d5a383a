public import Weighing

/// The properties of a simulated pad: its sensor, its mechanics and its electronics.
public struct PadPhysics: Hashable, Sendable {
  /// The force at the maximum of the axis. Chosen: 420 g, so that an overload above 385 g is detected before that.
  public var fullScale = Grams(420)
  /// The highest count of the axis. 1,023: a converter of ten bits.
  public var axisMaximum: Int32 = 1023
  /// Frames per second. USB pads report at 125 Hz (an interrupt endpoint of 8 ms); 60, 250 and 1,000 Hz are common too.
  public var rate = 125
  /// The response of the counts to the force.
  public var curve = ForceCurve.linear
  /// The noise of one sample, one standard deviation, in counts.
  public var noiseCounts = 0.0
  /// Creep: the fraction of the force that is added in each decade of time under a constant load.
  public var creepPerDecade = 0.0
  /// Hysteresis: the fraction by which a falling load reads higher than a rising one at the same force.
  public var hysteresis = 0.0
  /// The frequency in hertz at which plate and load ring on the sensor; 0 for a stiff sensor without delay.
  public var resonance = 0.0
  /// The damping ratio of the ringing; 1 is critical damping.
  public var damping = 1.0
  /// The least force of a contact that is reported. Chosen: 1 g, below the lightest load to weigh, 2 g.
  public var touch = Grams(1)

  /// Makes the ideal pad.
  public init() {}

  /// Only sampling, rounding and the end of the axis, without any other error.
  public static let ideal = PadPhysics()

  /// A pad that is accurate to a gram.
  ///
  /// Noise 1.5 counts, as in the requirements. Creep 0.03 % per decade and hysteresis 0.05 %: chosen, in the order of
  /// cheap strain gauge cells (0.05 % of hysteresis, 0.1 % of creep in half an hour), so that 380 g remain correct to
  /// half a gram. Ringing at 18 Hz with a damping of 0.35: chosen, a glass plate on foam, quiet after 0.2 s. The curve
  /// is that of a divider with k = 0.6, chosen: clearly bent.
  public static let typical = {
    var physics = PadPhysics()
    physics.curve = .divider(0.6)
    physics.noiseCounts = 1.5
    physics.creepPerDecade = 0.0003
    physics.hysteresis = 0.0005
    physics.resonance = 18
    physics.damping = 0.35
    return physics
  }()

  /// The counts for a slowly rising force: without noise, creep, hysteresis and rounding.
  public func counts(at force: Grams) -> Double {
    min(curve.counts(at: force.value / fullScale.value), 1) * Double(axisMaximum)
  }

  /// The force for a number of counts: the inverse of `counts(at:)` up to the maximum of the axis.
  public func force(at counts: Double) -> Grams {
    Grams(curve.force(at: counts / Double(axisMaximum)) * fullScale.value)
  }

  /// True calibration points: raw and grams at `count` forces, evenly spaced from 0 to `last`, rounded to a count.
  public func calibrationPoints(_ count: Int, upTo last: Grams) -> [(raw: RawForce, grams: Grams)] {
    (0..<max(count, 2)).map { index in
      let grams = Grams(last.value * Double(index) / Double(max(count, 2) - 1))
      let raw = counts(at: grams).rounded()
      // The grams of the rounded count, so that the points are on the curve.
      return (RawForce(Int(raw)), force(at: raw))
    }
  }
}
