import Messages
import Weighing

@testable import Fleet

/// A collector with its store: what arrives is stored in batches, what is missing is asked for. It may crash between the two.
final class SimulatedCollector: SimulatedBroker.Client {
  private unowned let world: World
  private var inbox = Inbox()
  /// The store: it survives a crash, and the gaps of a device change together with its records.
  private var gaps: [String: RecordGaps] = [:]
  private var due: [String: Instant] = [:]
  private(set) var records: [String: [WeighingID: CollectedRecord]] = [:]
  private var isConnected = false
  private var isStoreDown = false
  private var duties: CollectorDuties

  init(_ world: World) {
    self.world = world
    duties = CollectorDuties(at: world.now)
  }

  func start() {
    connect()
    tick()
  }

  var state: String {
    "collector: missing \(gaps.filter { !$0.value.missing.isEmpty }.mapValues(\.missing.multirange))"
  }

  /// What is counted as its state.
  func coveredState(of device: String) -> Coverage.State {
    var state = Coverage.State()
    state.set(.subscribed, isConnected)
    state.set(.records, !inbox.isEmpty)
    state.set(.missingRanges, gaps[device]?.missing.isEmpty == false)
    state.set(.lostRanges, gaps[device]?.lost.isEmpty == false)
    state.set(.requestDue, due[device].map { $0 <= world.now } ?? false)
    return state
  }

  /// Whether nothing is missing of what the scales have assigned.
  func isComplete(knowing scales: [SimulatedScale]) -> Bool {
    inbox.isEmpty
      && scales.allSatisfy { scale in
        let gaps = gaps[scale.name] ?? RecordGaps()
        return gaps.missing.isEmpty && gaps.known >= scale.assigned
      }
  }

  func lost(of device: String) -> RangeSet<Int> { gaps[device]?.lost ?? RangeSet() }

  private func connect() {
    isConnected = true
    world.count(.subscribe)
    // With 3.1.1, a request has no response topic.
    world.broker.subscribe(self, to: "#") { topic in
      ["/weighing", "/health", "/result", "/result/collector"].contains { topic.hasSuffix($0) }
    }
  }

  func receive(_ message: IncomingMessage) {
    do throws(CollectedMessageError) {
      if let message = try CollectedMessage(message, prefix: World.prefix) { inbox.append(message) }
    } catch {
      world.violation("the collector rejects \(message.topic): \(error.detail)")
    }
  }

  /// What a real one does each second, and what may go wrong meanwhile.
  private func tick() {
    world.after(world.milliseconds(200...1000)) { [self] in tick() }
    if world.occurs(.crash), world.chance(4) {
      // What was acknowledged and not stored is gone.
      world.count(.loseCollector)
      world.note("collector crashes")
      inbox = Inbox()
      reconnect(after: world.milliseconds(100...5000))
    } else if isConnected, world.occurs(.lostConnection) {
      loseConnection()
    }
    if world.occurs(.outage) {
      isStoreDown = true
      world.after(world.milliseconds(100...8000)) { [self] in isStoreDown = false }
    }
    if !isStoreDown { work() }
  }

  /// The connection ends.
  func loseConnection() {
    guard isConnected else { return }
    world.count(.loseCollector)
    reconnect(after: world.milliseconds(100...5000))
  }

  private func reconnect(after time: Interval) {
    isConnected = false
    world.broker.disconnect(self)
    world.after(time) { [self] in if !isConnected { connect() } }
  }

  private func work() {
    let batch = inbox.take(5_000, withHealth: duties.take(.health, at: world.now))
    var stored: [String: RangeSet<Int>] = [:]
    for record in batch.records {
      if let known = records[record.device]?[record.id], known != record {
        world.violation("\(record.device): another record \(record.id)")
      }
      world.count(records[record.device]?[record.id] == nil ? .saveRecords : .saveTwice, of: record.device)
      records[record.device, default: [:]][record.id] = record
      stored[record.device, default: RangeSet()].insert(contentsOf: record.sequence..<record.sequence + 1)
    }
    for (device, set) in stored.sorted(by: { $0.key < $1.key }) { change(device) { $0.add(set) } }
    for (device, health) in batch.health.sorted(by: { $0.key < $1.key }) {
      world.count(.saveHealth, of: device)
      change(device) { $0.learn(of: health.sequence) }
    }
    for (device, report) in batch.reports.sorted(by: { $0.key < $1.key }) {
      world.count(.saveReport, of: device)
      change(device) { $0.learn(from: report) }
    }
    guard isConnected, duties.take(.requests, at: world.now) else { return }
    for device in gaps.keys.sorted()
    where gaps[device]?.missing.isEmpty == false && due[device] ?? world.now <= world.now {
      var requests: [ClosedRange<Int>] = []
      world.count(gaps[device]?.requests == 0 ? .ask : .askAgain, of: device)
      change(device) { requests = $0.takeRequests() }
      for range in requests {
        world.note("collector asks \(device) for \(range)")
        let topics = Topics(prefix: World.prefix, id: device)
        var message = Message(
          topic: topics.command(Command.resendName), payload: Command.resendPayload(range), delivery: .assured)
        message.responseTopic = topics(.result) + "/collector"
        world.broker.publish(message)
      }
    }
  }

  /// Changes the gaps of a device as a transaction does.
  private func change(_ device: String, _ body: (inout RecordGaps) -> Void) {
    var row = gaps[device] ?? RecordGaps()
    row.wait = due[device].map { $0 - world.now }
    body(&row)
    due[device] = row.wait.map { world.now + $0 }
    gaps[device] = row
  }
}
