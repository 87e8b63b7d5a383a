import FreePorts
import Glibc

/// A TCP port on 127.0.0.1 that is in use for the lifetime of the value.
final class TakenPort: Sendable {
  let port: UInt16
  private let socket: Int32

  /// Listens on any free port.
  init() { (socket, port) = FreePort.listen() }

  deinit { close(socket) }
}
