import Weighing

/// Limits how fast the outbox is sent: a burst at once, then an even rate; a value without I/O or clock.
///
/// MQTT has no flow control between publisher and subscriber: a broker drops what a subscriber does not read in time.
/// By default mosquitto queues 1,000 messages per subscriber, in addition to 20 in flight. With these limits a
/// subscriber may pause for (1,020 - 100) / 500 = 1.8 s in the middle of a long outbox without losing anything, if it
/// otherwise handles 500 messages a second. Measured without a limit, at 10,000 messages/s: mosquitto dropped 2 % for a
/// local subscriber, and 78 % of 10,000 for one that takes 1 ms per message; with the limit, none.
package struct SendRate: Hashable {
  /// Number of messages that may be sent at once after a pause.
  package static let burst = 100
  /// Average time between two messages: 500 messages a second.
  package static let spacing = Interval.milliseconds(2)
  /// Minimum number of messages per wake-up once the burst is used up: 20 wake-ups a second.
  package static let batch = 25

  /// When the full burst is available again (generic cell rate algorithm, ITU-T I.371).
  private var full = Instant(nanoseconds: .min)

  /// Makes a rate at which nothing was sent yet.
  package init() {}

  /// Number of messages that may be sent now; 0 until a batch may be sent.
  ///
  /// - Parameter reserve: Number of messages to leave for others.
  package func available(at now: Instant, keeping reserve: Int = 0) -> Int {
    let owed = full <= now ? 0 : (full - now).nanoseconds
    let spent = Int((owed + Self.spacing.nanoseconds - 1) / Self.spacing.nanoseconds)
    let rest = Self.burst - spent - reserve
    return rest < Self.batch ? 0 : rest
  }

  /// When `available` is not 0.
  package func nextBatch(keeping reserve: Int = 0) -> Instant {
    Instant(nanoseconds: full.nanoseconds - Self.spacing.nanoseconds * Int64(Self.burst - Self.batch - reserve))
  }

  /// Counts a message that is sent.
  package mutating func countMessage(at now: Instant) { full = max(full, now) + Self.spacing }
}
