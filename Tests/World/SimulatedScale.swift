import CSimulatedDisk
import Glibc
import Linux
import Messages

@testable import Appliance
@testable import Journal
@testable import MQTTLink
@testable import Weighing

/// A scale that a person uses: the core, the work of the journal's thread on a real SQLite file, and the link. The file
/// is on a disk that fails, and that stops in the middle of what it does when the program is killed or the power fails.
///
/// All of it runs in the one thread of the world, hence `Sendable`.
final class SimulatedScale: @unchecked Sendable {
  /// The machines of one run of the program.
  private final class Program {
    var scale: ScaleMachine
    var journal: JournalMachine
    var requests: [JournalRequest] = []
    var journalDue: Instant
    let link: SimulatedLink
    var composer: MessageComposer
    /// Health as it is published once the comparison of the sequence with the broker is over.
    var health: Health
    var holdsHealth = true
    /// The requests for records that are not answered.
    var resends = 0
    /// The requests that wait for an answer.
    var pending: Set<UInt64> = []

    init(
      _ scale: ScaleMachine, _ journal: consuming JournalMachine, _ link: SimulatedLink, _ composer: MessageComposer,
      at now: Instant
    ) {
      self.scale = scale
      self.journal = journal
      self.link = link
      self.composer = composer
      journalDue = now
      let unknown = Sentence.verbatim("unknown")
      health = Health(
        pad: .missing(unknown), broker: .disconnected(unknown), calibration: nil, journal: .unavailable(unknown),
        configurationError: nil, version: "1")
    }
  }

  let name: String
  private unowned let world: World
  private let topics: Topics
  private let disk: Int32
  private let settings: LinkSettings
  private let servers: [SimulatedLink.Server]
  private var program: Program?
  private let views: SimulatedViews
  private let plug: SimulatedPlug
  private var run = 0
  private var outputs: [JournalOutput] = []
  /// The offset of the time of day.
  private var offset = Interval.seconds(1_767_225_600)
  private var hungUntil = Instant(nanoseconds: 0)
  private var serial: UInt64 = 0
  /// When the next step is due.
  private var wake: Instant?
  /// Whether somebody uses it, and its disk may fail.
  private var isAttended = true

  /// What was answered, and what was not.
  private var confirmed: [RecordedWeighing] = []
  private var unanswered = 0
  /// The highest number that may be lost, because its journal was.
  private var mostLost = 0
  /// The numbers that the broker has accepted from the outbox, and those that it has rejected.
  private var accepted: Set<Int> = []
  private var refused: Set<Int> = []
  /// What was published last on each topic that brokers retain.
  private var retained: [String: [UInt8]] = [:]
  private(set) var assigned = 0
  private var outbox = Health.Outbox(waiting: 1)

  init(_ number: Int, in world: World) {
    (name, self.world) = ("scale-\(number)", world)
    topics = Topics(prefix: World.prefix, id: name)
    views = SimulatedViews(topics, in: world)
    plug = SimulatedPlug(name, in: world)
    disk = Self.firstDisk + Int32(number)
    (settings, servers) = SimulatedLink.randomSettings(clientID: name, in: world)
    let (seed, sector) = (world.random.next(), world.random.next() % 2 == 0 ? 512 as UInt32 : 4096)
    if world.random.next() % 8 == 0 {
      simulated_disk_reset(disk, seed, sector)
    } else {
      simulated_disk_copy(disk, Self.diskOfEmptyJournal, seed, sector)
    }
  }

  /// The identifiers of requests for doses, apart from those of the front ends.
  private static let firstDose: UInt64 = 1 << 40
  /// Those before are of other tests.
  private static let firstDisk: Int32 = 32
  /// Made once: most scales begin with it, because to make a journal takes longer than a minute of life.
  private static let diskOfEmptyJournal: Int32 = {
    let disk = firstDisk - 1
    simulated_disk_reset(disk, 0, 4096)
    let journal = Journal(
      .file(path(on: disk)), identifiers: .derived, clock: { Instant(nanoseconds: 0) }, logger: World.quiet)
    journal.recordExclusively()
    try? journal.open()
    journal.close()
    return disk
  }()

  private static func path(on disk: Int32) -> String { "\(SIMULATED_DISK_ROOT)\(disk)/journal.db" }

  var state: String {
    "\(name): \(program == nil ? "off" : "on") connected \(program?.link.isConnected ?? false) outbox \(outbox) "
      + "pending \(program?.pending ?? []) held \(program?.holdsHealth ?? false) "
      + "answered \(views.isAnswered)"
  }

