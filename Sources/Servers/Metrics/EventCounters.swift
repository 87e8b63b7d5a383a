import Synchronization
import Weighing

/// Counts events since the start.
package final class EventCounters: Sendable {
  /// The counts.
  struct Counts: Hashable, Sendable {
    var readings = 0
    var settled = 0
    var weighings = 0
    var voids = 0
    var relabels = 0
    var overloads = 0
    var padLosses = 0
    /// Actions by source and result: `ok` or the reason.
    var actions: [Outcome: Int] = [:]
    /// HTTP responses by status.
    var responses: [Int: Int] = [:]
  }

  /// The result of an action.
  struct Outcome: Hashable, Sendable {
    var source: String
    var result: String
  }

  private let state = Mutex(Counts())

  /// Starts with all counts at zero.
  package init() {}

  /// Counts an effect; never waits.
  package func count(_ effect: Effect) {
    state.withLock { counts in
      switch effect {
      case .live: counts.readings += 1
      case .settled: counts.settled += 1
      case .weighing(let record, _):
        switch record.kind {
        case .weighing: counts.weighings += 1
        case .void: counts.voids += 1
        case .relabel: counts.relabels += 1
        }
      case .result(let result):
        let outcome = Outcome(source: result.request.source.rawValue, result: result.rejection?.rawValue ?? "ok")
        counts.actions[outcome, default: 0] += 1
      case .event(let event):
        switch event.kind {
        case .overload: counts.overloads += 1
        case .padLost: counts.padLosses += 1
        case .tared, .tareCleared, .zeroed, .rejected, .voided, .relabelled, .recalled, .scanned, .padFound,
          .calibrated, .reloaded, .journalLoss, .journalRecovered, .padSuspect, .targetReached, .timerStarted,
          .timerStopped, .pairing, .targetStop, .doseStarted, .dosed:
          break
        }
      case .reading, .contacts, .gesture, .control, .feedback, .record, .lastWeighing, .actions, .memory, .padWarning,
        .sampling, .containers, .containerChange, .pendingLabel, .output,
        .learnedStops, .learnedStopChange:
        break
      }
    }
  }

  /// Counts a command that was rejected before the scale decided on it.
  package func countRejection(source: ActionSource, reason: String) {
    state.withLock { $0.actions[Outcome(source: source.rawValue, result: reason), default: 0] += 1 }
  }

  /// Counts an HTTP response.
  func countResponse(_ status: Int) { state.withLock { $0.responses[status, default: 0] += 1 } }

  /// The current counts.
  var counts: Counts { state.withLock { $0 } }
}
