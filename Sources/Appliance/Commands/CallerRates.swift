import Weighing

/// Counts the commands of each caller by the second, so that a flood of one caller leaves room for the others; a value
/// without I/O.
///
/// A caller keeps its entry while it sends at least one command in each of two successive seconds. Callers beyond the
/// capacity share one entry: a caller that changes its name with each command ends there.
struct CallerRates: Sendable {
  /// A caller that sends more commands than this in a second floods, until it has sent fewer for a second. A person or
  /// an automation sends a few.
  static let few = 20
  /// Of a caller that floods, more commands than this in a second are refused without an answer.
  ///
  /// Each answer may come with an event: 1,000 messages at most, which is what mosquitto queues for a subscriber by
  /// default. With more, a slow subscriber would lose events and weighings of others. Besides, answers cost the broker
  /// and this process more than commands, and a busy broker drops the commands of others: at 10,000 commands a second,
  /// 6 % were dropped where 6,000 a second were answered.
  static let most = 500
  /// The most callers that are told apart.
  static let capacity = 64
  /// The most events `rejected` of a caller in a second for commands that the scale did not decide on.
  static let mostEvents = 10

  /// How much a caller asks for.
  enum Load: Hashable, Sendable {
    case normal
    /// More than `few` in this second or the one before.
    case flood
    /// A flood with more than `most` in this second.
    case excess
  }

  private struct Counts: Sendable {
    var commands = 0
    var refusals = 0
    var commandsBefore = 0
  }

  private var second: Int64 = .min
  private var counts: [String: Counts] = [:]
  /// The name of the entry that further callers share; no caller's key is empty.
  private static let others = ""

  /// Counts a command and returns the entry under which its caller is known, and how much that asks for.
  mutating func countCommand(of caller: String, at now: Instant) -> (entry: String, load: Load) {
    advance(to: now)
    let entry = counts[caller] != nil || counts.count < Self.capacity ? caller : Self.others
    var count = counts[entry, default: Counts()]
    count.commands += 1
    counts[entry] = count
    if count.commands > Self.most { return (entry, .excess) }
    return (entry, max(count.commands, count.commandsBefore) > Self.few ? .flood : .normal)
  }

  /// Counts the refusal of a command that was counted just before, and returns whether the event `rejected` may be
  /// published about it.
  mutating func countRefusal(of entry: String) -> Bool {
    counts[entry, default: Counts()].refusals += 1
    return counts[entry, default: Counts()].refusals <= Self.mostEvents
  }

  private mutating func advance(to now: Instant) {
    let second = now.nanoseconds / 1_000_000_000
    if second == self.second { return }
    let isNext = second == self.second + 1
    counts = isNext ? counts.filter { $0.value.commands > 0 }.mapValues { Counts(commandsBefore: $0.commands) } : [:]
    self.second = second
  }
}
