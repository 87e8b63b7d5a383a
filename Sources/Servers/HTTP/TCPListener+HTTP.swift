import NIOCore

extension TCPListener {
  /// Serves HTTP/1.1 within limits.
  convenience init(
    http address: String, ports: [UInt16], on loop: ServerLoop, connections: ConnectionTable, limits: Limits,
    responder: any Responder, onListen: @escaping @Sendable (_ port: UInt16) -> Void,
    onError: @escaping @Sendable (ListenError) -> Void
  ) {
    let settings = Settings(
      address: address, ports: ports, pieceBytes: HTTPConnection.pieceBytes,
      options: [(.tcpOption(.tcp_nodelay), 1), (.socketOption(.so_sndbuf), Int(limits.sendBuffer))])
    self.init(settings, on: loop, onListen: onListen, onError: onError) { _ in
      HTTPConnection(on: loop, connections: connections, limits: limits, responder: responder)
    }
  }
}
