/// What leads to requests without a client: presses, codes and loads.
extension ScaleMachine {
  /// When a press has to be looked at if no frame arrives before.
  var pressDeadline: Instant? {
    presses.nextDeadline(weigher.settings.confirm, interval: weigher.settings.publish.liveInterval)
  }

  mutating func observePresses(_ frame: Frame, on pad: ConnectedPad, _ effects: inout [Effect]) {
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

  mutating func cancelPresses(_ failure: PressFailure, _ effects: inout [Effect]) {
    presses.cancel(failure, weigher.pressContext(at: now))
    processOutcomes(&effects)
  }

  /// Rejects the action of a press.
  mutating func reject(_ action: String, _ source: ActionSource, _ failure: PressFailure, _ effects: inout [Effect]) {
    requests.reject(ActionRequest(name: action, source: source), failure, weigher, at: now, &effects)
  }

  /// Performs what presses have led to.
  mutating func processOutcomes(_ effects: inout [Effect]) {
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
  mutating func scan(_ code: ScannedCode, _ effects: inout [Effect]) {
    let meaning = weigher.scan(code, at: now, &effects)
    for request in meaning.requests { requests.submit(request, to: weigher, at: now, &effects) }
    update(&effects)
    // A request that still waits gets the label.
    guard requests.isEmpty, weigher.isRecordDue(after: meaning) else { return }
    requests.submit(ActionRequest(action: .commit, source: .button), to: weigher, at: now, &effects)
    update(&effects)
  }

  /// Tares a known container and records a load that have just been put on the empty pad.
  mutating func handleLoad(_ effects: inout [Effect]) {
    weigher.setArrivalLimits()
    weigher.recogniseContainer(isForceAdded: presses.distortsLoad, at: now, &effects)
    if weigher.isRecordDue() {
      requests.submit(ActionRequest(action: .commit, source: .auto), to: weigher, at: now, &effects)
    }
  }
}
