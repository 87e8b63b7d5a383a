import Weighing

/// How much may be published about refused commands, so that a flood of them leaves room for everything else; a value
/// without I/O.
///
/// It counts by the second. A caller with few refusals is answered where one with many is not any more.
struct RefusalBudget: Sendable {
  /// From this many refusals a second on, a caller has many.
  private static let few = 20
  /// The most callers that are counted; further ones share a count.
  private static let mostCallers = 64
  /// The most events `rejected` a second about commands that the scale did not decide on.
  private static let mostEvents = 10

  private var second: Int64 = .min
  private var total = 0
  private var refusals: [String: Int] = [:]

  /// Counts a refusal and returns what may be published about it.
  mutating func count(_ caller: String, at now: Instant) -> CommandDesk.Allowance {
    let second = now.nanoseconds / 1_000_000_000
    if second != self.second { (self.second, total, refusals) = (second, 0, [:]) }
    total += 1
    let key = refusals[caller] != nil || refusals.count < Self.mostCallers ? caller : ""
    refusals[key, default: 0] += 1
    let hasMany = refusals[key, default: 0] > Self.few
    return CommandDesk.Allowance(backlog: hasMany ? 200 : 400, hasEvent: total <= Self.mostEvents)
  }
}
