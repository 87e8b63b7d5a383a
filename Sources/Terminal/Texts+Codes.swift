import Languages
import Weighing

/// The texts of what payloads name by a code.
extension Texts {
  /// Why a request was rejected: `the load did not come to rest`; `nil` for an unknown reason.
  package func reason(_ code: String) -> String? { Self.reasons[code].map { self($0) } }

  /// The title of an action; a quick action has its own.
  package func title(ofAction name: String) -> String {
    switch Action(rawValue: name) {
    case .tare: self(.actionTare)
    case .clearTare: self(.actionClearTare)
    case .zero: self(.actionZero)
    case .commit: self(.actionCommit)
    case .void: self(.actionVoid)
    case .relabel: self(.actionRelabel)
    case .timer: self(.actionTimer)
    case .target: self(.actionTarget)
    case .count: self(.actionCount)
    case .container: self(.actionContainer)
    case .dose: self(.actionDose)
    case nil: name == PairingRequest.action ? self(.actionPair) : name
    }
  }

  /// The state of the scale.
  ///
  /// - Parameter origin: That of the calibration; an offline scale that has one is a load cell that was not calibrated.
  package func state(_ state: Reading.State, origin: Calibration.Origin? = nil) -> String {
    switch state {
    case .empty: self(.stateEmpty)
    case .settling: self(.stateSettling)
    case .stable: self(.stateStable)
    case .overload: self(.stateOverload)
    case .pressing: self(.statePressing)
    case .offline: self(origin == .nominal ? .stateNotCalibrated : .stateNoPad)
    }
  }

  /// What happened: `tare cleared`.
  package func event(_ type: String) -> String { Self.events[type].map { self($0) } ?? type.replacing("_", with: " ") }

  /// What happened to a request to act, by the end of the event's type: `granted`; `nil` for an unknown one.
  package func pairing(_ progress: String, name: String) -> String? {
    let keys: [String: TextKey] = [
      "requested": .pairingRequested, "granted": .pairingGranted, "refused": .pairingRefused,
    ]
    return keys[progress].map { self($0, ["name": name]) }
  }

  /// Where the calibration comes from.
  package func origin(_ code: String) -> String { Self.origins[code].map { self($0) } ?? code }

  /// Those of `Rejection` and those of `CommandError`.
  private static let reasons: [String: TextKey] = [
    "unstable": .reasonUnstable, "overload": .reasonOverload, "empty": .reasonEmpty,
    "below_minimum": .reasonBelowMinimum, "pad_missing": .reasonPadMissing, "no_tare": .reasonNoTare,
    "nothing_to_void": .reasonNothingToVoid, "unknown_container": .reasonUnknownContainer,
    "unknown_output": .reasonUnknownOutput, "at_target": .reasonAtTarget,
    "broker_unavailable": .reasonBrokerUnavailable,
    "unknown_weighing": .reasonUnknownWeighing, "journal_unavailable": .reasonJournalUnavailable,
    "unknown_action": .reasonUnknownAction, "bad_payload": .reasonBadPayload, "retained": .reasonRetained,
    "expired": .reasonExpired, "busy": .reasonBusy,
  ]

  private static let events: [String: TextKey] = [
    "tared": .eventTared, "tare_cleared": .eventTareCleared, "zeroed": .eventZeroed, "rejected": .eventRejected,
    "timer_started": .eventTimerStarted, "timer_stopped": .eventTimerStopped, "target_reached": .eventTargetReached,
    "target_stop": .eventTargetStop, "dose_started": .eventDoseStarted, "dosed": .eventDosed,
    "overload": .eventOverload, "pad_lost": .eventPadLost, "pad_found": .eventPadFound,
    "pad_suspect": .eventPadSuspect, "calibrated": .eventCalibrated, "reloaded": .eventReloaded,
    "recalled": .eventRecalled, "scanned": .eventScanned, "journal_loss": .eventJournalLoss,
    "journal_recovered": .eventJournalRecovered,
  ]

  private static let origins: [String: TextKey] = [
    "user": .originUser, "kernel": .originKernel, "known": .originKnown, "nominal": .originNominal,
  ]
}
