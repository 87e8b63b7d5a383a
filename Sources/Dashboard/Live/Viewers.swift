import Dispatch
import FlyingSocks
import Messages
import Synchronization
import Weighing

/// The live views, and the task that wakes them.
final class Viewers: Sendable {
  private struct State: Sendable {
    var wakeUps: [UInt64: AsyncStream<Void>.Continuation] = [:]
    /// The client of each view, including those that need no wake-ups.
    var addresses: [UInt64: ClientAddress?] = [:]
    var last: UInt64 = 0
    /// Counts the heartbeats.
    var heartbeats: UInt64 = 0
  }

  /// Minimum time between two pieces sent to a viewer: 25 a second look smooth, and sending a pad's 125 frames a second
  /// would cost five times as much.
  private static let pace = DispatchTimeInterval.milliseconds(40)

  let feeds: FeedCache
  private let limits: Limits
  private let state = Mutex(State())

  init(feeds: FeedCache, limits: Limits) {
    self.feeds = feeds
    self.limits = limits
  }

  /// Number of live views.
  var count: Int { state.withLock { $0.addresses.count } }

  /// Adds a viewer; `nil` at the limit, in total or for its address.
  ///
  /// - Parameter isReadOnly: Whether it may not act.
  func add(from address: ClientAddress?, isReadOnly: Bool) -> ServerSentEvents? {
    let wakeUp = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    guard let registration = register(from: address, wakeUp.continuation) else { return nil }
    feeds.addViewer()
    return ServerSentEvents(viewers: self, wakeUps: wakeUp.stream, isReadOnly: isReadOnly, registration: registration)
  }

  /// Counts a live view that is not woken; `nil` at the limit, in total or for its address.
  func register(from address: ClientAddress?) -> ViewerRegistration? { register(from: address, nil) }

  private func register(
    from address: ClientAddress?, _ wakeUp: AsyncStream<Void>.Continuation?
  ) -> ViewerRegistration? {
    let identifier: UInt64? = state.withLock { state in
      guard state.addresses.count < limits.viewers else { return nil }
      if let address, !address.isLoopback {
        let own = state.addresses.values.count { $0?.network == address.network }
        guard own < limits.viewersPerAddress else { return nil }
      }
      state.last += 1
      state.wakeUps[state.last] = wakeUp
      state.addresses.updateValue(address, forKey: state.last)
      return state.last
    }
    return identifier.map { identifier in ViewerRegistration { [self] in remove(identifier) } }
  }

  private func remove(_ identifier: UInt64) {
    let wakeUp = state.withLock { state in
      state.addresses.removeValue(forKey: identifier)
      return state.wakeUps.removeValue(forKey: identifier)
    }
    guard let wakeUp else { return }
    wakeUp.finish()
    feeds.removeViewer()
  }

  /// Wakes all viewers when something is posted, at most once per interval.
  func run() async {
    for await _ in feeds.changes {
      wake()
      await Pause.wait(Self.pace)
    }
  }

  /// Sends a heartbeat to all viewers, which tells a page that the connection is alive.
  func sendHeartbeat() {
    state.withLock { $0.heartbeats += 1 }
    wake()
  }

  /// Number of heartbeats so far.
  var heartbeats: UInt64 { state.withLock { $0.heartbeats } }

  private func wake() {
    for wakeUp in state.withLock({ Array($0.wakeUps.values) }) { wakeUp.yield() }
  }
}

/// The registration of a viewer; released by `release` or with its last reference.
final class ViewerRegistration: Sendable {
  private let onRelease: Mutex<(@Sendable () -> Void)?>

  init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = Mutex(onRelease) }

  deinit { release() }

  /// Makes the place free.
  func release() { onRelease.withLock { $0.take() }?() }
}
