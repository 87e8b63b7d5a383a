import Dispatch

/// Suspends a task, at most until it is cancelled.
enum Pause {
  /// A serial queue: `Task.sleep` uses libdispatch's concurrent queue, which then wakes the process every second.
  private static let queue = DispatchQueue(label: "grampad.dashboard.pause")

  /// Returns after an interval, or when the task is cancelled.
  static func wait(_ interval: DispatchTimeInterval) async {
    let over = AsyncStream<Void>.makeStream()
    queue.asyncAfter(deadline: .now() + interval) { over.continuation.finish() }
    for await _ in over.stream {}
  }
}
