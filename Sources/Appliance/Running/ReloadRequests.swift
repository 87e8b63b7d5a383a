import Linux
import Synchronization

/// What the thread that runs the appliance is asked for: to reload the configuration, or to end.
final class ReloadRequests: Sendable {
  /// A reload to perform.
  struct Due: Sendable {
    let reason: Reloading.Reason?
    /// Number of signals that it answers.
    let signals: Int
    /// Called when it is done.
    let waiting: [@Sendable () -> Void]
  }

  private struct State: Sendable {
    var signals = 0
    var hasSaves = false
    var isEnding = false
    var hasEnded = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  /// Raised by each request.
  let wake = Signal()

  func addSignal() { change { $0.signals += 1 } }

  func addSave() { change { $0.hasSaves = true } }

  /// Asks the appliance to end.
  func addEnd() { change { $0.isEnding = true } }

  var hasSignals: Bool { state.withLock { $0.signals > 0 } }

  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Reloads the configuration; calls `completion` when it is applied or the appliance stops.
  func reload(_ completion: @escaping @Sendable () -> Void) {
    let isWaiting = state.withLock { state in
      guard !state.hasEnded else { return false }
      state.hasSaves = true
      state.waiting.append(completion)
      return true
    }
    if isWaiting { wake.raise() } else { completion() }
  }

  /// Removes and returns the pending reload.
  func removeDue(withSignals: Bool) -> Due {
    state.withLock { state in
      let signals = withSignals ? state.signals : 0
      let reason: Reloading.Reason? = signals > 0 ? .signal : state.hasSaves ? .save : nil
      state.signals -= signals
      guard reason != nil else { return Due(reason: nil, signals: signals, waiting: []) }
      state.hasSaves = false
      defer { state.waiting = [] }
      return Due(reason: reason, signals: signals, waiting: state.waiting)
    }
  }

  /// Ends the waiting of all callers; nothing is reloaded any more.
  func end() {
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for completion in waiting { completion() }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    wake.raise()
  }
}
