/// Performs, rejects and answers requests, and keeps the quick actions that a request can name.
struct RequestProcessor: Sendable {
  private var pending = RequestQueue()
  private var quickActions: QuickActionList
  /// The weighing that was recalled last.
  private var recalled: RecalledWeighing?

  /// Makes a processor without requests.
  init(_ settings: ScaleSettings) { quickActions = QuickActionList(settings.quickActions) }

  /// The first broken invariant of the queue; `nil` if all hold.
  var brokenInvariant: String? { pending.brokenInvariant }

  /// Whether no request waits.
  var isEmpty: Bool { @inline(__always) get { pending.isEmpty } }

  /// Whether no request waits and no record is in flight.
  var isIdle: Bool { pending.isIdle }

  /// When the first request has to be decided even if nothing happens before.
  func nextDeadline(_ presence: PadPresence) -> Instant? { pending.nextDeadline(presence) }

  /// Gives all requests time until a new deadline.
  mutating func extendDeadlines(to deadline: Instant) { pending.extendDeadlines(to: deadline) }

  /// Rejects the doses that wait.
  mutating func rejectDoses(_ weigher: Weigher, at now: Instant, _ effects: inout [Effect]) {
    for dose in pending.removeDoses() { reject(dose, .unstable, weigher, at: now, &effects) }
  }

  // MARK: Requests

  /// Lets voids and relabels from the pad and its buttons refer to a weighing, for some time.
  mutating func recall(_ weighing: RecordedWeighing, _ weigher: Weigher, at now: Instant, _ effects: inout [Effect]) {
    recalled = RecalledWeighing(id: weighing.id, at: now)
    effects.append(weigher.event(.recalled(weighing), at: now))
  }

  /// Accepts a request, which waits until `answer` is called.
  mutating func submit(
    _ request: ActionRequest, press: FiredPress? = nil, to weigher: Weigher, at now: Instant, _ effects: inout [Effect]
  ) {
    do throws(ActionArgumentError) {
      guard let resolved = try quickActions.resolve(request) else {
        let detail = RejectionDetail.unknownAction(request.name, known: quickActions.names)
        return reject(request, .unknownAction, detail: detail, weigher, at: now, &effects)
      }
      var request = request
      if resolved.action == .void || resolved.action == .relabel, let recalled {
        request.reference = recalled.reference(of: request, at: press?.since ?? now)
      }
      pending.append(
        QueuedRequest(
          request: request, action: resolved.action, label: resolved.label, parameters: resolved.parameters,
          target: resolved.target, press: press, deadline: now + weigher.settings.confirm.settle))
      if resolved.action == .dose, resolved.parameters == .none { rejectDoses(weigher, at: now, &effects) }
    } catch {
      reject(request, .badPayload, detail: .parameter(error), weigher, at: now, &effects)
    }
  }

  /// Answers every request that can be answered now, in the order of arrival.
  ///
  /// - Parameter isForceAdded: Whether a press of added force is past the threshold, so that the load is not known.
  mutating func answer(
    with weigher: inout Weigher, presence: PadPresence, isForceAdded: Bool, at now: Instant, _ effects: inout [Effect]
  ) {
    pending.checkLatches(weigher.requestConditions(presence, isForceAdded: isForceAdded, at: now))
    while let decision = pending.rejectDose(weigher.rejection(of:))
      ?? pending.next(weigher.requestConditions(presence, isForceAdded: isForceAdded, at: now))
    {
      switch decision {
      case .perform(let request): perform(request, with: &weigher, isForceAdded: isForceAdded, at: now, &effects)
      case .reject(let entry, let rejection): reject(entry, rejection, weigher, at: now, &effects)
      }
    }
  }

  private mutating func perform(
    _ entry: QueuedRequest, with weigher: inout Weigher, isForceAdded: Bool, at now: Instant, _ effects: inout [Effect]
  ) {
    let latched = entry.latch(tareEpoch: weigher.tareEpoch)
    do throws(Rejection) {
      // Before the action: a rejected request changes nothing.
      if let target = entry.target { try weigher.checkTarget(target) }
      switch entry.action {
      case .tare: try weigher.tare(entry.parameters, load: latched?.gross, at: now, &effects)
      case .clearTare: weigher.clearTare(at: now, &effects)
      case .zero: weigher.zero(at: now, &effects)
      case .timer: try weigher.runTimer(entry.parameters, at: now, &effects)
      case .target: try weigher.setTarget(entry.parameters, label: entry.label, at: now, &effects)
      case .count: try weigher.setCounter(entry.parameters)
      case .dose: try weigher.runDose(entry.parameters, label: entry.label, at: now, &effects)
      case .container: try weigher.changeContainer(entry.parameters, load: latched?.gross, at: now, &effects)
      case .commit, .void, .relabel: return record(entry, with: &weigher, at: now, &effects)
      }
      if let target = entry.target {
        // The target is compared with the net after the action.
        weigher.recompose(isForceAdded: isForceAdded, at: now)
        try weigher.setTarget(.target(target), label: entry.label, at: now, &effects)
      }
    } catch {
      return reject(entry, error, weigher, at: now, &effects)
    }
    weigher.recompose(isForceAdded: isForceAdded, at: now)
    effects.append(.result(ActionResult(request: entry.request, rejection: nil, time: now, reading: weigher.reading)))
  }