  /// What is counted as its state.
  var coveredState: Coverage.State {
    var state = Coverage.State()
    guard let program else { return state }
    state.insert(.running)
    state.set(.session, program.link.isConnected)
    state.set(.outbox, outbox.waiting > 0)
    state.set(.parked, outbox.parked > 0)
    state.set(.inFlight, !program.link.isDrained)
    state.set(.activeRange, program.resends > 0)
    state.set(.published, !program.holdsHealth)
    return state
  }

  /// Whether nothing waits any more, and the journal knows that its disk works.
  var isDelivered: Bool {
    guard let program, case .available = program.health.journal else { return false }
    return outbox.waiting == 0 && outbox.parked == 0 && program.pending.isEmpty && program.requests.isEmpty
      && program.link.isConnected && !plug.isOn && !program.holdsHealth && program.link.isDrained && views.isAnswered
  }

  // MARK: Life

  func start() {
    guard program == nil else { return }
    run += 1
    wake = nil
    let (run, now) = (run, world.now)
    let location = JournalLocation.file(Self.path(on: disk))
    var journal = JournalMachine(
      Journal(location, identifiers: .derived, clock: { [unowned self] in world.now + offset }, logger: World.quiet),
      location, topics: topics, logger: World.quiet,
      send: { [unowned self] message, token in
        let admission = program?.link.publish(message, token: token) ?? .notConnected
        if admission == .accepted, let step = step(of: token) { world.count(step, of: name) }
        return admission
      },
      // What comes after the disk has stopped comes from a program that is not there any more.
      onOutput: { [unowned self] output in if !simulated_disk_is_stopped(disk) { outputs.append(output) } })
    var settings = ScaleSettings()
    settings.zones = .none
    settings.scale.minimum = Grams(1)
    settings.outputs = [SimulatedPlug.output]
    let link = SimulatedLink(
      self.settings, servers, filters: [topics.commands + "#", topics(.health)], in: world,
      onEvent: { [unowned self] event in handle(event) },
      onDecision: { [unowned self] token, reason in note(reason, of: token) })
    journal.open()
    program = Program(
      ScaleMachine(settings: settings, at: now), journal, link,
      MessageComposer(topics: topics, heartbeat: .zero, clock: .recorded),
      at: now)
    views.start(
      SimulatedViews.Scale(
        submit: { [unowned self] in submit($0) }, publish: { [unowned self] in publish($0) },
        isConnected: { [unowned self] in program?.link.isConnected ?? false }, offset: { [unowned self] in offset }))
    program?.requests.append(
      .begin(RecordContext(configurationHash: "a", calibrationHash: "b", historyDepth: nil), at: now + offset))
    handle(.padFound(Self.pad))
    world.note("\(name) starts")
    attend(run)
    link.start()
    step()
  }

  /// Ends the program at once, or the power fails; the disk keeps what it has.
  private func crash() {
    guard let program else { return }
    simulated_disk_stop(disk)
    let isPowerCut = world.chance(2)
    world.count(.killAppliance, of: name)
    world.note("\(name) \(isPowerCut ? "loses its power" : "crashes") with \(program.pending.count) requests")
    unanswered += program.pending.count
    program.link.stop()
    self.program = nil
    views.end()
    simulated_disk_restart(disk, isPowerCut ? SIMULATED_DISK_POWER_CUT : SIMULATED_DISK_KILLED)
    if world.occurs(.lostJournal) { loseJournal() }
    outputs = []
    run += 1
    if world.occurs(.wrongClock) {
      offset = Interval(nanoseconds: Int64(world.random.next() % 1_800_000_000_000_000_000))
    }
    world.after(world.milliseconds(100...10_000)) { [self] in start() }
  }

  /// The journal is gone, and what it has recorded is known from its mark.
  private func loseJournal() {
    // What is lost has to be read.
    simulated_disk_set_faults(disk, simulated_disk_faults())
    let known = (try? HighWaterMark(of: Self.path(on: disk)).read())?.value?.sequence ?? 0
    // A weighing is confirmed if only flushing the mark has failed. If then the power fails and the journal is gone, nothing tells of it.
    guard known >= confirmed.map(\.sequence).max() ?? 0 else { return }
    // Others have seen what health has told.
    mostLost = max(mostLost, known, assigned)
    world.note("\(name) has lost its journal")
    world.count(.loseJournal, of: name)
    // What only the journal could tell is not published again.
    retained = [:]
    for end in ["", "-wal", "-shm"] { unlink(Self.path(on: disk) + end) }
  }

