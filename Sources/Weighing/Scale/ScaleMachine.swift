/// The scale: frames, requests and time go in, effects come out.
///
/// ```
///              pad lost                    ┌───────────────┐   no press
///   ┌─────────┐◄──────── any state         │   pressing    │◄──────► empty, settling, stable
///   │ offline │                            └───────────────┘   a press
///   └─────────┘────┐ pad found
///                  ▼     a contact                rests for time_ms
///              ┌───────┐ ───────────────► ┌──────────┐ ──────────► ┌────────┐
///              │ empty │                  │ settling │             │ stable │
///              └───────┘ ◄─────────────── └──────────┘ ◄────────── └────────┘
///                  ▲      released (any)      ▲   │       moves        │
///                  │                          │   ▼                    ▼
///                  └────────────────────── ┌───────────────────────────────┐  any axis at its maximum, or the
///                                          │           overload            │  gross at or past the capacity
///                                          └───────────────────────────────┘
/// ```
///
/// The machine is a value without side effects. Every time-based rule is a deadline: `nextDeadline` says when the
/// machine has to be called again. A call that is earlier, later or more frequent only changes when effects are seen.
///
/// A frame allocates nothing once every buffer has grown: pass the same array of effects each time, emptied with its
/// capacity kept, and release the effects of one frame before the next. Keeping them is safe and costs a buffer.
public struct ScaleMachine: Sendable {
  private(set) var weigher: Weigher
  private(set) var presses = PressTracker()
  private(set) var requests: RequestProcessor
  /// Guards its own state.
  var pairing = Pairing()
  private var publication: ReadingPublication
  private var contacts = ContactReporter()
  private var presence = PadPresence.unknown

  private(set) var now: Instant
  /// When the reading has to be computed although nothing has happened since.
  private var updateDue: Instant?
  /// When the reading has to be computed next; the topic `reading` alone only repeats it, and the flow is computed alone.
  private var updateDeadline: Instant?
  /// When the machine next needs `advance(to:)`; `nil` before its first reading.
  public private(set) var nextDeadline: Instant?

  /// Makes a scale without a pad.
  public init(settings: ScaleSettings, at time: Instant) {
    weigher = Weigher(settings: settings, at: time)
    publication = ReadingPublication(settings, weigher.reading)
    requests = RequestProcessor(settings)
    now = time
  }

  /// The settings of the configuration.
  public var settings: ScaleSettings { weigher.settings }
  /// The current reading.
  public var reading: Reading { weigher.reading }
  /// The number of tare and zero changes.
  public var tareEpoch: Int { weigher.tareEpoch }
  /// The origin of the calibration; `nil` without a pad.
  public var calibration: Calibration.Origin? { weigher.pad?.calibration.origin }
  /// How the pad samples the load, as measured; `nil` without a pad.
  public var sampling: PadSampling? { weigher.sampling }
  /// The axis value under the learned plate alone; `nil` without one. For measurements of zero.
  package var plateCounts: Double? { weigher.plateCounts }
  /// The number of pours, and the start and the end of the last one, back-dated. For measurements of the flow.
  package var pours: (count: Int, began: Instant, ended: Instant?) {
    (meter.pour.count, meter.pour.began, meter.pour.ended)
  }
  /// The pad; `nil` while none is connected.
  var pad: ConnectedPad? { weigher.pad }
  var meter: LoadMeter { weigher.meter }

  // MARK: Inputs and time

