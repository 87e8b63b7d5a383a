import Synchronization
import Weighing

/// The endless body of the response: server-sent events (WHATWG HTML, 9.2).
final class ServerSentEvents: BodyStream {
  private struct State: Sendable {
    var version: UInt64 = 0
    var heartbeat: UInt64?
    /// Waits for the next piece.
    var waiting: (@Sendable (BodyPiece) -> Void)?
  }

  private let viewers: Viewers
  private let isReadOnly: Bool
  private let onEnd: @Sendable () -> Void
  private let state = Mutex(State())

  init(viewers: Viewers, isReadOnly: Bool, onEnd: @escaping @Sendable () -> Void) {
    (self.viewers, self.isReadOnly, self.onEnd) = (viewers, isReadOnly, onEnd)
  }

  func next(_ completion: @escaping @Sendable (BodyPiece) -> Void) {
    state.withLock { $0.waiting = completion }
    wake()
  }

  func end() {
    state.withLock { $0.waiting = nil }
    onEnd()
  }

  /// Passes on what is new, if it is waited for.
  func wake() {
    let due: (completion: @Sendable (BodyPiece) -> Void, bytes: [UInt8])? = state.withLock { state in
      guard let completion = state.waiting else { return nil }
      let bytes = newBytes(&state)
      guard !bytes.isEmpty else { return nil }
      state.waiting = nil
      return (completion, bytes)
    }
    if let due { due.completion(.bytes(due.bytes)) }
  }

  private func newBytes(_ state: inout State) -> [UInt8] {
    // The first piece sets the reconnection time.
    var bytes = state.heartbeat == nil ? Array("retry: 1000\n\n".utf8) : []
    bytes += viewers.feeds.events(after: &state.version, isReadOnly: isReadOnly)
    let heartbeats = viewers.heartbeats
    if state.heartbeat != heartbeats {
      state.heartbeat = heartbeats
      let age = viewers.feeds.readingAge.map { String($0.nanoseconds / 1_000_000) } ?? "null"
      bytes += "event: beat\ndata: {\"age_ms\":\(age)}\n\n".utf8
    }
    return bytes
  }
}
