import Dispatch
import FlyingSocks
import Foundation
import Synchronization

/// A connection after it has become a WebSocket: sends snapshots at the rate of the client and performs its commands.
///
/// ```
/// socket -> read: frames, commands -----\
///                                        outbox -> write: pong, reply, newest snapshot, ping, close -> socket
/// clock  -> tick: snapshot and ping due -/
/// ```
/// FlyingFox's own connection (0.27) has unbounded streams and reads frames of any length.
struct WebSocketConnection: Sendable {
  let socket: AsyncSocket
  let session: SnapshotSession
  let limits: Limits
  /// Sets whether a piece is being sent, which has a deadline.
  let onSending: @Sendable (Bool) -> Void

  /// Serves until either side closes.
  ///
  /// - Parameter received: Bytes that the client has sent after its request.
  func run(_ received: [UInt8]) async {
    let outbox = WebSocketOutbox()
    let lastHeard = LastHeard()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await read(received, outbox, lastHeard) }
      group.addTask { await tick(outbox, lastHeard) }
      group.addTask { await write(outbox) }
      // The first to end is the writer after the close frame, or any other because the connection is gone.
      await group.next()
      group.cancelAll()
    }
  }

  private func read(_ received: [UInt8], _ outbox: WebSocketOutbox, _ lastHeard: LastHeard) async {
    var decoder = WebSocketDecoder()
    var bytes = received
    while true {
      for event in decoder.append(bytes) {
        lastHeard.set()
        switch event {
        case .text(let command):
          // The next command is read when this one is done.
          if let reply = await session.perform(command) { outbox.addReply(reply) }
        case .ping(let payload): outbox.addPong(payload)
        case .pong: break
        case .close(let code):
          outbox.addClose(code)
          return await waitForWriter()
        case .fault(let fault):
          outbox.addClose(fault.rawValue)
          return await waitForWriter()
        }
      }
      guard let next = try? await socket.read(atMost: 1024), !next.isEmpty else { return }
      bytes = next
    }
  }

  /// Waits until the writer has sent the close frame and the group is cancelled.
  private func waitForWriter() async { await Pause.wait(.seconds(10)) }

  private func tick(_ outbox: WebSocketOutbox, _ lastHeard: LastHeard) async {
    var untilPing = limits.pingTime
    while !Task.isCancelled {
      let interval = session.interval
      await Pause.wait(.nanoseconds(Int(interval.nanoseconds)))
      outbox.addSnapshot()
      untilPing -= .nanoseconds(interval.nanoseconds)
      if untilPing <= .zero {
        untilPing = limits.pingTime
        outbox.addPing()
      }
      // A client that answers no ping is gone, or has stopped in the middle of a frame.
      if lastHeard.age > limits.silenceTime { return }
    }
  }

  private func write(_ outbox: WebSocketOutbox) async {
    for await _ in outbox.arrivals {
      let (frames, isLast) = outbox.next(snapshot: session.snapshot)
      if !frames.isEmpty {
        onSending(true)
        guard (try? await socket.write(Data(frames))) != nil else { return }
        onSending(false)
      }
      if isLast { return }
    }
  }

  /// When the client last sent a complete frame.
  private final class LastHeard: Sendable {
    private let time = Mutex(ContinuousClock.now)

    var age: Duration { time.withLock { $0.duration(to: .now) } }

    func set() { time.withLock { $0 = .now } }
  }
}
