import Weighing

/// Limits what all clients together may ask for: 1000 answers, 1000 pieces of input and 20 actions a second.
///
/// A client that floods takes at most a few per cent of a processor, and the events of its actions leave room for
/// others on the broker.
struct SICSBudget: Sendable {
  private static let window = Interval.milliseconds(20)
  private static let linesPerWindow = 20
  private static let actionInterval = Interval.milliseconds(50)

  private var end = Instant(nanoseconds: 0)
  private var used = 0
  private var inputs = 0
  /// When the next action is accepted.
  private(set) var nextAction = Instant(nanoseconds: 0)

  /// The number of lines that may be answered now, at most a number.
  mutating func lines(at now: Instant, atMost limit: Int) -> Int {
    advance(to: now)
    return max(0, min(limit, Self.linesPerWindow - used))
  }

  /// Counts answered lines.
  mutating func count(_ lines: Int) { used += lines }

  /// Counts a piece of input or a new connection.
  mutating func countInput() { inputs += 1 }

  /// Until when to pause; `nil` while there is something left.
  mutating func pause(at now: Instant) -> Instant? {
    advance(to: now)
    return used >= Self.linesPerWindow || inputs >= Self.linesPerWindow ? end : nil
  }

  /// Whether an action is accepted now.
  func mayAct(at now: Instant) -> Bool { now >= nextAction }

  /// Counts an action.
  mutating func countAction(at now: Instant) { nextAction = now + Self.actionInterval }

  private mutating func advance(to now: Instant) {
    guard now >= end else { return }
    end = now + Self.window
    (used, inputs) = (0, 0)
  }
}
