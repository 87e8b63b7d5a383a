import Linux
import NIOCore

extension TCPListener {
  /// Serves HTTP/1.1 within limits.
  ///
  /// - Parameter socket: One that already listens on the address and the port.
  convenience init(
    http address: String, ports: [UInt16], socket: ListeningSocket? = nil, on loop: ServerLoop,
    connections: ConnectionTable, limits: Limits, responder: any Responder,
    onListen: @escaping @Sendable (_ port: UInt16) -> Void,
    onClose: @escaping @Sendable (_ port: UInt16) -> Void = { _ in },
    onError: @escaping @Sendable (ListenError) -> Void
  ) {
    let settings = Settings(
      address: address, ports: ports, socket: socket, pieceBytes: HTTPConnection.pieceBytes,
      options: [(.tcpOption(.tcp_nodelay), 1), (.socketOption(.so_sndbuf), Int(limits.sendBuffer))])
    self.init(settings, on: loop, onListen: onListen, onClose: onClose, onError: onError) { _ in
      HTTPConnection(on: loop, connections: connections, limits: limits, responder: responder)
    }
  }
}