  /// A person puts something down, and commits, voids or relabels.
  private func attend(_ run: Int) {
    world.after(world.milliseconds(200...8000)) { [self] in
      guard self.run == run, program != nil else { return }
      if world.occurs(.crash) { return crash() }
      if world.occurs(.hungDisk) { hungUntil = world.now + world.milliseconds(100...8000) }
      guard isAttended else { return }
      if world.occurs(.stoppedDisk) {
        simulated_disk_stop_after(disk, UInt32.random(in: 1...40, using: &world.random))
      }
      if world.occurs(.failingDisk) { failDisk() }
      if world.chance(2) {
        serial += 1
        let place = Position(x: 0.5, y: 0.5)
        let raw = RawForce(Int(40 + world.random.next() % 900))
        let load = Contact(serial: serial, position: place, origin: place, raw: raw, isAtMaximum: false)
        handle(.frame(Frame(time: world.now, contacts: [load])))
      } else if world.chance(3) {
        let dose = Dose(
          output: SimulatedPlug.output.name, target: Target(mass: Grams(Double(1 + world.random.next() % 384))))
        serial += 1
        let request = ActionRequest(
          action: .dose, parameters: .dose(.start(dose)), source: .button, identifier: Self.firstDose + serial)
        submit(.request(request))
      } else {
        views.act([.commit, .commit, .commit, .void, .relabel, .tare].randomElement(using: &world.random) ?? .commit)
      }
      step()
      attend(run)
    }
  }

  /// The disk fails in one way for some time.
  private func failDisk() {
    var faults = simulated_disk_faults()
    switch world.random.next() % 5 {
    case 0: faults.disturbances = 200
    case 1: faults.failed_syncs = 3
    case 2: faults.is_full = true
    case 3: faults.is_read_only = true
    default: faults.disturbances = 20
    }
    world.note("\(name): \(faults)")
    simulated_disk_set_faults(disk, faults)
    world.after(world.milliseconds(100...8000)) { [self] in simulated_disk_set_faults(disk, simulated_disk_faults()) }
  }

  /// Ends its use and the faults of its disk.
  func rest() {
    isAttended = false
    simulated_disk_set_faults(disk, simulated_disk_faults())
    simulated_disk_stop_after(disk, 0)
  }

  // MARK: Steps

  private func handle(_ input: ScaleMachine.Input) {
    var effects: [Effect] = []
    program?.scale.handle(input, at: world.now, into: &effects)
    effects.forEach(process)
    if let fault = program?.scale.brokenInvariant { world.violation("\(name): \(fault)") }
  }

  /// A front end passes on what somebody asks for.
  private func submit(_ input: ScaleMachine.Input) {
    if case .request(let request) = input { program?.pending.insert(request.identifier) }
    handle(input)
    step()
  }

  private func process(_ effect: Effect) {
    guard let program else { return }
    if let request = JournalRequest(effect, at: world.now + offset) { program.requests.append(request) }
    switch effect {
    // No front end has asked for a dose.
    case .result(let result) where result.request.identifier > Self.firstDose:
      program.pending.remove(result.request.identifier)
      return
    case .result(let result): answer(result)
    case .event(let event) where event.isJournalIncident:
      var messages: [Message] = []
      program.composer.messages(for: effect, into: &messages)
      program.requests += messages.map { .announce($0) }
    case .lastWeighing(let record, let isHistorical, _):
      publish(program.composer.lastWeighing(record, historical: isHistorical))
    case .output(let change, _): publish(plug.message(change))
    default: break
    }
    views.handle(effect)
  }

  /// Somebody is told the outcome.
  private func answer(_ result: ActionResult) {
    guard program?.pending.remove(result.request.identifier) != nil else {
      return world.violation("\(name): a second answer to \(result.request.identifier)")
    }
    if result.rejection == nil, let record = result.weighing {
      world.count(.record, of: name)
      world.note("\(name) answers #\(record.sequence) \(record.kind)")
      confirmed.append(record)
    }
  }

