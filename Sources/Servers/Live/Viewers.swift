import NIOCore
import Synchronization

/// The live views, and what wakes them.
final class Viewers: Sendable {
  private struct State: Sendable {
    var streams: [UInt64: ServerSentEvents] = [:]
    /// The client of each view, including those that need no wake-ups.
    var addresses: [UInt64: ClientAddress] = [:]
    var last: UInt64 = 0
    /// Counts the heartbeats.
    var heartbeats: UInt64 = 0
    /// When the viewers were last woken because something was posted.
    var woken: NIODeadline?
  }

  /// Minimum time between two pieces sent to a viewer: 25 a second look smooth, and sending a pad's 125 frames a second
  /// would cost five times as much.
  private static let pace = TimeAmount.milliseconds(40)

  let feeds: FeedCache
  private let limits: Limits
  private let loop: ServerLoop
  private let state = Mutex(State())

  init(feeds: FeedCache, limits: Limits, on loop: ServerLoop) {
    (self.feeds, self.limits, self.loop) = (feeds, limits, loop)
    feeds.onChange { [weak self] in
      guard let viewers = self else { return }
      loop.run { viewers.wakeInTime() }
    }
  }

  /// Number of live views.
  var count: Int { state.withLock { $0.addresses.count } }

  /// Adds a viewer; `nil` at the limit, in total or for its address.
  ///
  /// - Parameter isReadOnly: Whether it may not act.
  func add(from address: ClientAddress, isReadOnly: Bool) -> ServerSentEvents? {
    guard let identifier = place(for: address) else { return nil }
    let events = ServerSentEvents(viewers: self, isReadOnly: isReadOnly) { [weak self] in self?.remove(identifier) }
    state.withLock { $0.streams[identifier] = events }
    feeds.addViewer()
    return events
  }

  /// Counts a live view that is not woken; `nil` at the limit, in total or for its address.
  func register(from address: ClientAddress) -> ViewerRegistration? {
    place(for: address).map { identifier in ViewerRegistration { [self] in remove(identifier) } }
  }

  /// Takes a place among the live views; `nil` at the limit.
  private func place(for address: ClientAddress) -> UInt64? {
    state.withLock { state in
      guard state.addresses.count < limits.viewers else { return nil }
      if !address.isLoopback {
        let own = state.addresses.values.count { $0.network == address.network }
        guard own < limits.viewersPerAddress else { return nil }
      }
      state.last += 1
      state.addresses[state.last] = address
      return state.last
    }
  }

  private func remove(_ identifier: UInt64) {
    let stream = state.withLock { state in
      state.addresses.removeValue(forKey: identifier)
      return state.streams.removeValue(forKey: identifier)
    }
    if stream != nil { feeds.removeViewer() }
  }

  /// Sends a heartbeat to all viewers, which tells a page that the connection is alive.
  func sendHeartbeat() {
    state.withLock { $0.heartbeats += 1 }
    wake()
  }

  /// Number of heartbeats so far.
  var heartbeats: UInt64 { state.withLock { $0.heartbeats } }

  /// Wakes all viewers because something was posted: now, or when they may be woken again. Called on the loop.
  private func wakeInTime() {
    let now = loop.eventLoop.now
    let due = state.withLock { $0.woken.map { $0 + Self.pace } } ?? now
    guard due <= now else {
      loop.eventLoop.scheduleTask(deadline: due) { [self] in wakeInTime() }
      return
    }
    state.withLock { $0.woken = now }
    feeds.beginWaking()
    wake()
  }

  private func wake() { for stream in state.withLock({ Array($0.streams.values) }) { stream.wake() } }
}

/// The registration of a viewer; released by `release` or with its last reference.
final class ViewerRegistration: Sendable {
  private let onRelease: Mutex<(@Sendable () -> Void)?>

  init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = Mutex(onRelease) }

  deinit { release() }

  /// Makes the place free.
  func release() { onRelease.withLock { $0.take() }?() }
}
