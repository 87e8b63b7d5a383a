import NIOCore
import NIOHTTP1
import NIOWebSocket

/// One connection: reads a request, sends the response, and reads the next request until either side closes.
///
/// NIOHTTP1's parser takes folded lines and bytes past ASCII; `RequestHead` rejects whatever two parsers could read differently.
/// While a request is answered, nothing is read.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum State {
    /// Waiting for a request or for the rest of one.
    case receiving
    /// A request is being answered.
    case answering
    /// Nothing more is sent. What the client still sends is ignored, up to a number of bytes.
    case discarding(left: Int)
    /// The handlers that follow have it.
    case webSocket
    case ended
  }

  /// The most bytes of a response that are sent at a time, each with a deadline.
  static let pieceBytes = 4096

  private let loop: ServerLoop
  private let connections: ConnectionTable
  private let limits: Limits
  private let responder: any Responder
  private var context: ChannelHandlerContext?
  private var identifier: UInt64 = 0
  private var address: ClientAddress?
  private var state = State.receiving
  private var reader: RequestReader
  private var stream: (any BodyStream)?
  /// Called if the client gives up before it is answered.
  private var onAbandon: (@Sendable () -> Void)?
  /// Whether the client sends nothing more.
  private var hasInputEnded = false

  init(on loop: ServerLoop, connections: ConnectionTable, limits: Limits, responder: any Responder) {
    (self.loop, self.connections, self.limits, self.responder) = (loop, connections, limits, responder)
    reader = RequestReader(limits: limits)
  }

  // MARK: Events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    guard let address = context.remoteAddress?.ipAddress.flatMap(ClientAddress.init) else {
      return context.close(promise: nil)
    }
    self.address = address
    guard let identifier = connections.add(context.channel, from: address) else {
      state = .answering
      return send(.error(.busy, allowing: ""), to: nil) { context.close(promise: nil) }
    }
    self.identifier = identifier
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    switch state {
    // The loop reads the rest of what a client has sent when the client ends its side.
    case .receiving, .answering: if reader.hasRoom { reader.append(bytes.readableBytesView) }
    case .discarding(let left):
      state = .discarding(left: left - bytes.readableBytes)
      if left < bytes.readableBytes { context.close(promise: nil) }
    case .webSocket: context.fireChannelRead(data)
    case .ended: break
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    switch state {
    case .receiving: advance()
    case .discarding: context.read()
    case .webSocket: context.fireChannelReadComplete()
    case .answering, .ended: break
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
    hasInputEnded = true
    switch state {
    // A client may end its side and wait for the answer, but not for a minute.
    case .answering: onAbandon?()
    case .ended: break
    case .receiving: advance()
    case .discarding, .webSocket: context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    state = .ended
    connections.remove(identifier)
    onAbandon?()
    onAbandon = nil
    stream?.end()
    stream = nil
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  // MARK: Requests

  /// Answers the next request, or reads on.
  private func advance() {
    guard case .receiving = state, let context, let address else { return }
    do throws(RequestError) {
      if let (head, body) = try reader.next() {
        state = .answering
        connections.set(identifier, .responding)
        return answer(Request(head: head, body: body, client: address))
      }
      if reader.takeContinue() {
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        connections.set(identifier, .receiving)
      }
      if hasInputEnded { context.close(promise: nil) } else { context.read() }
    } catch {
      state = .answering
      send(.problem(error.rawValue, error.detail(limits), error.status), to: nil) { [self] in linger() }
    }
  }

  private func answer(_ request: Request) {
    switch responder.answer(to: request) {
    case .response(let response): respond(response, to: request.head)
    case .later(let work): work(onLoop { $0.respond($1, to: request.head) })
    case .waiting(let work):
      onAbandon = work(onLoop { $0.respond($1, to: request.head) })
      if hasInputEnded { onAbandon?() }
    case .webSocket(let session): upgrade(request, to: session)
    }
  }

  /// A function that calls another one on the loop, after other connections have had their turn, so that neither a thread nor the depth
  /// of the calls matters.
  private func onLoop<Value: Sendable>(
    _ body: @escaping @Sendable (HTTPConnection, Value) -> Void
  ) -> @Sendable (Value) -> Void {
    let this = NIOLoopBound(self, eventLoop: loop.eventLoop)
    return { [loop] value in loop.runInTurn { body(this.value, value) } }
  }

  // MARK: Responses

  private func respond(_ response: Response, to head: RequestHead) {
    onAbandon = nil
    send(response, to: head) { [self] in
      guard keepsAlive(response, head) else {
        context?.close(promise: nil)
        return
      }
      state = .receiving
      connections.set(identifier, .receiving)
      onLoop { this, _ in this.advance() }(())
    }
  }

  /// Whether the connection stays open after a response.
  private func keepsAlive(_ response: Response, _ head: RequestHead) -> Bool {
    if case .stream = response.body { head.keepsAlive && head.hasChunks } else { head.keepsAlive }
  }

  /// Sends a response piece by piece, each with a deadline.
  ///
  /// - Parameters:
  ///   - head: The head of the request; `nil` if it cannot be read.
  ///   - completion: Called when all of it was sent, unless the connection ends before that.
  private func send(_ response: Response, to head: RequestHead?, then completion: @escaping () -> Void) {
    guard case .answering = state else {
      if case .stream(let stream) = response.body { stream.end() }
      return
    }
    let isChunked = head?.hasChunks == true
    var text = response.head
    switch response.body {
    // The length in a 304 would be that of the 200. RFC 9110, 8.6
    case .bytes where response.status == .notModified: break
    case .bytes(let bytes): text += "Content-Length: \(bytes.count)\r\n"
    case .stream: if isChunked { text += "Transfer-Encoding: chunked\r\n" }
    }
    text += head.map { keepsAlive(response, $0) } == true ? "\r\n" : "Connection: close\r\n\r\n"
    switch response.body {
    case .bytes(let bytes): write(Array(text.utf8) + (head?.method == "HEAD" ? [] : bytes), then: completion)
    case .stream(let stream) where head?.method == "HEAD":
      stream.end()
      write(Array(text.utf8), then: completion)
    case .stream(let stream):
      self.stream = stream
      write(Array(text.utf8)) { [self] in sendNext(of: stream, isChunked: isChunked, then: completion) }
    }
  }

  private func sendNext(of stream: any BodyStream, isChunked: Bool, then completion: @escaping () -> Void) {
    let completion = NIOLoopBound(completion, eventLoop: loop.eventLoop)
    stream.next(
      onLoop { this, piece in
        guard case .answering = this.state else { return }
        switch piece {
        case .bytes(let bytes):
          this.write(isChunked ? Self.chunk(bytes) : bytes) {
            this.sendNext(of: stream, isChunked: isChunked, then: completion.value)
          }
        case .end:
          this.stream = nil
          this.write(isChunked ? Array("0\r\n\r\n".utf8) : [], then: completion.value)
        case .failure: this.context?.close(promise: nil)
        }
      })
  }

  /// A piece of a body as a chunk (RFC 9112, 7.1).
  private static func chunk(_ piece: [UInt8]) -> [UInt8] {
    Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
  }

  /// Sends bytes in pieces; calls `completion` when the kernel has them all, unless the connection ends before that.
  private func write(_ bytes: [UInt8], then completion: @escaping () -> Void) {
    guard let context else { return }
    guard !bytes.isEmpty else { return completion() }
    connections.set(identifier, .sending)
    var buffer = context.channel.allocator.buffer(bytes: bytes)
    while let piece = buffer.readSlice(length: min(Self.pieceBytes, buffer.readableBytes)), piece.readableBytes > 0 {
      let isLast = buffer.readableBytes == 0
      context.write(Self.wrapOutboundOut(piece)).assumeIsolated().whenSuccess { [self] in
        connections.set(identifier, isLast ? .responding : .sending)
        if isLast { completion() }
      }
    }
    context.flush()
  }

  /// Ends this side, and reads a limited amount of what the client still sends: closing with unread bytes would reset the
  /// connection, and the client might never see the response (RFC 9112, 9.6).
  private func linger() {
    guard let context else { return }
    guard !hasInputEnded else { return context.close(promise: nil) }
    state = .discarding(left: 1 << 20)
    connections.set(identifier, .receiving)
    context.close(mode: .output, promise: nil)
    context.read()
  }

  // MARK: WebSocket

  private func upgrade(_ request: Request, to source: SnapshotSource) {
    guard let context else { return source.end() }
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    let names = ["sec-websocket-key", "sec-websocket-version"]
    let headers = HTTPHeaders(names.map { ($0, request[$0] ?? "") })
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: request.path, headers: headers)
    upgrader.buildUpgradeResponse(channel: context.channel, upgradeRequest: head, initialResponseHeaders: [:])
      .assumeIsolated().whenComplete { [self] result in
        guard case .success(let headers) = result else {
          source.end()
          return context.close(promise: nil)
        }
        write(Array((Response.head(.switchingProtocols, headers) + "\r\n").utf8)) { [self] in serve(source) }
      }
  }

  private func serve(_ source: SnapshotSource) {
    guard let context, case .answering = state else { return source.end() }
    let connection = SnapshotConnection(
      source, on: loop, limits: limits,
      onSending: { [self] isSending in connections.set(identifier, isSending ? .sending : .responding) },
      onEnd: { [self] in linger() })
    do {
      let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: SnapshotConnection.maximumBytes))
      try context.pipeline.syncOperations.addHandlers([WebSocketFrameEncoder(), decoder, connection])
    } catch {
      source.end()
      return context.close(promise: nil)
    }
    state = .webSocket
    let rest = reader.takeRest()
    if !rest.isEmpty { context.fireChannelRead(Self.wrapInboundOut(ByteBuffer(bytes: rest))) }
    context.fireChannelReadComplete()
    if hasInputEnded { context.close(promise: nil) }
  }
}
