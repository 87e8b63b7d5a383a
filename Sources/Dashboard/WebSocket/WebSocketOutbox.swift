import Synchronization

/// What waits to be sent on a WebSocket: at most one message of each kind, so that a slow client costs no memory.
final class WebSocketOutbox: Sendable {
  private struct State: Sendable {
    var isSnapshotDue = true
    var isPingDue = false
    var pong: [UInt8]?
    var reply: [UInt8]?
    var close: [UInt8]?
  }

  private let state = Mutex(State())
  private let arrival = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  /// Yields when something is waiting; for a single consumer.
  var arrivals: AsyncStream<Void> { arrival.stream }

  /// A snapshot is due.
  func addSnapshot() { update { $0.isSnapshotDue = true } }

  /// A ping is due.
  func addPing() { update { $0.isPingDue = true } }

  /// A pong with the payload of the newest ping (RFC 6455, 5.5.3).
  func addPong(_ payload: [UInt8]) { update { $0.pong = payload } }

  /// A reply to the newest command.
  func addReply(_ json: [UInt8]) { update { $0.reply = json } }

  /// The close frame, after which nothing is sent.
  func addClose(_ code: UInt16?) { update { $0.close = $0.close ?? WebSocketFrame.close(code) } }

  /// Removes and returns what is waiting.
  ///
  /// - Parameter snapshot: Makes the newest snapshot; `nil` if there is none.
  /// - Returns: The frames, and whether they end with the close frame.
  func next(snapshot: () -> [UInt8]?) -> (frames: [UInt8], isLast: Bool) {
    let waiting = state.withLock { state in
      defer { state = State(isSnapshotDue: false, close: state.close) }
      return state
    }
    if let close = waiting.close { return (close, true) }
    var frames: [UInt8] = []
    if let pong = waiting.pong { frames += WebSocketFrame.pong(pong) }
    if let reply = waiting.reply { frames += WebSocketFrame.text(reply) }
    if waiting.isSnapshotDue, let snapshot = snapshot() { frames += WebSocketFrame.text(snapshot) }
    if waiting.isPingDue { frames += WebSocketFrame.ping() }
    return (frames, false)
  }

  private func update(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    arrival.continuation.yield()
  }
}