  /// Processes an input at a moment; appends the effects to perform.
  ///
  /// A time before that of an earlier input counts as the time of that input.
  public mutating func handle(_ input: Input, at time: Instant, into effects: inout [Effect]) {
    defer { assertInvariants() }
    // What is due at the very moment of the input follows it: a reading of t includes the frame of t.
    advance(to: Instant(nanoseconds: time.nanoseconds - 1), into: &effects)
    now = max(time, now)
    switch input {
    case .frame(let frame): weigh(frame, &effects)
    case .padFound(let description):
      attach(description, &effects)
      return schedule()
    case .padLost(let reason): detach(.reported(reason), &effects)
    case .request(let request):
      requests.submit(request, to: weigher, at: now, &effects)
      update(&effects)
    case .button(let change):
      presses.pairing = pairing.request(forPressAt: now)
      presses.observe(change, weigher.pressContext(at: now))
      processOutcomes(&effects)
      update(&effects)
    case .scanned(let code): scan(code, &effects)
    case .replaceActions(let list, let request): requests.replaceActions(list, request, weigher, at: now, &effects)
    case .recorded(let outcome):
      requests.complete(outcome, with: &weigher, at: now, &effects)
      updateLabel(&effects)
    case .restore(let memory):
      weigher.restore(memory, at: now, &effects)
      if presence != .unknown { update(&effects) }
    case .restoreContainers(let containers): weigher.restoreContainers(containers, at: now, &effects)
    case .restoreStops(let stops): weigher.restoreStops(stops, at: now, &effects)
    case .connection(let isConnected):
      weigher.setConnection(isConnected, at: now, &effects)
      if presence != .unknown { update(&effects) }
    case .outputRefused(let name):
      weigher.refuse(name, at: now, &effects)
      if presence != .unknown { update(&effects) }
    case .history(let weighings): presses.setWeighings(weighings)
    case .settings(let settings): configure(settings, &effects)
    case .journalLost(let from, let to): effects.append(weigher.event(.journalLoss(from: from, to: to), at: now))
    case .journalRecovered(let id, let sequence):
      effects.append(weigher.event(.journalRecovered(id, sequence: sequence), at: now))
    case .pairing(let input): pair(input, &effects)
    case .shutdown:
      weigher.endDose(.shutdown, at: now, &effects)
      if presses.isControlled { cancelPresses(.reconfigured, &effects) }
    case .refresh:
      publication.refresh()
      // Before the pad and the state of the last run are known there is no reading to publish.
      if presence != .unknown { update(&effects) }
    }
    schedule()
    if let nextDeadline, nextDeadline <= time { advance(to: time, into: &effects) }
  }

  /// Advances the time; appends the effects that are due.
  public mutating func advance(to time: Instant, into effects: inout [Effect]) {
    defer { assertInvariants() }
    while let due = nextDeadline, due <= time {
      now = max(due, now)
      weigher.advanceFilter(to: now)
      if let updateDeadline, updateDeadline <= now {
        update(&effects)
      } else {
        publishUnmeasured(&effects)
      }
      schedule()
    }
    now = max(time, now)
  }

  /// Measures nothing, so that the deadlines of one topic do not change what the others publish.
  private mutating func publishUnmeasured(_ effects: inout [Effect]) {
    var isChanged = weigher.advanceInstruments(to: now, &effects)
    if weigher.dosing.isInUse, weigher.observeStops(isForceAdded: presses.distortsLoad, at: now, &effects) {
      isChanged = true
    }
    if isChanged {
      weigher.dateReading(at: now)
      publishReading(&effects)
    } else if let deadline = publication.readingDeadline, deadline <= now {
      weigher.dateReading(at: now)
      publication.publishDelayed(weigher.reading, at: now, &effects)
    }
  }

  /// Computes `nextDeadline` after a change. The passing of time alone does not change it before it is due.
  mutating func schedule() {
    var earliest = EarliestInstant()
    earliest.include(publication.liveDeadline)
    earliest.include(weigher.nextDeadline(after: now))
    if !requests.isEmpty { earliest.include(requests.nextDeadline(presence)) }
    if !presses.isQuiet { earliest.include(pressDeadline) }
    earliest.include(updateDue)
    earliest.include(pairing.deadline)
    if weigher.dosing.isInUse { earliest.include(weigher.dosing.deadline) }
    updateDeadline = earliest.instant
    earliest.include(publication.readingDeadline)
    earliest.include(weigher.instrumentDeadline)
    nextDeadline = earliest.instant
  }

  /// Whether only heartbeats remain: every change is published, nothing is about to settle or to time out.
  public var isAtRest: Bool {
    requests.isIdle && updateDue == nil && pairing.deadline == nil && weigher.dosing.deadline == nil
      && !weigher.meter.hasPendingDecision
      && !publication.hasUnpublishedChange
      && pressDeadline == nil && weigher.instruments.deadline == nil
      && (weigher.meter.isIdle || reading.isStable || weigher.meter.isSuspect || weigher.meter.isSilent
        || reading.state == .empty || reading.state == .offline)
  }

  // MARK: Pad and settings

