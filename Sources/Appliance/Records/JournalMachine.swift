import Journal
import Languages
import Linux
import Logging
import MQTTLink
import Messages
import Weighing

/// The work of the journal's thread, a step at a time; it may block on the disk.
///
/// ```
///   requests ─► journal, outbox, incidents, comparison ──► onOutput (must not wait)
///   time ────►  checkpoint, retries                   └──► send (weighings and reports of incidents, QoS 1)
/// ```
struct JournalMachine: ~Copyable {
  private enum Report: CaseIterable {
    /// The newest records, for the page.
    case recent
    /// The weighings for the zone `history`, if there is one.
    case standing
    /// The last weighing, once it is known to be on disk.
    case last
  }

  /// Interval between attempts to use the journal after a disk failure.
  private static let retryInterval = Interval.seconds(1)
  /// Interval between steps that only look at the synchronisation of the clock.
  private static let clockInterval = Interval.seconds(60)

  private let journal: Journal
  private let location: JournalLocation
  private let logger: Logger
  private let device: String
  /// The `device.id` under which the journal was made; `nil` until it was read.
  private var firstDevice: String?
  private let onOutput: @Sendable (JournalOutput) -> Void
  private var outbox: OutboxDelivery
  private var resend: ResendDelivery
  /// The rate of the outbox and of records that are sent again.
  private var rate = SendRate()
  private var errors: JournalErrors
  private var scale = ScaleStateStore()
  private var containers = NamedStore<Container>()
  private var stops = NamedStore<LearnedStop>()
  private var incidents: IncidentReport
  private var comparison = SequenceComparison()
  private var checkpoint = CheckpointSchedule()
  private var status: JournalStatus
  private var clock: ClockState?
  /// Whether what the last run left was output.
  private var isRestored = false
  /// What is to be output once it can be read.
  private var due: Set<Report> = []
  /// The number of weighings that the zone `history` reaches; `nil` without one.
  private var historyDepth: Int?

  init(
    _ journal: Journal, _ location: JournalLocation, topics: Topics, logger: Logger,
    send: @escaping @Sendable (Message, UInt64) -> Admission, onOutput: @escaping @Sendable (JournalOutput) -> Void
  ) {
    (self.journal, self.location) = (journal, location)
    device = topics.id
    (self.logger, self.onOutput) = (logger, onOutput)
    outbox = OutboxDelivery(journal: journal, topics: topics, logger: logger, send: send)
    resend = ResendDelivery(journal: journal, topics: topics, send: send)
    errors = JournalErrors(logger: logger)
    incidents = IncidentReport(path: location.text, logger: logger, send: send)
    status = JournalStatus(path: location.text)
  }

  /// Performs requests and what is due; returns when to call it again if there are none before, but not sooner than `pause` after
  /// it has returned: a failing disk may have taken its time.
  mutating func step(_ requests: [JournalRequest], at moment: Moment) -> (next: Instant, pause: Interval) {
    let now = moment.now
    if !isRestored { restore() }
    report()
    for request in requests { perform(request, at: moment) }
    // On a full disk, the state may still find room where a record does not.
    if isRestored, !errors.isWritingFailed || journal.hasRoom {
      scale.store(in: journal, &errors)
      containers.store(in: journal, &errors)
      stops.store(in: journal, &errors)
    }
    if !requests.isEmpty { checkpoint.journalChanged(at: now) }
    checkpoint.work(on: journal, at: now)
    if journal.resetReplacement() {
      outbox.restart()
      scale.repeatStore()
      containers.repeatStore(at: moment.wall)
      stops.repeatStore(at: moment.wall)
      firstDevice = nil
      report(.recent, .standing)
    }
    checkDevice()
    var next: Instant?
    // What is in the journal of another instance is delivered by that.
    if !errors.isInUse {
      errors.read { () throws(JournalError) in
        next = try outbox.work(at: moment, within: &rate)
        if outbox.isSent { next = [next, try resend.work(at: now, within: &rate)].compactMap(\.self).min() }
      }
    }
    reportChanges(at: moment)
    // Only a write shows that the disk can be written again.
    if errors.isWritingFailed { scale.repeatStore() }
    let isWaiting = scale.isPending || containers.isPending || stops.isPending
    let isFailing = !isRestored || !due.isEmpty || errors.isFailed || isWaiting
    if isFailing { next = now + Self.retryInterval }
    let deadlines = [next, checkpoint.nextDeadline, comparison.nextDeadline].compactMap(\.self)
    return (deadlines.reduce(now + Self.clockInterval, min), isFailing ? Self.retryInterval : .zero)
  }

  /// Stores what waits and closes the journal.
  mutating func finish(at moment: Moment) {
    scale.finish(in: journal, &errors)
    errors.read { () throws(JournalError) in try outbox.finish(at: moment.wall) }
    journal.close()
  }

  /// Opens the journal and outputs what the last run left; if this fails, `step` tries again.
  mutating func open() {
    journal.recordExclusively()
    restore()
  }

