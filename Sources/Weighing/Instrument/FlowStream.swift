/// A movement that may be a stream which pulses, as from a kettle: its flow swings between nothing and twice its mean,
/// so that each pulse alone looks like a load that is put on.
struct FlowStream: Sendable {
  /// The first block of the window before it, and whether the load rested in it.
  var window: Int
  var isStill: Bool
  /// Its first block.
  var split: Int

  /// The largest jump in grams and the fastest movement in grams per second within it: recorded kettles reach 25.
  private static let largestJump = 2.0
  private static let fastest = 30.0
  /// How long, in seconds, it lasts before it is known.
  static let patience = 1.0
  /// How far it is from a steady flow, in seconds of flow: a load that is put on and moved is further from one.
  private static let unevenness = 0.12
  /// The number of standard deviations of its slope.
  private static let certainty = 8.0
  private static let fewestBlocks = 8

  /// Whether a change within it may be a pulse.
  static func isPulse(_ old: FlowLine, _ new: FlowLine, jump: Double) -> Bool {
    jump < largestJump && max(old.slope.magnitude, new.slope.magnitude) < fastest
  }

  /// Whether the load has grown like a stream since it began.
  static func isStream(_ line: FlowLine, _ variance: Double) -> Bool {
    let distance = unevenness * line.slope
    return line.slope > 0 && line.blocks >= fewestBlocks && line.residual < line.weight * distance * distance
      && line.isSlope(over: certainty, variance)
  }
}
