extension ScaleMachine {
  /// A request that is not answered yet.
  struct Waiting: Sendable {
    var request: ActionRequest
    /// What the name stands for.
    var action: Action
    /// The label of the request or of the quick action.
    var label: String?
    /// The press that has fired it; `nil` for a command.
    var press: FiredPress?
    /// Until when it waits for the load to come to rest, or for a pad.
    var until: Instant
  }

  /// Takes a request: does it, refuses it, or lets it wait until the load has come to rest.
  mutating func take(_ request: ActionRequest, press: FiredPress? = nil, _ effects: inout [Effect]) {
    let quick = quickActions.first { $0.type == request.name }
    guard let action = Action(rawValue: request.name) ?? quick?.run else {
      return refuse(request, .unknownAction, &effects)
    }
    waiting.append(
      Waiting(
        request: request, action: action, label: request.label ?? quick?.label, press: press,
        until: now + settings.settleTime))
  }

  /// When a request that waits is to be looked at whatever happens.
  var waitingDeadline: Instant? {
    guard let first = waiting.first else { return nil }
    let until = presence == .unknown && first.action.needsPad ? nil : first.until
    return [until, first.request.expiry].compactMap(\.self).min()
  }

  /// Gives what waits for a pad the time to let the load come to rest on it.
  mutating func restartWaiting() {
    for index in waiting.indices { waiting[index].until = now + settings.settleTime }
  }

  /// Answers every request that can be answered now, in the order in which they came.
  mutating func answerWaiting(_ effects: inout [Effect]) {
    checkLatches()
    while let first = waiting.first {
      switch verdict(on: first) {
      case .wait: return
      case .refuse(let rejection):
        waiting.removeFirst()
        refuse(first.request, rejection, &effects)
      case .act:
        waiting.removeFirst()
        perform(first, &effects)
      }
    }
  }

  private enum Verdict {
    case act
    case wait
    case refuse(Rejection)
  }

  private mutating func verdict(on entry: Waiting) -> Verdict {
    if let expiry = entry.request.expiry, expiry <= now { return .refuse(.expired) }
    switch entry.action {
    case .void: return .act
    case .relabel: return entry.label == nil ? .refuse(.badPayload) : .act
    case .clearTare: return tare == .zero ? .refuse(.noTare) : .act
    case .tare, .zero, .commit: break
    }
    if pad == nil {
      // A press that was let go and only waited for a second one when the pad was unplugged: it is confirmed.
      if entry.action == .commit, let latch = valid(entry.press?.latch), isEnough(latch.reading) { return .act }
      return isPadToCome(until: entry.until) ? .wait : .refuse(.padMissing)
    }
    if reading.isOverloaded { return .refuse(.overload) }
    switch entry.action {
    case .tare:
      guard let gross, gross > .zero else { return .refuse(.empty) }
      if valid(entry.press?.latch) != nil { return .act }
    case .commit:
      if let latch = valid(entry.press?.latch) { return isEnough(latch.reading) ? .act : .refuse(.belowMinimum) }
      guard gross != nil else { return .refuse(.empty) }
      // A record needs the certainty of a stable reading, which takes longer where there is next to nothing.
      if reading.isStable, isCurrent(entry) { return isEnough(reading) ? .act : .refuse(.belowMinimum) }
      return now >= entry.until ? .refuse(.unstable) : .wait
    case .zero:
      if settings.surface == .contacts && filter.isIdle { return .act }
    case .clearTare, .void, .relabel: break
    }
    if isSettled, isCurrent(entry) { return .act }
    return now >= entry.until ? .refuse(.unstable) : .wait
  }

  /// Whether a request waits for a pad: at the start one may still come, one that was unplugged is missing at once.
  private func isPadToCome(until: Instant) -> Bool {
    switch presence {
    case .unknown: true
    case .expected: now < until
    case .seen: false
    }
  }

  /// Whether the load is stable and no press distorts it.
  private var isSettled: Bool {
    !presses.distortsLoad && !rebaselining.isSuspect && stability.isStable(at: now, patience: 1)
  }

  /// Whether the reading is that of the load as it is now: always for a command, and for a press when the newest frame
  /// agrees with it.
  private mutating func isCurrent(_ entry: Waiting) -> Bool { entry.press == nil || frameAgreesWithReading }

  /// The load before a press, unless tare or zero have changed since.
  private func valid(_ latch: Latch?) -> Latch? { latch?.reading.tareEpoch == tareEpoch ? latch : nil }

  /// Whether the net is large enough to be recorded: what was taken out of a tared container counts like what was put in.
  private func isEnough(_ reading: Reading) -> Bool {
    guard let net = reading.net, !reading.isUnderloaded else { return false }
    return net.mass.magnitude >= settings.minimum
  }

