import Logging
import Weighing

/// Passes the output of the weighing loop to the other parts; called on the weighing thread, never waits.
struct EffectRouter: Sendable {
  let publisher: Publisher
  let pending: PendingRequests
  let journal: JournalLoop
  let discovery: HomeAssistantDiscovery
  let calibrationMonitor: CalibrationMonitor
  let calibration: CalibrationService
  let logger: Logger
  /// `nil` if the dashboard is disabled.
  let web: DashboardService?
  /// `nil` if MT-SICS is off.
  let sics: SICSService?
  /// `nil` if the keyboard is off.
  let keyboard: KeyboardService?
  /// Called with every effect.
  let onEffect: @Sendable (Effect) -> Void

  /// Passes on an output.
  func route(_ output: WeighingLoop.Output) {
    switch output {
    case .padFound(let pad, let path):
      publisher.updateHealth {
        $0.pad = .present(name: pad.name, path: path)
        $0.padSetupWarning = nil
        $0.sampling = nil
      }
      discovery.describe(hardware: pad.name)
      calibrationMonitor.setPad(pad)
      calibration.setPad(isPresent: true)
    case .padSetupWarning(let warning):
      publisher.updateHealth { $0.padSetupWarning = warning }
    case .padMissing(let reason):
      publisher.updateHealth { $0.pad = .missing(reason) }
      calibration.setPad(isPresent: false)
    }
  }

  /// Passes on an effect.
  func route(_ effect: Effect) {
    switch effect {
    case .result(let result):
      let recipient = pending.remove(result.request)
      if recipient?.isAnswered != false { publisher.publish(result, to: recipient?.caller) }
      pass(effect)
      // Last, so that a client of the page that has its result finds it published and counted.
      recipient?.deliver(result)
      return
    // The journal publishes its reports until a broker has accepted them.
    case .event(let event) where event.isJournalIncident: publisher.messages(for: effect).forEach(journal.announce)
    case .padWarning(let warning?, _):
      publisher.publish(effect)
      logger.warning(
        "readings of the pad are unreliable; see health.pad.warning", metadata: ["pad.warning": "\(warning.rawValue)"])
    case .live, .reading, .settled, .contacts, .event, .gesture, .control, .feedback, .record, .weighing,
      .lastWeighing, .actions, .containers, .containerChange, .pendingLabel, .memory, .padWarning, .sampling,
      .output, .learnedStops, .learnedStopChange:
      publisher.publish(effect)
    }
    pass(effect)
  }

  private func pass(_ effect: Effect) {
    journal.handle(effect)
    web?.handle(effect)
    sics?.handle(effect)
    keyboard?.handle(effect)
    discovery.handle(effect)
    onEffect(effect)
  }
}
