/// What the guard in `.ci/run` holds a frame to: counted figures, which no other program on the machine can change.
extension CoreScene {
  /// Once every buffer has grown, a frame allocates nothing.
  static let noAllocation = Goal("no allocation per frame", .atMost, 0)

  /// The most instructions a frame may take on x86-64: those that were counted, and a tenth.
  ///
  /// The same program gives the same count on the same processor. On another one the C library may copy memory by other
  /// instructions: with SSE2 instead of AVX the count was 1.7 % to 3.1 % higher. The Swift runtime linked dynamically instead of
  /// statically made up to 1.5 %.
  var mostInstructions: Goal? {
    #if arch(x86_64)
      Goal("no more instructions than it took", .atMost, counted * 1.1)
    #else
      nil
    #endif
  }

  /// What a frame takes: `grampad-bench core`, 2,000 frames, built with Swift 6.3.1 as the package is. Update these figures when
  /// they have become smaller, or larger for a reason. Last time: the check of spikes in overload, the detection of pads that
  /// re-baseline and the check of the latched load took 250 to 1,600 instructions more.
  private var counted: Double {
    switch self {
    case .empty: 2805
    case .resting: 6920
    case .moving: 15883
    case .tenContacts: 11285
    case .addedForce: 8833
    case .zonePress: 8581
    case .contacts: 14646
    }
  }

  /// What the project asks of the core; a time, and so no part of the guard.
  var timeGoal: Goal? {
    self == .tenContacts ? Goal("under 2 µs a frame with ten contacts", .below, 2000) : nil
  }
}
