import Dispatch

/// Lets a task rest; not longer than until it is cancelled.
enum Pause {
  /// A serial queue: `Task.sleep` ends on libdispatch's concurrent one, which from then on wakes the process every second.
  private static let queue = DispatchQueue(label: "grampad.dashboard.pause")

  /// Returns after an interval.
  static func last(_ interval: DispatchTimeInterval) async {
    let over = AsyncStream<Void>.makeStream()
    queue.asyncAfter(deadline: .now() + interval) { over.continuation.finish() }
    for await _ in over.stream {}
  }
}
