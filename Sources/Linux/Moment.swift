import Weighing

/// What the clocks show at a moment: a value, so that what decides by the time runs on any clock.
package struct Moment: Hashable, Sendable {
  /// The monotonic clock.
  package var now: Instant
  /// The time of day, since 1970 in UTC.
  package var wall: Instant
  /// Whether the time of day is synchronised.
  package var clock: ClockState

  /// Makes a moment.
  package init(now: Instant, wall: Instant, clock: ClockState) {
    (self.now, self.wall, self.clock) = (now, wall, clock)
  }

  /// This moment on the clocks of the system.
  package static func current() -> Moment { Moment(now: .now(), wall: .wallClock(), clock: .now()) }
}
