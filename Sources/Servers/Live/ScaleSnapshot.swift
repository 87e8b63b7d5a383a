import Weighing

/// The scale at a moment, as clients of `/snapshot` see it: there is a mass in every state.
struct ScaleSnapshot: Hashable, Sendable {
  /// Whether the mass is that of the load.
  enum Condition: String, Hashable, Sendable {
    /// The mass is that of the load.
    case ready
    /// The load exceeds the capacity, which is the mass.
    case overload
    /// There is no pad, or its counts cannot be weighed. The mass is the last one.
    case offline
  }

  /// The time on the timer.
  struct Timer: Hashable, Sendable {
    var isRunning = false
    /// The time at `date`.
    var elapsed = Interval.zero
    var date = Instant(nanoseconds: 0)

    /// The time at another moment.
    func elapsed(at now: Instant) -> Interval { isRunning ? max(elapsed + (now - date), elapsed) : elapsed }
  }

  /// The net, unrounded; the capacity in overload, the last mass without a pad.
  var mass = Grams.zero
  var condition = Condition.offline
  /// Whether nothing is on the pad.
  var isEmpty = false
  /// Whether a tare is in force.
  var isTared = false
  /// Whether the load is at rest.
  var isStable = false
  /// `nil` while the timer is not in use.
  var timer: Timer?

  /// Applies a reading.
  mutating func update(_ reading: Reading) {
    condition = reading.isOverloaded ? .overload : reading.state == .offline ? .offline : .ready
    mass = reading.isOverloaded ? reading.capacity : reading.highResolution ?? mass
    (isEmpty, isTared) = (reading.state == .empty, reading.tare.steps != 0)
    isStable = reading.isStable
    timer = reading.timer.map { Timer(isRunning: timer?.isRunning ?? false, elapsed: $0, date: reading.time) }
  }
}