  private mutating func attach(_ description: PadDescription, _ effects: inout [Effect]) {
    let axis: LoadAxis
    do throws(UnsuitablePadError) {
      axis = try description.loadAxis(weigher.settings.axis)
    } catch {
      return detach(.unsuitable(error), &effects)
    }
    presence = .seen
    weigher.endDose(.padLost, at: now, &effects)
    if weigher.pad != nil { requests.rejectDoses(weigher, at: now, &effects) }
    weigher.attach(ConnectedPad(description, axis: axis, settings: weigher.settings), at: now, &effects)
    requests.extendDeadlines(to: now + weigher.settings.confirm.settle)
    cancelPresses(.reconfigured, &effects)
    effects.append(weigher.event(.padFound(description.name), at: now))
    weigher.recompose(isForceAdded: presses.distortsLoad, at: now)
    // The reading is due now, but not before a frame of this very moment has shown what is on the pad.
    updateDue = now
  }

  private mutating func detach(_ reason: PadLoss, _ effects: inout [Effect]) {
    if presence == .unknown {
      presence = .expected
      requests.extendDeadlines(to: now + weigher.settings.confirm.settle)
    }
    cancelPresses(.noPad, &effects)
    presses.unblockZones()
    if weigher.pad != nil {
      weigher.detach()
      effects.append(weigher.event(.padLost(reason), at: now))
    }
    update(&effects)
  }

  private mutating func configure(_ new: ScaleSettings, _ effects: inout [Effect]) {
    let old = weigher.settings
    weigher.configure(new, at: now, &effects)
    weigher.configureDoses(after: old, at: now, &effects)
    if new.containers != old.containers { weigher.configureContainers(at: now, &effects) }
    publication.configure(new)
    if let pad = weigher.pad, new.axis != old.axis || new.surface != old.surface { attach(pad.description, &effects) }
    if new.changesPresses(since: old) { cancelPresses(.reconfigured, &effects) }
    if new.quickActions != old.quickActions { requests.replaceActions(new.quickActions, at: now, &effects) }
    if new.curve != old.curve { effects.append(weigher.event(.calibrated, at: now)) }
    effects.append(weigher.event(.reloaded, at: now))
    update(&effects)
  }

  // MARK: Frames and readings

  private mutating func weigh(_ frame: Frame, _ effects: inout [Effect]) {
    guard let pad = weigher.pad else { return }
    if weigher.settings.publish.contacts {
      effects.append(.contacts(contacts.report(frame, on: pad, zones: weigher.settings.zones, at: now)))
    }
    switch weigher.receive(frame, on: pad, at: now) {
    case .held: if weigher.addingLimit == nil { observePresses(frame, on: pad, &effects) }
    case .lost: cancelPresses(.noSignal, &effects)
    case .measured:
      // Before the load is filtered, so that the reading is that before the press.
      observePresses(frame, on: pad, &effects)
      weigher.filterFrame(on: pad, at: now, &effects)
    }
    update(&effects)
  }

  /// Computes the current reading and everything that follows from it.
  private mutating func update(_ effects: inout [Effect]) {
    updateDue = nil
    expirePairing(&effects)
    if weigher.advance(to: now), let pad = weigher.pad, weigher.addingLimit != nil {
      observePresses(Frame(time: now), on: pad, &effects)
    }
    if !presses.isQuiet {
      presses.advance(weigher.pressContext(at: now))
      processOutcomes(&effects)
    }
    weigher.update(isForceAdded: presses.distortsLoad, at: now, &effects)
    if weigher.settings.handlesLoads { handleLoad(&effects) }
    if presses.needsReading(isStable: weigher.reading.isStable, limit: weigher.addingLimit) {
      presses.settle(weigher.pressContext(at: now))
      processOutcomes(&effects)
    }
    if !requests.isEmpty {
      requests.answer(with: &weigher, presence: presence, isForceAdded: presses.distortsLoad, at: now, &effects)
    }
    if weigher.instruments.hasTarget { weigher.observeTarget(at: now, &effects) }
    if weigher.dosing.isInUse { weigher.observeStops(isForceAdded: presses.distortsLoad, at: now, &effects) }
    updateLabel(&effects)
    weigher.checkPad(at: now, &effects)
    publishReading(&effects)
    weigher.store(at: now, &effects)
  }

