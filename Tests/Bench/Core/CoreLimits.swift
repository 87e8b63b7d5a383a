/// The limits that the `cost` tier checks: counts, which do not depend on the load of the machine.
extension CoreScene {
  /// After the warm-up, a frame allocates nothing.
  static let noAllocation = Goal("no allocation per frame", .atMost, 0)

  /// Maximum number of instructions per frame on x86-64: the recorded count plus a tenth.
  ///
  /// The count of a program is the same on every run on the same processor. On another processor the C library may use
  /// other instructions to copy memory: with SSE2 instead of AVX the count was 1.7 % to 3.1 % higher. Linking the Swift
  /// runtime dynamically instead of statically changed it by up to 1.5 %.
  var mostInstructions: Goal? {
    #if arch(x86_64)
      Goal("no more instructions than it took", .atMost, counted * 1.1)
    #else
      nil
    #endif
  }

  /// Instructions per frame: `grampad-bench core`, 2,000 frames, built with Swift 6.3.1 like the package.
  ///
  /// Update these numbers when they decrease, or when they increase for a good reason. Before flow, timer, targets and
  /// counting a load at rest took 7,146: these functions may add a tenth while they are not in use and a quarter while
  /// they are. An empty pad took 3,729 before stops ahead and doses, which may add a tenth while they are off.
  private var counted: Double {
    switch self {
    case .empty: 3729
    case .resting: 7752
    case .instruments: 8773
    case .moving: 14300
    case .tenContacts: 12984
    case .addedForce: 13679
    case .zonePress: 11283
    case .contacts: 15257
    }
  }

  /// The goal for the time of a frame. It depends on the load of the machine, so `--check` skips it.
  var timeGoal: Goal? { self == .tenContacts ? Goal("under 2 µs a frame with ten contacts", .below, 2000) : nil }
}
