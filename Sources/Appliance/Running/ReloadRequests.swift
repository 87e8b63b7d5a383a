import Synchronization

/// The pending reloads of the configuration.
final class ReloadRequests: Sendable {
  /// A reload to perform.
  struct Due: Sendable {
    let reason: Reloading.Reason?
    /// Number of signals that it answers.
    let signals: Int
    /// The callers that wait for it.
    let waiting: [CheckedContinuation<Void, Never>]
  }

  private struct State: Sendable {
    var signals = 0
    var hasSaves = false
    var hasEnded = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  /// One element after each request; several may be combined.
  var stream: AsyncStream<Void> { changes.stream }

  func addSignal() {
    state.withLock { $0.signals += 1 }
    wake()
  }

  func addSave() {
    state.withLock { $0.hasSaves = true }
    wake()
  }

  func wake() { changes.continuation.yield() }

  var hasSignals: Bool { state.withLock { $0.signals > 0 } }

  /// Reloads the configuration, and returns when it is applied or the appliance stops.
  func reload() async {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard !state.hasEnded else { return false }
        state.hasSaves = true
        state.waiting.append(continuation)
        return true
      }
      if isWaiting { wake() } else { continuation.resume() }
    }
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
    for caller in waiting { caller.resume() }
  }
}
