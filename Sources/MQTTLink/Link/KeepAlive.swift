import Weighing

/// When to send a ping, and until when the broker has to answer it; a value without a clock.
struct KeepAlive {
  /// Maximum time without traffic in either direction.
  var interval: Interval
  private let deadline: Interval
  private var lastRead: Instant
  private var lastWritten: Instant
  /// Deadline for the response to the last ping; `nil` if no ping is outstanding.
  private var pingDue: Instant?

  init(interval: Interval, deadline: Interval, at now: Instant) {
    (self.interval, self.deadline, lastRead, lastWritten) = (interval, deadline, now, now)
  }

  /// Time of the next call of `isPingDue`.
  var due: Instant { pingDue ?? min(lastRead, lastWritten) + interval }

  mutating func recordRead(at now: Instant) { (lastRead, pingDue) = (now, nil) }
  mutating func recordWrite(at now: Instant) { lastWritten = now }

  /// Returns whether to send a ping now; throws if the last one was not answered.
  mutating func isPingDue(at now: Instant) throws(LinkError) -> Bool {
    guard due <= now else { return false }
    if pingDue != nil { throw .silent }
    pingDue = now + deadline
    return true
  }
}
