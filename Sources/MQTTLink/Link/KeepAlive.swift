import Weighing

/// When to send a ping, and until when it has to be answered; a value without a clock.
///
/// ```
/// quiet for `interval`: ping ----> read: answered
///                            ----> nothing read within the deadline: silent
/// ```
struct KeepAlive {
  /// The time after which a connection needs traffic in both directions.
  var interval: Interval
  private let deadline: Interval
  private var lastRead: Instant
  private var lastWritten: Instant
  /// Deadline for the response to the last ping; `nil` if no ping is outstanding.
  private var pingDue: Instant?

  /// Begins with a connection; a ping has to be answered within `deadline`.
  init(interval: Interval, deadline: Interval, at now: Instant) {
    (self.interval, self.deadline, lastRead, lastWritten) = (interval, deadline, now, now)
  }

  /// Time of the next call of `isPingDue`.
  var due: Instant { pingDue ?? min(lastRead, lastWritten) + interval }

  /// Records that something was read.
  mutating func recordRead(at now: Instant) { (lastRead, pingDue) = (now, nil) }

  /// Records that something was written.
  mutating func recordWrite(at now: Instant) { lastWritten = now }

  /// Whether to send a ping now; throws if the last one was not answered.
  mutating func isPingDue(at now: Instant) throws(LinkError) -> Bool {
    guard due <= now else { return false }
    if pingDue != nil { throw .silent }
    pingDue = now + deadline
    return true
  }
}
