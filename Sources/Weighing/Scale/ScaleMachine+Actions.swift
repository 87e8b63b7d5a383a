extension ScaleMachine {
  /// Takes a request: does it, refuses it, or lets it wait until the load has come to rest.
  mutating func take(_ request: ActionRequest, _ effects: inout [Effect]) {
    waiting.append(Waiting(request: request, until: now + settings.settleTime))
    update(&effects)
  }

  /// Answers every request that can be answered now, in the order in which they came.
  mutating func answerWaiting(_ effects: inout [Effect]) {
    while let first = waiting.first {
      switch verdict(on: first) {
      case .wait: return
      case .refuse(let rejection):
        waiting.removeFirst()
        effects.append(.event(event(.rejected(first.request.action, rejection))))
        effects.append(.result(result(of: first.request, rejection)))
      case .act:
        waiting.removeFirst()
        perform(first.request.action, &effects)
        effects.append(.result(result(of: first.request, nil)))
      }
    }
  }

  private enum Verdict {
    case act
    case wait
    case refuse(Rejection)
  }

  private func verdict(on entry: Waiting) -> Verdict {
    if pad == nil && entry.request.action != .clearTare { return .refuse(.padMissing) }
    switch entry.request.action {
    case .clearTare:
      return tare == .zero ? .refuse(.noTare) : .act
    case .tare:
      if reading.isOverloaded { return .refuse(.overload) }
      guard let gross, gross > .zero else { return .refuse(.empty) }
    case .zero:
      if reading.isOverloaded { return .refuse(.overload) }
      if settings.surface == .contacts && filter.isIdle { return .act }
    }
    if stability.isStable(at: now, patience: 1) { return .act }
    return now >= entry.until ? .refuse(.unstable) : .wait
  }

  private mutating func perform(_ action: Action, _ effects: inout [Effect]) {
    switch action {
    case .tare:
      tare = gross ?? .zero
      tareEpoch += 1
      let shown = DisplayedMass(steps: settings.division.steps(nearest: tare), division: settings.division)
      effects.append(.event(event(.tared(shown))))
    case .clearTare:
      dropTare(&effects)
    case .zero:
      if let estimate = filter.estimate(at: now) { plate = Plate(counts: estimate.level, trackedAt: now) }
      tare = .zero
      tareEpoch += 1
      effects.append(.event(event(.zeroed)))
    }
    rounding.reset()
    grossRounding.reset()
    recompose()
  }

  mutating func dropTare(_ effects: inout [Effect]) {
    tare = .zero
    tareEpoch += 1
    rounding.reset()
    effects.append(.event(event(.tareCleared)))
  }

  private func result(of request: ActionRequest, _ rejection: Rejection?) -> ActionResult {
    ActionResult(request: request, rejection: rejection, time: now, reading: reading)
  }
}