  private func reject(
    _ entry: QueuedRequest, _ rejection: Rejection, _ weigher: Weigher, at now: Instant, _ effects: inout [Effect]
  ) {
    let detail = weigher.detail(of: rejection, entry.request, entry)
    reject(entry.request, rejection, detail: detail, weigher, at: now, &effects)
  }

  /// Rejects the action of a press that was confirmed, and fires nothing.
  func reject(
    _ request: ActionRequest, _ failure: PressFailure, _ weigher: Weigher, at now: Instant, _ effects: inout [Effect]
  ) {
    reject(request, failure.reason, detail: failure.detail, weigher, at: now, &effects)
  }

  private func reject(
    _ request: ActionRequest, _ rejection: Rejection, detail known: RejectionDetail? = nil, _ weigher: Weigher,
    at now: Instant, _ effects: inout [Effect]
  ) {
    let detail = known ?? weigher.detail(of: rejection, request)
    effects.append(weigher.event(.rejected(request.name, rejection, detail), at: now))
    effects.append(
      .result(
        ActionResult(request: request, rejection: rejection, detail: detail, time: now, reading: weigher.reading)))
  }

  // MARK: Records

  /// Passes a record to the journal, whose answer is an input; only then is there a weighing.
  private mutating func record(
    _ entry: QueuedRequest, with weigher: inout Weigher, at now: Instant, _ effects: inout [Effect]
  ) {
    guard pending.hasRoomForRecord else {
      let detail = RejectionDetail.recordsWaiting(maximum: RequestQueue.maximumRecordsInFlight)
      return reject(entry.request, .journalUnavailable, detail: detail, weigher, at: now, &effects)
    }
    guard let kind = entry.recordKind(weigher.reading, tareEpoch: weigher.tareEpoch) else {
      return reject(entry, .unstable, weigher, at: now, &effects)
    }
    pending.beginRecord()
    let label = entry.label.flatMap { $0.isEmpty ? nil : $0 }
    var draft = WeighingDraft(request: entry.request, kind: kind, label: label, time: now)
    if entry.action == .commit, entry.label == nil, let scanned = weigher.instruments.takeLabel() {
      (draft.label, draft.labelExpiry) = (scanned.text, scanned.expiry)
    }
    effects.append(.record(draft))
  }

  /// Answers the request whose record the journal has written or rejected; a scanned label of a rejected one waits again.
  mutating func complete(
    _ outcome: RecordOutcome, with weigher: inout Weigher, at now: Instant, _ effects: inout [Effect]
  ) {
    pending.endRecord()
    switch outcome.result {
    case .success(let record):
      effects.append(.weighing(record, at: now))
      effects.append(.lastWeighing(outcome.last, isHistorical: record.kind != .weighing, at: now))
      let sequence = outcome.subject
      if let voided = record.voids { effects.append(weigher.event(.voided(voided, sequence: sequence), at: now)) }
      if let amended = record.amends {
        effects.append(weigher.event(.relabelled(amended, record.label, sequence: sequence), at: now))
      }
      effects.append(
        .result(
          ActionResult(
            request: outcome.draft.request, rejection: nil, time: now, reading: weigher.reading, weighing: record)))
    case .failure(let rejection):
      if let label = outcome.draft.label, let expiry = outcome.draft.labelExpiry, weigher.instruments.label == nil {
        weigher.instruments.hold(PendingLabel(text: label, expiry: expiry))
      }
      reject(outcome.draft.request, rejection, weigher, at: now, &effects)
    }
  }

  // MARK: Quick actions

  /// Replaces the quick actions; `nil` restores those of the configuration.
  mutating func replaceActions(
    _ list: [QuickAction]?, _ request: ActionRequest, _ weigher: Weigher, at now: Instant, _ effects: inout [Effect]
  ) {
    if let expiry = request.expiry, expiry <= now { return reject(request, .expired, weigher, at: now, &effects) }
    replaceActions(list ?? weigher.settings.quickActions, at: now, &effects)
    effects.append(.result(ActionResult(request: request, rejection: nil, time: now, reading: weigher.reading)))
  }

  /// Replaces the quick actions by those of a changed configuration.
  mutating func replaceActions(_ list: [QuickAction], at now: Instant, _ effects: inout [Effect]) {
    quickActions.replace(with: list)
    effects.append(.actions(list, at: now))
  }
}
