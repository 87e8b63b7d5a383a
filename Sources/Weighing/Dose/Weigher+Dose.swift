/// Stops ahead of targets, and doses.
extension Weigher {
  // MARK: Requests

  /// Why a dose cannot start whatever the load does; `nil` if it can.
  func rejection(of dose: Dose) -> Rejection? {
    if dose.target.mass > settings.scale.capacity { return .badPayload }
    if !settings.outputs.contains(where: { $0.name == dose.output }) { return .unknownOutput }
    if !dosing.isConnected { return .brokerUnavailable }
    return dosing.run == nil ? nil : .busy
  }

  /// Starts or stops a dose, or forgets what was learned.
  mutating func runDose(
    _ parameters: ActionArguments, label: String?, at now: Instant, _ effects: inout [Effect]
  ) throws(Rejection) {
    switch parameters {
    case .dose(.forget(let label)): forgetStop(label, at: now, &effects)
    case .dose(.start(let dose)): try start(dose, label: stopLabel(label), at: now, &effects)
    case .none: endDose(.stopped, at: now, &effects)
    case .tare, .container, .timer, .target, .count: throw .badPayload
    }
  }

  /// The label under which a stop is learned: that of the request, or the scanned one that waits.
  func stopLabel(_ label: String?) -> String { label ?? instruments.label?.text ?? "" }

  private mutating func start(
    _ dose: Dose, label: String, at now: Instant, _ effects: inout [Effect]
  ) throws(Rejection) {
    if let rejection = rejection(of: dose) { throw rejection }
    guard let output = settings.outputs.first(where: { $0.name == dose.output }) else { throw .unknownOutput }
    let tolerance = dose.target.tolerance ?? settings.scale.division.step
    guard let pad, let net = reading.highResolution, !meter.isSilent else { throw .unstable }
    // The tared vessel is not there: nothing is on the pad, whose net is zero then, or something else.
    if gross == nil ? tare != .zero : net < .zero - settings.scale.minimum { throw .empty }
    guard net < dose.target.mass - tolerance else { throw .atTarget }
    var target = dose.target
    target.stopsAhead = true
    instruments.setTarget(target, reading, stopsAhead: true, dose: .running)
    dosing.run = DoseRun(dose, label: label, maximumFlow: output.maximumFlow, tareEpoch: tareEpoch, at: now)
    watch(target, label: label, load: plateLoad(pad) + (gross ?? .zero))
    effects.append(event(.doseStarted(RunningDose(dose: dose, label: label)), at: now))
    effects.append(.output(OutputChange(name: dose.output, isOn: true), at: now))
  }

  /// Watches a target that is stopped ahead; `nil` for none.
  ///
  /// - Parameter load: The load at the start of a dose; `nil` for a target by itself.
  mutating func watch(_ target: Target?, label: String, load: Grams? = nil) {
    dosing.stop = target.map {
      StopAhead(
        $0, label: label, learned: dosing.learned.stop(of: label), deadTime: settings.target.deadTime, load: load,
        isReached: load == nil && (reading.highResolution ?? .zero) >= $0.mass)
    }
  }

  // MARK: Inputs

  /// The connection to the broker was established or has ended.
  mutating func setConnection(_ isConnected: Bool, at now: Instant, _ effects: inout [Effect]) {
    endDose(.disconnected, at: now, &effects)
    dosing.isConnected = isConnected
    guard isConnected else { return }
    for output in settings.outputs { effects.append(.output(OutputChange(name: output.name, isOn: false), at: now)) }
  }

  /// The broker has refused to switch an output.
  mutating func refuse(_ output: OutputName, at now: Instant, _ effects: inout [Effect]) {
    if dosing.run?.dose.output == output { endDose(.refused, at: now, &effects) }
  }

  /// Restores what earlier runs have learned.
  mutating func restoreStops(_ stops: [LearnedStop], at now: Instant, _ effects: inout [Effect]) {
    dosing.learned.restore(stops)
    relearnStop()
    effects.append(.learnedStops(dosing.learned.stops, at: now))
  }

  /// Ends a dose whose configuration has changed; outputs that were added or removed are off. What settles teaches nothing: its
  /// calibration may be another one.
  mutating func configureDoses(after old: ScaleSettings, at now: Instant, _ effects: inout [Effect]) {
    endDose(.configuration, at: now, &effects)
    dosing.stop?.interrupt()
    if settings.target.deadTime != old.target.deadTime { relearnStop() }
    let (earlier, present) = (old.outputs.map(\.name), settings.outputs.map(\.name))
    let added = dosing.isConnected ? present.filter { !earlier.contains($0) } : []
    for name in earlier.filter({ !present.contains($0) }) + added {
      effects.append(.output(OutputChange(name: name, isOn: false), at: now))
    }
  }

  // MARK: Readings

  /// Follows a target that is stopped ahead, and its dose; returns whether the reading shows another phase of the dose now.
  @discardableResult
  mutating func observeStops(isForceAdded: Bool, at now: Instant, _ effects: inout [Effect]) -> Bool {
    let phase = dosing.phase
    followStop(isForceAdded: isForceAdded, at: now, &effects)
    guard dosing.phase != phase else { return false }
    recompose(isForceAdded: isForceAdded, at: now)
    return true
  }

