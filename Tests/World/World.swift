import Linux
import Logging
import Messages
import Recordings
import Weighing

@testable import Appliance

/// Scales, a broker and a collector in one thread, from one seed: what happens, when, and what fails.
///
/// ```
///   person ─► scale (ScaleMachine, JournalMachine, SQLite, Outgoing) ─► broker ─► collector (RecordGaps) ─► store
///                ▲                   ▼                                      │            │
///                │           a disk in memory                               │            │
///                └──────────────────────── command/resend ◄─────────────────┴────────────┘
/// ```
/// Everything that happens is an entry of the schedule. A world with the same seed is the same world.
final class World {
  /// What may go wrong.
  enum Fault: Int, CaseIterable, Sendable {
    /// A program ends, or its power fails.
    case crash
    /// The same, in the middle of a change to its disk.
    case stoppedDisk
    /// The disk fails for some time, or it hangs.
    case failingDisk, hungDisk
    /// The journal is gone after a crash, and only its high-water mark is left.
    case lostJournal
    /// The time of day is another one after a crash, in 1970 or later.
    case wrongClock
    /// A connection is refused, or ends; with it, the broker may lose what it retains.
    case refusal, lostConnection, lostRetained
    /// The broker acknowledges nothing for some time.
    case silentBroker
    /// A message is late, comes twice, or is rejected.
    case late, twice, rejection
    /// The database of the collector is not there for some time.
    case outage
  }

  /// What is needed to live a life again.
  struct Plan: Sendable, CustomStringConvertible {
    var seed: UInt64
    var scales: Int
    var seconds = 60
    /// Each fault occurs once in this number of occasions on average; 0 for never.
    var faults: [Fault: UInt64] = [
      .crash: 25, .stoppedDisk: 20, .failingDisk: 12, .hungDisk: 15, .lostJournal: 8, .wrongClock: 4, .refusal: 4,
      .lostConnection: 20, .lostRetained: 10, .silentBroker: 30, .late: 8, .twice: 8, .rejection: 50, .outage: 15,
    ]

    /// Most worlds are small, some are large.
    init(seed: UInt64) {
      self.seed = seed
      var random = SplitMix64(seed: ~seed)
      let largest = [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 5, 5, 20].randomElement(using: &random) ?? 1
      scales = Int.random(in: 1...largest, using: &random)
    }

    var description: String {
      let names = Fault.allCases.filter { faults[$0] != nil }.map { "\($0)" }
      return "seed \(seed), \(scales) scales, \(seconds) s, with \(names.joined(separator: ", "))"
    }
  }

  /// What has happened, for the report.
  struct Counts: Sendable, CustomStringConvertible {
    fileprivate(set) var faults = [Int](repeating: 0, count: Fault.allCases.count)
    /// How often each step was taken.
    fileprivate(set) var steps: [Step: Int] = [:]
    fileprivate(set) var (lives, scales, events) = (0, 0, 0)
    fileprivate(set) var coverage = Coverage()
    /// How often each other state worth a name was reached.
    fileprivate(set) var reached: [String: Int] = [:]

    /// Adds those of another life; returns whether it has reached something new.
    mutating func add(_ other: Counts) -> Bool {
      for index in faults.indices { faults[index] += other.faults[index] }
      steps.merge(other.steps) { $0 + $1 }
      reached.merge(other.reached) { $0 + $1 }
      lives += other.lives
      scales += other.scales
      events += other.events
      return coverage.formUnion(other.coverage)
    }

    var description: String {
      (["\(lives) lives of \(scales) scales, \(events) events, \(coverage)"]
        + Fault.allCases.map { "\($0) \(faults[$0.rawValue])" } + Step.allCases.map { "\($0) \(steps[$0] ?? 0)" }
        + reached.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
        .joined(separator: ", ")
    }
  }

  static let quiet = Logger(label: "world") { _ in SwiftLogNoOpLogHandler() }
  static let prefix = "grampad"

  var random: SplitMix64
  private var rates = [UInt64](repeating: 0, count: Fault.allCases.count)
  private let seconds: Int
  private(set) var now = Instant(nanoseconds: 100_000_000_000)
  private var schedule: [(time: Instant, order: Int, body: () -> Void)] = []
  private var order = 0
  private var happened = 0
  /// Far more than happens in a life that is well.
  private static let mostHappened = 200_000
  private(set) var counts = Counts()
  /// What is wrong, in the order in which it was found.
  private(set) var violations: [String] = []
  private(set) var history: [String] = []
  private let keepsHistory: Bool

  private(set) var scales: [SimulatedScale] = []
  private(set) var broker: SimulatedBroker!
  private(set) var collector: SimulatedCollector!

  init(_ plan: Plan, keepsHistory: Bool = false) {
    self.keepsHistory = keepsHistory
    seconds = plan.seconds
    random = SplitMix64(seed: plan.seed)
    for (fault, rate) in plan.faults { rates[fault.rawValue] = rate }
    broker = SimulatedBroker(self)
    collector = SimulatedCollector(self)
    scales = (0..<plan.scales).map { SimulatedScale($0, in: self) }
  }

  // MARK: Time and chance

  /// Whether a fault occurs now.
  func occurs(_ fault: Fault) -> Bool {
    // A number is taken in any case, so that a life without one kind of fault is otherwise the same.
    let number = random.next()
    guard rates[fault.rawValue] > 0, number % rates[fault.rawValue] == 0 else { return false }
    counts.faults[fault.rawValue] += 1
    return true
  }

  /// Returns true with a probability of 1 / `oneIn`.
  func chance(_ oneIn: UInt64) -> Bool { random.next() % oneIn == 0 }

  /// A step was taken by a scale, or by the collector for its sake; without its name, for that of all.
  func count(_ step: Step, of name: String? = nil) {
    counts.steps[step, default: 0] += 1
    let scale = name.flatMap { name in scales.first { $0.name == name } } ?? scales.first
    if let scale { counts.coverage.add(step, in: scale.coveredState.union(collector.coveredState(of: scale.name))) }
  }

  /// A state was reached.
  func reached(_ name: String) { counts.reached[name, default: 0] += 1 }

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
      happened += 1
      if happened == Self.mostHappened { violation("something happens again and again without rest") }
      if happened >= Self.mostHappened { return false }
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

  /// A broker without persistence restarts.
  func restartBroker() {
    note("the broker restarts")
    broker.forget()
    collector.loseConnection()
    for scale in scales { scale.loseConnection() }
  }

  /// A time of life with faults, then one without any, after which everything has to be well.
  func live() {
    for scale in scales { scale.start() }
    collector.start()
    run(for: .seconds(Double(seconds)))
    for index in rates.indices { rates[index] = 0 }
    for scale in scales { scale.rest() }
    let isWell = run(for: .seconds(1800)) { [self] in
      scales.allSatisfy(\.isDelivered) && collector.isComplete(knowing: scales)
    }
    if !isWell { violation("something waits for ever: \(scales.map(\.state) + [collector.state])") }
    for scale in scales { scale.check(against: collector) }
    (counts.lives, counts.scales, counts.events) = (1, scales.count, happened)
  }
}

/// A step of the delivery from the journal to the store, by its name in Tests/DeliveryModel/delivery.pml.
enum Step: String, CaseIterable, Sendable {
  case record, connect, sendWaiting, sendDue, delivered, publishHealth
  case beginRequest, resend, skipParked, skipMissing, answer
  case subscribe, saveRecords, saveHealth, saveReport, ask, askAgain
  case loseConnection, loseConnectionWithAnswer, killAppliance, loseJournal, loseRetained, refuseRecord
  case loseCollector, saveTwice
}
