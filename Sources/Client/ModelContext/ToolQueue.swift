import Linux
import Synchronization

/// Performs calls one after the other in the order of their arrival, on a thread of its own.
///
/// In order, so that a client that sends `tare` and `commit` without waiting gets what it means.
final class ToolQueue: Sendable {
  /// Maximum number of waiting calls.
  static let limit = 64

  private let worker = Worker<ToolCall>("tools")
  /// The calls that are not answered yet; the first one may be running.
  private let open = Mutex<[ToolCall]>([])
  /// Wakes a tool that waits, so that it looks at `isCancelled`.
  private let interrupt: @Sendable () -> Void

  init(interrupt: @escaping @Sendable () -> Void) { self.interrupt = interrupt }

  /// Starts the thread.
  func start() {
    worker.start { [self] inbox in
      while true {
        let (calls, isStopping) = inbox.take()
        for call in calls { perform(call) }
        if isStopping { return }
        inbox.wait(until: nil)
      }
    }
  }

  /// Adds a call; returns `false` if too many are waiting.
  func append(_ call: ToolCall) -> Bool {
    let isAdmitted = open.withLock { open in
      guard open.count <= Self.limit else { return false }
      open.append(call)
      return true
    }
    if isAdmitted { worker.send(call) }
    return isAdmitted
  }

  /// Cancels a call. One that waits is never performed. One that runs stops waiting; an action that was already sent to
  /// the scale takes effect.
  func cancel(_ id: RPCIdentifier) {
    open.withLock { open in
      for call in open where call.id == id { call.cancel() }
    }
    interrupt()
  }

  /// Waits until all calls are answered and ends the thread.
  func finish() { worker.stop(within: nil) }

  private func perform(_ call: ToolCall) {
    let result = call.isCancelled ? nil : call.tool.run(call.arguments, call)
    call.answer(call.isCancelled ? nil : result)
    open.withLock { _ = $0.removeFirst() }
  }
}
