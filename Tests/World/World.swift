import Linux
import Logging
import Messages
import Recordings
import Weighing

@testable import Appliance

/// Scales, a broker and a collector in one thread, from one seed: what happens, when, and what fails.
///
/// ```
///   person ─► scale (ScaleMachine, JournalMachine, SQLite, SendQueues) ─► broker ─► collector (RecordGaps) ─► store
///                ▲                   ▼                                      │            │
///                │           a disk in memory                               │            │
///                └──────────────────────── command/resend ◄─────────────────┴────────────┘
/// ```
/// Everything that happens is an entry of the schedule. A world with the same seed is the same world.
final class World {
  /// How rare each fault is: it occurs once in this number of occasions on average; 0 for never.
  struct Faults: Sendable {
    var crash: UInt64 = 60
    var connection: UInt64 = 25
    var refusal: UInt64 = 4
    var delay: UInt64 = 8
    var hungDisk: UInt64 = 30
    var failingDisk: UInt64 = 30
    var stoppedDisk: UInt64 = 40
    var outage: UInt64 = 15
    var lostSession: UInt64 = 10

    static let none = Faults(
      crash: 0, connection: 0, refusal: 0, delay: 0, hungDisk: 0, failingDisk: 0, stoppedDisk: 0, outage: 0,
      lostSession: 0)
  }

  /// What has happened, for the report.
  struct Counts: Sendable {
    var answered = 0
    var rejected = 0
    var crashes = 0
    var powerCuts = 0
    var diskFaults = 0
    var losses = 0
    var outages = 0
    var hangs = 0
    var requests = 0

    static func += (sum: inout Counts, other: Counts) {
      sum.answered += other.answered
      sum.rejected += other.rejected
      sum.crashes += other.crashes
      sum.powerCuts += other.powerCuts
      sum.diskFaults += other.diskFaults
      sum.losses += other.losses
      sum.outages += other.outages
      sum.hangs += other.hangs
      sum.requests += other.requests
    }
  }

  static let quiet = Logger(label: "world") { _ in SwiftLogNoOpLogHandler() }
  static let prefix = "grampad"

  let seed: UInt64
  var random: SplitMix64
  var faults: Faults
  private(set) var now = Instant(nanoseconds: 100_000_000_000)
  private var schedule: [(time: Instant, order: Int, body: () -> Void)] = []
  private var order = 0
  var counts = Counts()
  /// What is wrong, in the order in which it was found.
  private(set) var violations: [String] = []
  private(set) var history: [String] = []
  private let keepsHistory: Bool

  private(set) var scales: [SimulatedScale] = []
  private(set) var broker: SimulatedBroker!
  private(set) var collector: SimulatedCollector!

  init(seed: UInt64, scales count: Int, faults: Faults = Faults(), keepsHistory: Bool = false) {
    (self.seed, self.faults, self.keepsHistory) = (seed, faults, keepsHistory)
    random = SplitMix64(seed: seed)
    broker = SimulatedBroker(self)
    collector = SimulatedCollector(self)
    scales = (0..<count).map { SimulatedScale($0, in: self) }
  }

  // MARK: Time and chance

  /// True once in so many calls; never for 0.
  func chance(_ oneIn: UInt64) -> Bool { oneIn > 0 && random.next() % oneIn == 0 }

  func milliseconds(_ range: ClosedRange<Int>) -> Interval { .milliseconds(Int.random(in: range, using: &random)) }

  /// The moment on the clocks of a part, whose time of day may be wrong.
  func moment(offset: Interval) -> Moment { Moment(now: now, wall: now + offset, clock: .synchronised) }

  /// Lets something happen after a time.
  func after(_ interval: Interval, _ body: @escaping () -> Void) {
    order += 1
    schedule.append((now + interval, order, body))
    var index = schedule.count - 1
    while index > 0, precedes(index, (index - 1) / 2) {
      schedule.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    (schedule[a].time, schedule[a].order) < (schedule[b].time, schedule[b].order)
  }

  private func removeFirst() -> (time: Instant, order: Int, body: () -> Void) {
    schedule.swapAt(0, schedule.count - 1)
    let first = schedule.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < schedule.count && precedes(child, least) {
        least = child
      }
      if least == index { return first }
      schedule.swapAt(index, least)
      index = least
    }
  }

  /// Runs until a time, or until a condition is met; returns whether it is.
  @discardableResult
  func run(for interval: Interval, until isDone: () -> Bool = { false }) -> Bool {
    let end = now + interval
    while !isDone() {
      guard let next = schedule.first, next.time <= end else {
        now = end
        return isDone()
      }
      let (time, _, body) = removeFirst()
      now = time
      body()
    }
    return true
  }

  // MARK: Reports

  func note(_ text: @autoclosure () -> String) {
    guard keepsHistory else { return }
    history.append("\((now - Instant(nanoseconds: 100_000_000_000)).nanoseconds / 1_000_000) ms: \(text())")
  }

  func violation(_ text: String) {
    violations.append(text)
    note("VIOLATION: \(text)")
  }

  // MARK: Life

  /// A minute of life with faults, then a time without any, after which everything has to be well.
  func live(for interval: Interval = .seconds(60)) {
    for scale in scales { scale.start() }
    collector.start()
    run(for: interval)
    faults = .none
    for scale in scales { scale.rest() }
    let isWell = run(for: .seconds(3600)) { [self] in
      scales.allSatisfy(\.isDelivered) && collector.isComplete(knowing: scales)
    }
    if !isWell { violation("something waits for ever: \(scales.map(\.state) + [collector.state])") }
    for scale in scales { scale.check(against: collector) }
  }
}
