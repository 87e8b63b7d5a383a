/// A state machine with invariants: what holds of its state after each input, beyond what its types say.
///
/// The scale and the calibration stop when one is broken, in debug builds, and the tests check them after each input.
protocol Invariants {
  /// What holds, each with its statement.
  var invariants: KeyValuePairs<String, Bool> { get }
  /// The first invariant that does not hold, also of the machines in this one; `nil` if all do.
  var brokenInvariant: String? { get }
}

extension Invariants {
  var brokenInvariant: String? { ownBrokenInvariant }

  /// The first invariant of this machine alone that does not hold.
  var ownBrokenInvariant: String? { invariants.first { !$0.value }?.key }

  /// Stops a debug build when an invariant is broken.
  @inline(__always)
  func assertInvariants() { assert(brokenInvariant == nil, brokenInvariant ?? "") }
}

extension ScaleMachine: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    var copy = self
    copy.schedule()
    return ["the next deadline follows from the state": copy.nextDeadline == nextDeadline]
  }

  var brokenInvariant: String? {
    ownBrokenInvariant ?? weigher.brokenInvariant ?? presses.brokenInvariant ?? requests.brokenInvariant
  }
}

extension Weigher: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "without a pad the scale is offline": pad != nil || reading.state == .offline,
      "a reading of a pad has the tare in force": pad == nil || reading.tareEpoch == tareEpoch,
      "noise is not negative": noise >= .zero && grossVariance >= 0,
      "fingers on actions are fingers in zones": fingers.actions <= fingers.zones && fingers.actions >= 0,
    ]
  }

  var brokenInvariant: String? {
    ownBrokenInvariant ?? reading.brokenInvariant ?? meter.brokenInvariant ?? plate.brokenInvariant
      ?? instruments.brokenInvariant ?? dosing.brokenInvariant
  }
}

extension LoadMeter {
  /// The first broken invariant of the filter and of what judges its results; `nil` if all hold.
  var brokenInvariant: String? {
    filter.brokenInvariant ?? stability.brokenInvariant ?? signal.brokenInvariant ?? flow.meter.pour.brokenInvariant
  }
}
