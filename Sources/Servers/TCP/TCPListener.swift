import Glibc
import Linux
import NIOCore
import NIOPosix
import Synchronization

/// Listens on an address, and tries again every 5 s while that is not possible. While the program has no descriptor left, it
/// accepts a connection at most once a second.
final class TCPListener: Sendable {
  /// Where it listens, and the options of its connections.
  struct Settings: Sendable {
    /// An IPv4 or IPv6 address.
    var address: String
    /// The ports to try in order; 0 for any free one.
    var ports: [UInt16]
    /// A socket that already listens there.
    var socket: ListeningSocket?
    /// The most bytes that are read from a connection at a time.
    var pieceBytes: Int
    /// Options of the sockets of connections: socket(7), tcp(7).
    var options: [(option: ChannelOptions.Types.SocketOption, value: Int)]
  }

  private struct State: Sendable {
    var channel: (any Channel)?
    var retry: Scheduled<Void>?
    var reported: ListenError?
    var isStopped = false
  }

  /// The number of connections that wait in the kernel; TCP makes further clients retry.
  private static let backlog: Int32 = 128
  private static let retryTime = TimeAmount.seconds(5)

  private let loop: ServerLoop
  private let settings: Settings
  private let onListen: @Sendable (_ port: UInt16) -> Void
  private let onClose: @Sendable (_ port: UInt16) -> Void
  private let onError: @Sendable (ListenError) -> Void
  private let makeHandler: @Sendable (any Channel) -> any ChannelHandler
  private let state = Mutex(State())

  /// Makes a listener; it does nothing until `start`.
  ///
  /// - Parameters:
  ///   - onListen: Called with the port as soon as it listens.
  ///   - onClose: Called with the port when it does not listen for now, because of a fault.
  ///   - onError: Called with the reason when it cannot listen or accept, once for each reason in a row.
  ///   - makeHandler: Makes the handler of a new connection, which is read from only when the handler asks for it.
  init(
    _ settings: Settings, on loop: ServerLoop, onListen: @escaping @Sendable (UInt16) -> Void,
    onClose: @escaping @Sendable (UInt16) -> Void = { _ in },
    onError: @escaping @Sendable (ListenError) -> Void,
    makeHandler: @escaping @Sendable (any Channel) -> any ChannelHandler
  ) {
    (self.settings, self.loop, self.makeHandler) = (settings, loop, makeHandler)
    (self.onListen, self.onClose, self.onError) = (onListen, onClose, onError)
  }

  /// Listens as soon as possible.
  func start() { loop.run { [self] in listen(on: settings.ports[...], after: nil) } }

  /// Listens no more. Open connections stay.
  func stop() {
    let state = state.withLock { state in
      state.isStopped = true
      return state
    }
    state.retry?.cancel()
    state.channel?.close(promise: nil)
  }

  /// Tries ports in order.
  ///
  /// - Parameter first: Why it cannot listen on the first port.
  private func listen(on ports: ArraySlice<UInt16>, after first: ListenError?) {
    guard !state.withLock({ $0.isStopped }) else { return }
    guard let port = ports.first else { return retry(after: first) }
    bind(port).whenComplete { [self] result in
      switch result {
      case .success(let channel): adopt(channel)
      case .failure(let error):
        listen(on: ports.dropFirst(), after: first ?? ListenError(error, at: settings.address, port))
      }
    }
  }

  private func adopt(_ channel: any Channel) {
    let isStopped = state.withLock { state in
      (state.channel, state.reported) = (channel, nil)
      return state.isStopped
    }
    if isStopped { return channel.close(promise: nil) }
    let port = UInt16(channel.localAddress?.port ?? 0)
    // A fault of the network can end it.
    channel.closeFuture.whenComplete { [self] _ in
      if !state.withLock({ $0.isStopped }) { onClose(port) }
      retry(after: nil)
    }
    onListen(port)
  }

  private func retry(after error: ListenError?) {
    guard !state.withLock({ $0.isStopped }) else { return }
    if let error { report(error) }
    let retry = loop.eventLoop.scheduleTask(in: Self.retryTime) { [self] in
      listen(on: settings.ports[...], after: nil)
    }
    state.withLock { $0.retry = retry }
  }

  private func report(_ error: ListenError) {
    let isNew = state.withLock { state in
      defer { state.reported = error }
      return state.reported != error
    }
    if isNew { onError(error) }
  }

  private func bind(_ port: UInt16) -> EventLoopFuture<any Channel> {
    let bootstrap = ServerBootstrap(group: loop.eventLoop)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.closeOnExec()
          try channel.pipeline.syncOperations.addHandler(AcceptErrors(onError: report))
        }
      }
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: settings.pieceBytes))
      .childChannelInitializer { [makeHandler] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.closeOnExec()
          try channel.pipeline.syncOperations.addHandler(makeHandler(channel))
        }
      }
    for (option, value) in settings.options { _ = bootstrap.childChannelOption(option, value: value) }
    do {
      if let socket = settings.socket {
        // The channel closes its descriptor; the other one is for the next attempt.
        let descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        if descriptor < 0 { throw IOError(errnoCode: errno, reason: "fcntl") }
        return bootstrap.withBoundSocket(descriptor)
      }
      return bootstrap.bind(to: try SocketAddress(ipAddress: settings.address, port: Int(port)))
    } catch {
      return loop.eventLoop.makeFailedFuture(error)
    }
  }

  /// Reports why a connection cannot be accepted, and accepts none for a second: the socket stays readable.
  private final class AcceptErrors: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let onError: @Sendable (ListenError) -> Void

    init(onError: @escaping @Sendable (ListenError) -> Void) { self.onError = onError }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      if let error = error as? IOError { onError(ListenError(subject: "a connection", number: error.errnoCode)) }
      let channel = context.channel
      channel.setOption(.autoRead, value: false).whenComplete { _ in
        channel.eventLoop.scheduleTask(in: .seconds(1)) {
          channel.setOption(.autoRead, value: true).whenComplete { _ in channel.read() }
        }
      }
    }
  }
}

extension Channel {
  /// Closes the descriptor in programs that this one starts. fcntl(2)
  fileprivate func closeOnExec() throws {
    _ = try pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
      fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
}

/// Why a server cannot listen or accept a connection.
struct ListenError: Error, Hashable, Sendable {
  /// The address, or what else failed.
  var subject: String
  /// errno(3).
  var number: Int32

  init(subject: String, number: Int32) { (self.subject, self.number) = (subject, number) }

  fileprivate init(_ error: any Error, at address: String, _ port: UInt16) {
    subject = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    number = (error as? IOError)?.errnoCode ?? EINVAL
  }

  /// What failed, on what, and what to do.
  ///
  /// - Parameters:
  ///   - address: What sets the address.
  ///   - port: What sets the port.
  func description(address: String, port: String) -> String {
    switch number {
    case EADDRINUSE: "\(subject) is in use by another program; stop that program, or change \(port)"
    case EACCES: "\(subject): no permission; set \(port) to 1024 or higher"
    case EADDRNOTAVAIL: "\(subject) is not an address of this machine; change \(address)"
    default: "\(subject): \(systemText(number))"
    }
  }
}