  private mutating func restore() {
    isRestored = errors.write { () throws(JournalError) in
      try journal.open()
      if let memory = try scale.restore(from: journal, logger: logger) { onOutput(.memory(memory)) }
      let containers = try containers.restore(from: journal)
      if !containers.isEmpty { onOutput(.containers(containers)) }
      let stops = try stops.restore(from: journal)
      if !stops.isEmpty { onOutput(.stops(stops)) }
      logger.debug("journal opened", metadata: ["journal.path": "\(location.text)"])
    }
    if isRestored { report(.recent, .last) }
  }

  /// Warns of a journal that was made under another `device.id`, such as that of a copied card.
  private mutating func checkDevice() {
    guard firstDevice == nil else { return }
    var found: String?
    errors.write { () throws(JournalError) in found = try journal.firstDevice(device) }
    guard let found else { return }
    firstDevice = found
    guard found != device else { return status.setWarning(nil) }
    let warning = Sentence(.journalOtherDevice, ["device": printable(found, limit: 64)])
    status.setWarning(warning)
    logger.warning("the journal is that of another device", metadata: ["journal.reason": "\(warning)"])
  }

  private mutating func perform(_ request: JournalRequest, at moment: Moment) {
    switch request {
    case .record(let draft): record(draft, at: moment)
    case .remember(let memory): scale.replace(by: memory)
    case .changeContainer(let name, let tare, let time):
      containers.append(name, tare.map { Container(name: name, tare: $0) }, at: time)
    case .changeStop(let stop, let time): stops.append(stop.label, stop.samples.isEmpty ? nil : stop, at: time)
    case .audit(let entry, let time):
      errors.write { () throws(JournalError) in try journal.append(entry, at: time) }
    case .begin(let context, let time):
      errors.write { () throws(JournalError) in
        try journal.begin(
          configurationHash: context.configurationHash, calibrationHash: context.calibrationHash, at: time)
      }
      if context.historyDepth != historyDepth {
        historyDepth = context.historyDepth
        report(.standing)
      }
    case .connected(let broker, let limits):
      errors.read { () throws(JournalError) in try outbox.connect(to: broker, limits, at: moment.now) }
      comparison.connect(at: moment.now)
      incidents.connect()
    case .disconnected(let fault):
      outbox.disconnect(because: fault)
      resend.disconnect()
      comparison.disconnect()
      incidents.disconnect()
    case .subscribed: comparison.subscribe(at: moment.now)
    case .retainedSequence(let seen):
      status.setSequence(comparison.compare(journal, with: seen, at: moment.wall, &errors, logger: logger))
    case .acknowledged(let token, let reason):
      if token >= IncidentReport.firstToken {
        incidents.acknowledge(token, reason)
      } else if ResendDelivery.tokens.contains(token) {
        resend.acknowledge(token, reason)
      } else {
        outbox.acknowledge(Int(token), reason)
      }
    case .announce(let message): incidents.announce(message)
    case .resend(let request): resend.append(request, at: moment.now)
    }
  }

  /// Records a draft and reports the outcome.
  private mutating func record(_ draft: WeighingDraft, at moment: Moment) {
    let (outcome, fault) = journal.outcome(of: draft, at: draft.time + (moment.wall - moment.now), clock: moment.clock)
    errors.write { () throws(JournalError) in if let fault { throw fault } }
    onOutput(.outcome(outcome))
    if let record = try? outcome.result.get() {
      outbox.append(record.sequence)
      due.remove(.last)
      report(.standing)
    }
  }

  /// Outputs these and what is due; what cannot be read stays due.
  private mutating func report(_ reports: Report...) {
    due.formUnion(reports)
    for report in Report.allCases where due.contains(report) {
      let isRead = errors.read { () throws(JournalError) in
        switch report {
        case .recent: onOutput(.recent(try journal.newest(RecentWeighings.capacity)))
        case .standing: if let historyDepth { onOutput(.standing(try journal.standing(historyDepth))) }
        case .last:
          let standing = try journal.lastStanding()
          // An empty journal does not show what a broker retains, nor does one that was just begun in place of a damaged one.
          if try journal.last() != nil { onOutput(.last(standing)) }
        }
      }
      if isRead { due.remove(report) }
    }
  }

  /// Reports what has changed.
  private mutating func reportChanges(at moment: Moment) {
    if comparison.isOver(at: moment.now) { onOutput(.sequenceCompared) }
    var recovered: [Int] = []
    incidents.work(journal, &errors) { incident in
      onOutput(.incident(incident))
      if case .recovery(let recovery) = incident { recovered.append(recovery.sequence) }
    }
    // Delivered and shown, with those that reverse them.
    recovered.forEach { outbox.append($0) }
    if !recovered.isEmpty { report(.recent, .standing, .last) }
    for answer in resend.removeAnswers() { onOutput(.resent(answer)) }
    status.setSequence(journal.sequence)
    if let report = status.change(errors.current, outbox) {
      onOutput(.health(report.journal, report.outbox, sequence: report.sequence))
    }
    if clock != moment.clock {
      clock = moment.clock
      onOutput(.clock(moment.clock))
    }
  }
}
