import Synchronization
import Weighing

/// A thread for what may block: it takes the requests that others send, sleeps until something arrives or is due, and ends when
/// it is stopped.
///
/// Its inbox is bounded: by `capacity`, or by those who send, where a request that is lost would break a promise.
package final class Worker<Request: Sendable>: Sendable {
  private struct State: Sendable {
    var requests: [Request] = []
    var isStarted = false
    var isStopping = false
  }

  private let name: StaticString
  private let capacity: Int
  private let state = Mutex(State())
  private let wake = Signal()
  private let ended = Signal()

  /// Makes a worker; its thread does not exist until `start`, and requests wait for it.
  ///
  /// - Parameters:
  ///   - name: Of the thread, at most 15 bytes.
  ///   - capacity: The number of requests that may wait.
  package init(_ name: StaticString, capacity: Int = .max) { (self.name, self.capacity) = (name, capacity) }

  /// Starts the thread, which ends when `body` returns; call it once.
  package func start(_ body: @escaping @Sendable (_ inbox: Inbox) -> Void) {
    state.withLock { $0.isStarted = true }
    OwnThread.start(name: name) { [self] in
      body(Inbox(worker: self))
      ended.raise()
    }
  }

  /// Sends a request; returns `false` if too many wait. Never waits.
  @discardableResult package func send(_ request: Request) -> Bool {
    let isAdmitted = state.withLock { state in
      guard state.requests.count < capacity else { return false }
      state.requests.append(request)
      return true
    }
    if isAdmitted { wake.raise() }
    return isAdmitted
  }

  /// Sends a request instead of the last one if that still waits and `replaces` returns true for it.
  package func send(_ request: Request, replacingLastIf replaces: (Request) -> Bool) {
    state.withLock { state in
      if let last = state.requests.last, replaces(last) { state.requests.removeLast() }
      state.requests.append(request)
    }
    wake.raise()
  }

  /// Wakes the thread without a request.
  package func wakeUp() { wake.raise() }

  /// Asks the thread to end after the requests that wait.
  package func stop() {
    state.withLock { $0.isStopping = true }
    wake.raise()
  }

  /// Asks the thread to end and waits for that, but at most `limit`; without one until it has ended.
  package func stop(within limit: Interval?) {
    stop()
    guard state.withLock({ $0.isStarted }) else { return }
    while !ended.wait(within: limit), limit == nil {}
  }

  /// Whether the thread has ended.
  package var hasEnded: Bool { ended.wait(milliseconds: 0) }

  /// What the thread sees of its worker.
  package struct Inbox: Sendable {
    fileprivate let worker: Worker

    /// For a `Poller`, watched for `.readable` and `.once`: becomes readable with each request, and when the thread is woken or stopped.
    package var descriptor: Int32 { worker.wake.descriptor }

    /// Removes and returns the requests, and whether nothing follows them.
    package func take() -> (requests: [Request], isStopping: Bool) {
      worker.state.withLock { state in
        guard !state.requests.isEmpty else { return ([], state.isStopping) }
        defer { state.requests = [] }
        return (state.requests, state.isStopping)
      }
    }

    /// Waits until something arrives, or until a deadline; `nil` for none.
    package func wait(until deadline: Instant?) {
      if worker.wake.wait(milliseconds: deadline?.millisecondsAway ?? -1) { worker.wake.lower() }
    }

    /// Lets `stop(within:)` return before the thread has ended.
    package func releaseStop() { worker.ended.raise() }
  }
}

extension Worker where Request == @Sendable () -> Void {
  /// Starts a thread that calls functions one after the other.
  package func startPerforming() {
    start { inbox in
      while true {
        let (functions, isStopping) = inbox.take()
        for function in functions { function() }
        if isStopping { return }
        if functions.isEmpty { inbox.wait(until: nil) }
      }
    }
  }
}

extension Worker where Request == Never {
  /// Calls a function that may block on a thread of its own; returns `nil` if it has not returned within `limit`.
  package static func result<Value: Sendable>(
    of function: @escaping @Sendable () -> Value, on name: StaticString, within limit: Interval
  ) -> Value? {
    let answer = Answer<Value>()
    let worker = Worker(name)
    worker.start { _ in
      let value = function()
      answer.value.withLock { $0 = value }
    }
    worker.stop(within: limit)
    return answer.value.withLock { $0 }
  }
}

/// What a function has returned, perhaps when nothing waits for it any more.
private final class Answer<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
