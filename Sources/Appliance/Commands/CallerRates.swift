import Weighing

/// Counts the commands of each caller per second, so that a flood from one caller leaves capacity for the others; a value
/// without I/O.
///
/// A caller keeps its entry while it sends at least one command in each of two successive seconds. Callers beyond the
/// capacity share one entry, including a caller that changes its name with every command.
struct CallerRates: Sendable {
  /// A caller that sends more commands per second than this is flooding, until it has sent fewer for a second. A person
  /// or an automation sends only a few.
  static let few = 20
  /// Commands of a flooding caller beyond this number per second are rejected without an answer.
  ///
  /// Each answer may come with an event: up to 1,000 messages, which is mosquitto's default queue limit per subscriber.
  /// With more, a slow subscriber would lose events and weighings of others. In addition, answers cost the broker and
  /// this process more than commands, and a busy broker drops the commands of others: at 10,000 commands a second, 6 %
  /// were dropped when 6,000 a second were answered.
  static let most = 500
  /// Maximum number of callers that are tracked separately.
  static let capacity = 64
  /// Maximum number of `rejected` events per caller and second for commands that were rejected before the scale decided
  /// on them.
  static let mostEvents = 10

  /// The request rate of a caller.
  enum Load: Hashable, Sendable {
    case normal
    /// More than `few` in this second or the one before.
    case flood
    /// A flood with more than `most` in this second.
    case excess
  }

  private struct Counts: Sendable {
    var commands = 0
    var rejections = 0
    var commandsBefore = 0
  }

  private var second: Int64 = .min
  private var counts: [String: Counts] = [:]
  /// The name of the entry shared by further callers; no caller has an empty key.
  private static let others = ""

  /// Counts a command; returns the entry of its caller and the caller's rate.
  mutating func countCommand(of caller: String, at now: Instant) -> (entry: String, load: Load) {
    advance(to: now)
    let entry = counts[caller] != nil || counts.count < Self.capacity ? caller : Self.others
    var count = counts[entry, default: Counts()]
    count.commands += 1
    counts[entry] = count
    if count.commands > Self.most { return (entry, .excess) }
    return (entry, max(count.commands, count.commandsBefore) > Self.few ? .flood : .normal)
  }

  /// Counts the rejection of a command that was just counted; returns whether a `rejected` event may be published for
  /// it.
  mutating func countRejection(of entry: String) -> Bool {
    counts[entry, default: Counts()].rejections += 1
    return counts[entry, default: Counts()].rejections <= Self.mostEvents
  }

  private mutating func advance(to now: Instant) {
    let second = now.nanoseconds / 1_000_000_000
    if second == self.second { return }
    let isNext = second == self.second + 1
    counts = isNext ? counts.filter { $0.value.commands > 0 }.mapValues { Counts(commandsBefore: $0.commands) } : [:]
    self.second = second
  }
}
