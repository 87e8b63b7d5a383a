import Weighing

/// When a light device publishes health; a value without I/O or clock.
///
/// An appliance publishes health on every change, which would be twice the messages here.
struct HealthSchedule {
  /// Without a change, unless `shortest` is longer. As in an appliance: a collector that has missed the last one learns the
  /// highest number.
  private static let longest = Interval.seconds(300)

  /// The sequence in the newest health; `nil` before the first one of a connection.
  private var sequence: Int?
  private var last = Instant(nanoseconds: 0)
  private let shortest: Interval

  /// Makes a schedule.
  ///
  /// - Parameter shortest: Minimum time between two messages of a connection.
  init(shortest: Interval) { self.shortest = shortest }

  /// There is a new connection.
  mutating func connect() { sequence = nil }

  /// Whether health is due.
  ///
  /// - Parameter current: The highest number in the journal.
  func isDue(_ current: Int, at now: Instant) -> Bool {
    guard let sequence else { return true }
    return last + (sequence == current ? max(shortest, Self.longest) : shortest) <= now
  }

  /// Whether the newest health has this number.
  func isCurrent(_ current: Int) -> Bool { sequence == current }

  /// Health was published.
  mutating func publish(_ current: Int, at now: Instant) { (sequence, last) = (current, now) }
}