  /// Performs what is due, and schedules the next step.
  private func step() {
    guard let program else { return }
    var effects: [Effect] = []
    program.scale.advance(to: world.now, into: &effects)
    effects.forEach(process)
    while self.program === program, world.now >= hungUntil, !program.requests.isEmpty || program.journalDue <= world.now
    {
      let requests = program.requests
      program.requests = []
      program.journalDue = max(
        program.journal.step(requests, at: world.moment(offset: offset)).next, world.now + .milliseconds(1))
      let outputs = outputs
      self.outputs = []
      outputs.forEach(process)
      if simulated_disk_is_stopped(disk) { return crash() }
    }
    schedule(program)
    program.link.step()
  }

  private func schedule(_ program: Program) {
    let run = run
    let deadlines = [program.scale.nextDeadline, max(program.journalDue, hungUntil)].compactMap(\.self)
    guard let next = deadlines.min().map({ max($0, world.now + .milliseconds(1)) }) else { return }
    if let wake, wake <= next { return }
    wake = next
    world.after(next - world.now) { [self] in
      guard self.run == run, wake == next else { return }
      wake = nil
      step()
    }
  }

  private func process(_ output: JournalOutput) {
    guard let program else { return }
    switch output {
    case .outcome(let outcome): handle(.recorded(outcome))
    case .standing(let weighings): handle(.history(weighings))
    case .memory(let memory): handle(.restore(memory))
    case .containers(let containers): handle(.restoreContainers(containers))
    case .stops(let stops): handle(.restoreStops(stops))
    case .incident(.loss(let loss)): handle(.journalLost(from: loss.from, to: loss.to))
    case .incident(.recovery(let recovery)): handle(.journalRecovered(recovery.id, sequence: recovery.sequence))
    case .health(let journal, let outbox, let sequence):
      (program.health.journal, program.health.outbox, program.health.journalSequence) = (journal, outbox, sequence)
      self.outbox = outbox
      assigned = max(assigned, sequence ?? 0)
      publishHealth()
    case .sequenceCompared:
      program.holdsHealth = false
      program.link.unsubscribe(topics(.health))
      publishHealth()
    case .resent(let answer):
      world.count(.answer, of: name)
      program.resends -= 1
      if !answer.result.missing.isEmpty { world.count(.skipMissing, of: name) }
      if !answer.result.rejected.isEmpty { world.count(.skipParked, of: name) }
      publish(program.composer.answer(answer.result, to: answer.caller))
      // The connection may end while the answer is on its way, too.
      let connection = program.link.connection
      world.after(world.milliseconds(0...10)) { [self] in
        if let connection, self.program?.link.connection === connection, world.occurs(.lostConnection) {
          loseConnection()
        }
      }
    case .last(let record): publish(program.composer.lastWeighing(record, historical: true))
    case .recent(let entries): views.addHistory(entries)
    case .clock: break
    }
  }

  private func publishHealth() {
    guard let program, !program.holdsHealth else { return }
    world.count(.publishHealth, of: name)
    publish(program.composer.health(program.health, at: world.now))
  }

  // MARK: Link

  private func publish(_ message: Message) {
    if message.delivery == .retained { retained[message.topic] = message.payload }
    program?.link.publish(message)
  }

  /// The connection ends.
  func loseConnection() {
    if let link = program?.link, let connection = link.connection { link.lose(connection) }
  }

  private func handle(_ event: LinkEvent) {
    guard let program else { return }
    if let request = JournalRequest(event, health: topics(.health)) { program.requests.append(request) }
    switch event {
    case .connected(let broker, _, let version, _):
      world.note("\(name) is connected to \(broker) with \(version)")
      world.count(.connect, of: name)
      plug.connected()
      handle(.connection(isConnected: true))
    case .disconnected(_, let reason):
      world.note("\(name) loses its connection: \(reason)")
      world.count(program.link.backlog > 0 ? .loseConnectionWithAnswer : .loseConnection, of: name)
      handle(.connection(isConnected: false))
    case .acknowledged(let token, let reason):
      if reason.isSuccess, Self.isOfOutbox(token) { world.count(.delivered, of: name) }
    case .message(let message):
      if let command = Command(message, topics: topics), case .success(.resend(let range, let source)) = command.order {
        world.count(.beginRequest, of: name)
        program.resends += 1
        let request = ResendRequest(range: range, source: source, caller: command.caller, expiry: nil)
        program.requests.append(.resend(request))
      }
    case .refused(let broker, let reason): world.note("\(name) is refused by \(broker): \(reason)")
    case .dropped, .urgent, .subscribed: break
    }
    step()
  }

