import Weighing

/// Limits how fast the outbox is sent: a burst at once, then an even rate; a value without I/O or clock.
///
/// MQTT has no flow control between publisher and subscriber: a broker drops what a subscriber has not fetched in time. mosquitto
/// queues 1,000 messages for a subscriber by default, beyond the 20 that are in flight to it. With these limits a subscriber may
/// stand still for (1,020 - 100) / 500 = 1.8 s in the middle of a long outbox, and loses nothing as long as it handles 500
/// messages a second otherwise. Measured without a limit: 10,000 messages/s, of which mosquitto dropped 2 % for a local
/// subscriber, and 78 % of 10,000 for one that takes 1 ms for each; with it, none.
struct SendRate: Hashable {
  /// Messages that may be sent at once after a pause.
  static let burst = 100
  /// Time between two messages in the long run: 500 messages a second.
  static let spacing = Interval.milliseconds(2)
  /// Messages for which it is worth waking up once the burst is spent: 20 wake-ups a second.
  static let batch = 25

  /// When the burst is available again in full (generic cell rate algorithm, ITU-T I.371).
  private var full = Instant(nanoseconds: .min)

  /// How many messages may be sent now; 0 until a batch may be sent.
  func available(at now: Instant) -> Int {
    let owed = full <= now ? 0 : (full - now).nanoseconds
    let spent = Int((owed + Self.spacing.nanoseconds - 1) / Self.spacing.nanoseconds)
    let rest = Self.burst - spent
    return rest < Self.batch ? 0 : rest
  }

  /// When `available` is not 0.
  var nextBatch: Instant {
    Instant(nanoseconds: full.nanoseconds - Self.spacing.nanoseconds * Int64(Self.burst - Self.batch))
  }

  /// Counts a message that is sent.
  mutating func noteSent(at now: Instant) { full = max(full, now) + Self.spacing }
}
