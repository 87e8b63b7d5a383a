import EventLoop
import Synchronization

/// Performs calls one after the other in the order of their arrival, on a thread of its own.
///
/// In order, so that a client that sends `tare` and `commit` without waiting gets what it means.
final class ToolQueue: Sendable {
  private struct State: Sendable {
    var waiting: [ToolCall] = []
    var running: ToolCall?
    var isFinishing = false
  }

  /// Maximum number of waiting calls.
  static let limit = 64

  private let state = Mutex(State())
  private let arrival = Signal()
  private let ended = Signal()
  /// Wakes a tool that waits, so that it looks at `isCancelled`.
  private let interrupt: @Sendable () -> Void

  init(interrupt: @escaping @Sendable () -> Void) { self.interrupt = interrupt }

  /// Starts the thread.
  func start() {
    OwnThread.start(name: "tools") { [self] in
      while let call = next() {
        let result = call.isCancelled ? nil : call.tool.run(call.arguments, call)
        call.answer(call.isCancelled ? nil : result)
      }
      ended.raise()
    }
  }

  /// Adds a call; returns `false` if too many are waiting.
  func append(_ call: ToolCall) -> Bool {
    let isAdmitted = state.withLock { state in
      guard state.waiting.count < Self.limit else { return false }
      state.waiting.append(call)
      return true
    }
    arrival.raise()
    return isAdmitted
  }

  /// Cancels a call. One that waits is never performed. One that runs stops waiting; an action that was already sent to
  /// the scale takes effect.
  func cancel(_ id: RPCIdentifier) {
    state.withLock { state in
      for call in state.waiting + [state.running].compactMap(\.self) where call.id == id { call.cancel() }
    }
    interrupt()
  }

  /// Waits until all calls are answered and ends the thread.
  func finish() {
    state.withLock { $0.isFinishing = true }
    arrival.raise()
    while !ended.wait(milliseconds: -1) {}
  }

  /// Waits for the next call; `nil` at the end.
  private func next() -> ToolCall? {
    while true {
      arrival.lower()
      let (call, isFinishing) = state.withLock { state in
        state.running = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        return (state.running, state.isFinishing)
      }
      if call != nil || isFinishing { return call }
      _ = arrival.wait(milliseconds: -1)
    }
  }
}