  /// Publishes the current reading on each topic whose rate allows it.
  @inline(__always)
  private mutating func publishReading(_ effects: inout [Effect]) {
    let topics = publication.offer(ReadingThrottle.Appearance(weigher.reading), at: now)
    if topics.live { effects.append(.live(weigher.reading)) }
    if topics.reading { effects.append(.reading(weigher.reading)) }
  }

  /// Reports another label for the next weighing, which the readings carry from now on.
  private mutating func updateLabel(_ effects: inout [Effect]) {
    guard weigher.instruments.isLabelInUse, weigher.instruments.updateLabel(at: now) else { return }
    effects.append(.pendingLabel(pendingLabel, at: now))
    publication.refresh()
  }

  // MARK: Presses

  /// When a press has to be looked at if no frame arrives before.
  private var pressDeadline: Instant? {
    presses.nextDeadline(weigher.settings.confirm, interval: weigher.settings.publish.liveInterval)
  }

  private mutating func observePresses(_ frame: Frame, on pad: ConnectedPad, _ effects: inout [Effect]) {
    presses.pairing = pairing.request(forPressAt: now)
    if let limit = weigher.addingLimit {
      // A converter has room above the force of a hand: at the end of its range it hangs, or its cell is overloaded.
      if pad.description.deliversEverySample, weigher.meter.isAtEnd {
        return cancelPresses(.overload(capacity: weigher.settings.scale.capacity), &effects)
      }
      let (force, counts) = weigher.addedForce(on: pad, limit: limit)
      presses.observe(force: force, counts: counts, followsGap: frame.followsGap, weigher.pressContext(at: now))
    } else if weigher.fingers.zones > 0 || presses.followsZones || frame.followsGap {
      presses.observe(frame, on: pad, zones: weigher.settings.zones, weigher.pressContext(at: now))
    }
    processOutcomes(&effects)
  }

  private mutating func cancelPresses(_ failure: PressFailure, _ effects: inout [Effect]) {
    presses.cancel(failure, weigher.pressContext(at: now))
    processOutcomes(&effects)
  }

  /// Rejects the action of a press.
  mutating func reject(_ action: String, _ source: ActionSource, _ failure: PressFailure, _ effects: inout [Effect]) {
    requests.reject(ActionRequest(name: action, source: source), failure, weigher, at: now, &effects)
  }

  /// Performs what presses have led to.
  private mutating func processOutcomes(_ effects: inout [Effect]) {
    guard !presses.outcomes.isEmpty else { return }
    for index in presses.outcomes.indices {
      switch presses.outcomes[index] {
      case .report(let report): effects.append(.gesture(report))
      case .control(let report): effects.append(.control(report))
      case .feedback(let feedback):
        let isAsking = feedback == .ended && pairing.pending != nil
        effects.append(.feedback(isAsking ? .asking : feedback, at: now))
      case .recall(let weighing): requests.recall(weighing, weigher, at: now, &effects)
      case .fire(let action, let source, let press):
        if let id = press.pairing {
          pair(id, by: source, &effects)
        } else {
          requests.submit(ActionRequest(name: action, source: source), press: press, to: weigher, at: now, &effects)
        }
      case .fail(let action, let source, let failure): reject(action, source, failure, &effects)
      }
    }
    presses.removeOutcomes()
  }

  // MARK: Codes and loads

  /// The label that waits for the next weighing; `nil` for none.
  package var pendingLabel: String? { weigher.instruments.label?.text }

  /// Lets the label of a code wait for the next weighing. Tare, target and record are requests like those of a button.
  private mutating func scan(_ code: ScannedCode, _ effects: inout [Effect]) {
    let meaning = weigher.scan(code, at: now, &effects)
    for request in meaning.requests { requests.submit(request, to: weigher, at: now, &effects) }
    update(&effects)
    // A request that still waits gets the label.
    guard requests.isEmpty, weigher.isRecordDue(after: meaning) else { return }
    requests.submit(ActionRequest(action: .commit, source: .button), to: weigher, at: now, &effects)
    update(&effects)
  }

  /// Tares a known container and records a load that have just been put on the empty pad.
  private mutating func handleLoad(_ effects: inout [Effect]) {
    weigher.setArrivalLimits()
    weigher.recogniseContainer(isForceAdded: presses.distortsLoad, at: now, &effects)
    if weigher.isRecordDue() {
      requests.submit(ActionRequest(action: .commit, source: .auto), to: weigher, at: now, &effects)
    }
  }
}