  private mutating func followStop(isForceAdded: Bool, at now: Instant, _ effects: inout [Effect]) {
    if let fault = doseFault { return endDose(fault, at: now, &effects) }
    guard let pad, pad.isCalibrated else {
      dosing.stop?.interrupt()
      return
    }
    let isPressed = isForceAdded || reading.state == .pressing
    let scale = StopAhead.Scale(
      now: now, base: plateLoad(pad).value + tare.value, net: reading.isStable ? reading.highResolution : nil,
      isAtRest: meter.flowRate == 0 && !reading.isOverloaded, isAtZero: reading.net?.steps == 0,
      isPressed: isPressed, period: meter.samplePeriod)
    dosing.stop?.observe(meter.flow.meter, scale)
    if let stop = dosing.stop, dosing.run?.reason == nil,
      let reason = dosing.run?.observe(
        isPressed ? nil : stop, lastSample: meter.deliversEverySample ? meter.lastFrame : nil,
        period: meter.samplePeriod, at: now)
    {
      endDose(reason, at: now, &effects)
    }
    switch dosing.stop?.evaluate(scale) {
    case .stopped(let stop): report(stop, base: scale.base, at: now, &effects)
    case .rested(let net, let sample): finish(net, sample, at: now, &effects)
    case nil: break
    }
  }

  /// Why a dose has to end whatever the load does; `nil` if it goes on.
  private var doseFault: FinishedDose.Reason? {
    guard let run = dosing.run else { return nil }
    if pad == nil { return .padLost }
    if meter.isFrozen || meter.isSuspect || meter.isSilent || reading.state == .offline { return .padSuspect }
    if reading.isOverloaded { return .overload }
    if run.tareEpoch != tareEpoch { return .targetChanged }
    return surface == .contacts && reading.state == .empty ? .lifted : nil
  }

  private mutating func report(_ stop: StopAhead.Stop, base: Double, at now: Instant, _ effects: inout [Effect]) {
    guard let target = dosing.stop else { return }
    let net = Grams(stop.mass - base)
    if target.isDose { switchOff(.reached, at: now, &effects) }
    effects.append(
      event(
        .targetStop(
          TargetStop(
            target: target.target.mass, net: net, predicted: net + Grams(stop.arriving), flow: stop.flow,
            label: target.label)), at: now))
    effects.append(.feedback(.reached, at: now))
  }

  /// Switches the output of the dose off, if it is on.
  private mutating func switchOff(_ reason: FinishedDose.Reason, at now: Instant, _ effects: inout [Effect]) {
    guard let run = dosing.run, run.reason == nil else { return }
    dosing.run?.end(reason)
    effects.append(.output(OutputChange(name: run.dose.output, isOn: false), at: now))
    instruments.settleDose()
  }

  /// Ends a dose; the result follows when the load is at rest, unless it can never be known.
  mutating func endDose(_ reason: FinishedDose.Reason, at now: Instant, _ effects: inout [Effect]) {
    guard let run = dosing.run else { return }
    if run.reason != nil {
      if !reason.leavesLoad { finish(nil, nil, at: now, &effects) }
      return
    }
    switchOff(reason, at: now, &effects)
    guard reason.leavesLoad, let pad else { return finish(nil, nil, at: now, &effects) }
    let base = plateLoad(pad).value + tare.value
    dosing.stop?.stop(base: base, at: now)
  }

  /// Learns from what has come to rest, and ends the dose.
  private mutating func finish(
    _ net: Grams?, _ sample: LearnedStop.Sample?, at now: Instant, _ effects: inout [Effect]
  ) {
    guard let label = dosing.stop?.label else { return }
    let learning = learn(sample, for: label, at: now, &effects)
    guard let run = dosing.run else { return }
    (dosing.run, dosing.stop) = (nil, nil)
    instruments.endDose(reading)
    effects.append(
      event(
        .dosed(
          FinishedDose(
            dose: run.dose, label: run.label, reason: run.reason ?? .stopped, result: net, learning: learning)),
        at: now))
  }

  private mutating func learn(
    _ sample: LearnedStop.Sample?, for label: String, at now: Instant, _ effects: inout [Effect]
  ) -> FinishedDose.Learning {
    guard let sample, dosing.run?.reason ?? .reached == .reached else { return .nothing }
    guard let changes = dosing.learned.append(sample, to: label) else { return .outlier }
    for change in changes { effects.append(.learnedStopChange(change, at: now)) }
    effects.append(.learnedStops(dosing.learned.stops, at: now))
    relearnStop()
    return .learned
  }

  /// Lets a target use what is learned now; a dose keeps what it has started with.
  private mutating func relearnStop() {
    guard dosing.run == nil, let label = dosing.stop?.label else { return }
    dosing.stop?.relearn(dosing.learned.stop(of: label), deadTime: settings.target.deadTime)
  }

  private mutating func forgetStop(_ label: String, at now: Instant, _ effects: inout [Effect]) {
    guard dosing.learned.remove(label) != nil else { return }
    effects.append(.learnedStopChange(LearnedStop(label: label, samples: []), at: now))
    effects.append(.learnedStops(dosing.learned.stops, at: now))
    if dosing.stop?.label == label { relearnStop() }
  }
}
