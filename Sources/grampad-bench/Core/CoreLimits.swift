/// What the guard in `.ci/run` holds a frame to: counted figures, which no other program on the machine can change.
extension CoreScene {
  /// Once every buffer has grown, a frame allocates nothing.
  static let noAllocation = Goal("no allocation per frame", .atMost, 0)

  /// The most instructions a frame may take on x86-64: those that were counted, and a tenth.
  var mostInstructions: Goal? {
    #if arch(x86_64)
      Goal("no more instructions than it took", .atMost, counted * 1.1)
    #else
      nil
    #endif
  }

  /// What a frame takes, counted over 2,000 frames of a release build.
  private var counted: Double {
    switch self {
    case .empty: 2325
    case .resting: 6366
    case .moving: 15248
    case .tenContacts: 11063
    case .addedForce: 7673
    case .zonePress: 7540
    case .contacts: 15392
    }
  }

  /// What the project asks of the core; a time, and so no part of the guard.
  var timeGoal: Goal? {
    self == .tenContacts ? Goal("under 2 µs a frame with ten contacts", .below, 2000) : nil
  }
}
