import Linux
import NIOCore
import NIOWebSocket
import Weighing

/// A connection that has become a WebSocket: sends the replies and events of its session, and the mass at the rate of the client.
///
/// Of masses, pings and pongs at most one each waits to be sent, and nothing is read while many replies wait, so that a slow client
/// costs no memory.
final class SnapshotConnection: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The most bytes of a message. The commands are a few characters long.
  static let maximumBytes = 512

  /// What waits to be sent.
  private struct Outbox {
    var isSnapshotDue = true
    var isPingDue = false
    /// The payload of the newest ping (RFC 6455, 5.5.3).
    var pong: ByteBuffer?
  }

  private let source: SnapshotSource
  private var session = SnapshotSession()
  private let loop: ServerLoop
  private let limits: Limits
  private let onSending: (Bool) -> Void
  private let onEnd: () -> Void
  private var context: ChannelHandlerContext?
  private var outbox = Outbox()
  /// The payload of the close frame, after which nothing is sent.
  private var closing: ByteBuffer?
  private var isWriting = false
  /// Whether reading waits for replies to be sent.
  private var isReadDue = false
  /// The parts of a text message so far; `nil` outside a message.
  private var message: ByteBuffer?
  private var nextPing: NIODeadline?
  private var lastHeard: NIODeadline?
  private var tick: Scheduled<Void>?
  private var nextTick: NIODeadline?
  private var hasEnded = false

  /// - Parameters:
  ///   - onSending: Called with whether something is being sent, which has a deadline.
  ///   - onEnd: Called when the conversation has ended, unless the connection has.
  init(
    _ source: SnapshotSource, on loop: ServerLoop, limits: Limits, onSending: @escaping (Bool) -> Void,
    onEnd: @escaping () -> Void
  ) {
    (self.source, self.loop, self.limits) = (source, loop, limits)
    (self.onSending, self.onEnd) = (onSending, onEnd)
  }

  // MARK: Events

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    lastHeard = context.eventLoop.now
    nextPing = context.eventLoop.now + TimeAmount(limits.pingTime)
    flush()
    scheduleTick()
  }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard closing == nil, !hasEnded else { return }
    lastHeard = context.eventLoop.now
    do throws(Fault) {
      try handle(Self.unwrapInboundIn(data))
    } catch {
      close(error.rawValue)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReadDue = true
    flush()
    read()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? NIOWebSocketError else { return context.fireErrorCaught(error) }
    close((error == .invalidFrameLength ? Fault.tooBig : .protocolError).rawValue)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  // MARK: Receiving

  private func handle(_ frame: WebSocketFrame) throws(Fault) {
    // No extension is negotiated, so the reserved bits must be 0. A client must mask what it sends (RFC 6455, 5.1).
    guard frame.maskKey != nil, frame.reservedBits.isEmpty else { throw .protocolError }
    var payload = frame.unmaskedData
    switch frame.opcode {
    case .ping: outbox.pong = payload
    case .pong: break
    case .connectionClose:
      guard payload.readableBytes != 1 else { throw .protocolError }
      close(payload.readInteger())
    case .binary: throw .notText
    case .text, .continuation:
      // A message begins with its type, and its further frames continue it (RFC 6455, 5.4).
      guard (frame.opcode == .text) == (message == nil) else { throw .protocolError }
      var whole = message ?? ByteBuffer()
      whole.writeBuffer(&payload)
      guard whole.readableBytes <= Self.maximumBytes else { throw .tooBig }
      message = frame.fin ? nil : whole
      guard frame.fin else { return }
      guard let text = String(validating: whole.readableBytesView, as: UTF8.self) else { throw .notUTF8 }
      receive(text)
    default: throw .protocolError  // not an enum of ours
    }
  }

  private func receive(_ text: String) {
    let rate = session.options.rate
    let command = session.receive(text, on: source.scale())
    if session.options.rate != rate { scheduleTick(until: nextTick) }
    guard let command, let context else { return }
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    source.perform(command.action) { [loop] error in
      loop.runInTurn { this.value.complete(command.identifier, error) }
    }
  }

  private func complete(_ identifier: Int, _ error: SnapshotError?) {
    session.complete(identifier, error)
    flush()
    read()
  }

  /// Reads on if there is room for more commands.
  private func read() {
    guard isReadDue, session.hasRoom, closing == nil, !hasEnded, let context else { return }
    isReadDue = false
    context.read()
  }

  // MARK: Sending

  /// Schedules the next mass at the rate of the client, but not after the one that is scheduled already: a client that keeps changing
  /// the rate gets it, too.
  private func scheduleTick(until latest: NIODeadline? = nil) {
    guard let context else { return }
    tick?.cancel()
    let regular = context.eventLoop.now + TimeAmount(session.options.rate.interval)
    let due = latest.map { min($0, regular) } ?? regular
    nextTick = due
    tick = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { [self] in
      let now = context.eventLoop.now
      outbox.isSnapshotDue = true
      if let nextPing, now >= nextPing {
        self.nextPing = now + TimeAmount(limits.pingTime)
        outbox.isPingDue = true
      }
      flush()
      // A client that answers no ping is gone, or has stopped in the middle of a frame.
      if let lastHeard, now - lastHeard > TimeAmount(limits.silenceTime) { return finish() }
      scheduleTick()
    }
  }

  /// Sends what is waiting, unless something is being sent.
  private func flush() {
    guard !isWriting, !hasEnded, let context else { return }
    let frames = closing.map { [WebSocketFrame(fin: true, opcode: .connectionClose, data: $0)] } ?? waitingFrames()
    guard !frames.isEmpty else { return }
    let isLast = closing != nil
    isWriting = true
    onSending(true)
    for frame in frames.dropLast() { context.write(Self.wrapOutboundOut(frame), promise: nil) }
    context.writeAndFlush(Self.wrapOutboundOut(frames[frames.count - 1])).assumeIsolated().whenSuccess { [self] in
      guard !hasEnded else { return }
      isWriting = false
      onSending(false)
      guard !isLast else { return finish() }
      flush()
      read()
    }
  }

  /// Removes and returns what is waiting.
  private func waitingFrames() -> [WebSocketFrame] {
    defer { outbox = Outbox(isSnapshotDue: false) }
    let (scale, now) = (source.scale(), Instant.now())
    func text(_ frame: SnapshotFrame) -> WebSocketFrame {
      let json = frame.json(scale, since: source.start, at: now)
      return WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: json))
    }
    var frames: [WebSocketFrame] = []
    if let pong = outbox.pong { frames.append(WebSocketFrame(fin: true, opcode: .pong, data: pong)) }
    frames += session.takeReplies().map(text)
    if outbox.isSnapshotDue { frames += (session.takeEvents(scale) + [.weight]).map(text) }
    if outbox.isPingDue { frames.append(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())) }
    return frames
  }

  /// Sends the close frame; without a status code if the client sent none.
  private func close(_ code: UInt16?) {
    guard closing == nil else { return }
    var payload = ByteBuffer()
    if let code { payload.writeInteger(code) }
    closing = payload
    flush()
  }

  private func finish() {
    guard !hasEnded else { return }
    end()
    onEnd()
  }

  /// A client that has gone silent may keep its side open until the timeout, but not its place.
  private func end() {
    hasEnded = true
    tick?.cancel()
    source.end()
  }

  /// Why the server closes a WebSocket; the raw value is the status code (RFC 6455, 7.4.1).
  private enum Fault: UInt16, Error {
    case protocolError = 1002
    case notText = 1003
    case notUTF8 = 1007
    case tooBig = 1009
  }
}