  /// The broker has accepted or rejected a message.
  private func note(_ reason: ReasonCode, of token: UInt64) {
    guard Self.isOfOutbox(token) else { return }
    if reason == .success {
      accepted.insert(Int(token))
    } else {
      world.count(.refuseRecord, of: name)
      refused.insert(Int(token))
    }
  }

  private static func isOfOutbox(_ token: UInt64) -> Bool { token < ResendDelivery.tokens.lowerBound }

  private func step(of token: UInt64) -> Step? {
    if Self.isOfOutbox(token) { return refused.contains(Int(token)) ? .sendDue : .sendWaiting }
    return ResendDelivery.tokens.contains(token) ? .resend : nil
  }

  // MARK: Checks

  /// Compares the journal with what was answered, and the collector with the journal.
  func check(against collector: SimulatedCollector) {
    if plug.isOn { world.violation("\(name): the plug is on") }
    if world.chance(2) {
      simulated_disk_stop(disk)
      program = nil
      simulated_disk_restart(disk, SIMULATED_DISK_POWER_CUT)
    } else {
      program?.journal.finish(at: world.moment(offset: offset))
      program = nil
    }
    do {
      let time = world.now + offset
      let journal = Journal(
        .file(Self.path(on: disk)), identifiers: .derived, clock: { time }, logger: World.quiet)
      let verification = try journal.verify()
      for fault in verification.faults { world.violation("\(name): the journal does not verify: \(fault)") }
      var lost = RangeSet<Int>()
      for loss in verification.losses { lost.insert(contentsOf: loss.from..<loss.to + 1) }
      if let last = lost.ranges.last, last.upperBound > mostLost + 1 { world.violation("\(name): \(lost) are lost") }
      let entries = try journal.history(since: nil)
      let records = entries.map(\.record)
      let known = Dictionary(grouping: records, by: \.id)
      if known.values.contains(where: { $0.count > 1 }) { world.violation("\(name): an identifier twice") }
      for record in confirmed where known[record.id]?.first != record && !lost.contains(record.sequence) {
        world.violation("\(name): #\(record.sequence) was answered and is not recorded")
      }
      let reversals = try journal.audit().compactMap(\.entry.recovery?.reversal)
      let answered = Set(confirmed.map(\.id) + reversals)
      let standing = entries.filter { $0.isStanding && !answered.contains($0.record.id) }
      if standing.count > unanswered {
        world.violation("\(name): \(standing.count) weighings stand that were not answered, of \(unanswered) requests")
      }
      var numbers = lost
      for record in records {
        if !numbers.contains(record.sequence) {
          numbers.insert(contentsOf: record.sequence..<record.sequence + 1)
          continue
        }
        world.violation("\(name): #\(record.sequence) twice, or lost and there")
      }
      if numbers.ranges.count > 1 || numbers.ranges.first?.lowerBound ?? 1 != 1 {
        world.violation("\(name): a gap in \(numbers)")
      }
      for (topic, payload) in retained.sorted(by: { $0.key < $1.key })
      where world.broker.retainedPayload(topic) ?? [] != payload {
        world.violation("\(name): the broker retains something else on \(topic)")
      }
      views.check(entries, lost: lost)
      let stored = collector.records[name] ?? [:]
      for record in records where stored[record.id]?.sequence != record.sequence {
        world.violation("\(name): #\(record.sequence) is not in the store")
      }
      for record in records where !accepted.contains(record.sequence) {
        world.violation("\(name): no broker has accepted #\(record.sequence)")
      }
      for (id, record) in stored.sorted(by: { $0.value.sequence < $1.value.sequence })
      where known[id] == nil && !lost.contains(record.sequence) {
        world.violation("\(name): the store has #\(record.sequence), the journal does not")
      }
      if !collector.lost(of: name).isSubset(of: lost) {
        world.violation("\(name): the collector gave up \(collector.lost(of: name))")
      }
    } catch {
      world.violation("\(name): \(error)")
    }
  }

  private static let pad = PadDescription(
    name: "pad",
    axes: [
      .slot: AxisRange(minimum: 0, maximum: 4), .trackingID: AxisRange(minimum: 0, maximum: 65535),
      .multitouchX: AxisRange(minimum: 0, maximum: 1000), .multitouchY: AxisRange(minimum: 0, maximum: 500),
      .multitouchPressure: AxisRange(minimum: 0, maximum: 1000, resolution: 2),
    ],
    keys: [.touch, .toolFinger])
}