  private mutating func perform(_ entry: Waiting, _ effects: inout [Effect]) {
    switch entry.action {
    case .tare:
      tare = valid(entry.press?.latch)?.gross ?? gross ?? .zero
      advanceEpoch()
      let shown = DisplayedMass(steps: settings.division.steps(nearest: tare), division: settings.division)
      effects.append(.event(event(.tared(shown))))
    case .clearTare:
      dropTare(&effects)
    case .zero:
      tare = .zero
      zero(&effects)
    case .commit, .void, .relabel: return record(entry, &effects)
    }
    rounding.reset()
    grossRounding.reset()
    recompose()
    effects.append(.result(ActionResult(request: entry.request, rejection: nil, time: now, reading: reading)))
  }

  /// Counts whatever is on the pad as nothing.
  private mutating func zero(_ effects: inout [Effect]) {
    if let load = weigh() { return setPlate(load, mass: gross ?? .zero, isZeroed: true, &effects) }
    advanceEpoch()
    effects.append(.event(event(.zeroed(DisplayedMass(steps: 0, division: settings.division)))))
  }

  mutating func dropTare(_ effects: inout [Effect]) {
    tare = .zero
    advanceEpoch()
    rounding.reset()
    effects.append(.event(event(.tareCleared)))
  }

  /// Says that a request is not done, and why.
  mutating func refuse(_ request: ActionRequest, _ rejection: Rejection, _ effects: inout [Effect]) {
    effects.append(.event(event(.rejected(request.name, rejection))))
    effects.append(.result(ActionResult(request: request, rejection: rejection, time: now, reading: reading)))
  }

  // MARK: Quick actions

  /// Takes other quick actions; those of the configuration where there is no list.
  mutating func replaceActions(_ list: [QuickAction]?, _ request: ActionRequest, _ effects: inout [Effect]) {
    if let expiry = request.expiry, expiry <= now { return refuse(request, .expired, &effects) }
    quickActions = list ?? settings.quickActions
    effects.append(.actions(quickActions, at: now))
    effects.append(.result(ActionResult(request: request, rejection: nil, time: now, reading: reading)))
  }

  // MARK: Records

  /// Hands a record to the journal; its answer comes back as an input.
  private mutating func record(_ entry: Waiting, _ effects: inout [Effect]) {
    guard recording < Self.maximumRecordsInFlight else { return refuse(entry.request, .journalUnavailable, &effects) }
    let kind: WeighingDraft.Kind
    switch entry.action {
    case .void: kind = .void(entry.request.reference)
    case .relabel: kind = .relabel(entry.request.reference)
    case .tare, .clearTare, .zero, .commit:
      let source = valid(entry.press?.latch)?.reading ?? reading
      guard let measurement = Measurement(source) else { return refuse(entry.request, .unstable, &effects) }
      kind = .weighing(measurement)
    }
    recording += 1
    let label = entry.label.flatMap { $0.isEmpty ? nil : $0 }
    effects.append(.record(WeighingDraft(request: entry.request, kind: kind, label: label, time: now)))
  }

  /// Maximum number of records on their way to the disk.
  private static let maximumRecordsInFlight = 64

  /// Takes the journal's answer: only now is a weighing one.
  mutating func take(_ outcome: RecordOutcome, _ effects: inout [Effect]) {
    recording = max(recording - 1, 0)
    switch outcome.result {
    case .success(let record):
      effects.append(.weighing(record, at: now))
      effects.append(.lastWeighing(outcome.last, isHistorical: record.kind != .weighing, at: now))
      if let voided = record.voids { effects.append(.event(event(.voided(voided)))) }
      if let amended = record.amends { effects.append(.event(event(.relabelled(amended, record.label)))) }
      effects.append(
        .result(
          ActionResult(request: outcome.draft.request, rejection: nil, time: now, reading: reading, weighing: record)))
    case .failure(let rejection):
      refuse(outcome.draft.request, rejection, &effects)
    }
  }
}

extension Measurement {
  /// What a settled reading says; `nil` for one that says no mass.
  init?(_ reading: Reading) {
    guard let net = reading.net, let calibration = reading.calibration else { return nil }
    self.init(
      gross: reading.gross, tare: reading.tare, net: net, uncertainty: reading.uncertainty, calibration: calibration)
  }
}

extension Action {
  /// Whether it is about what lies on the pad.
  var needsPad: Bool {
    switch self {
    case .tare, .zero, .commit: true
    case .clearTare, .void, .relabel: false
    }
  }
}
