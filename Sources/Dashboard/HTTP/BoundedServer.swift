import Dispatch
import FlyingFox
import FlyingSocks
import Glibc
import Logging

/// Serves HTTP/1.1 within limits, with FlyingFox's sockets and request handlers.
///
/// FlyingFox's own `HTTPServer` (0.27) accepts any number of connections, headers of any length and arbitrarily slow
/// clients, stops listening when accept(2) fails once, and parses the unread rest of a body as the next request. This
/// server uses FlyingFox's requests, responses and streamed bodies, and its pool that waits for sockets.
struct BoundedServer: Sendable {
  let listener: Listener
  let connections: ConnectionTable
  let limits: Limits
  let handler: any ExchangeHandler
  let logger: Logger
  /// Called every second while a client is connected.
  let onTick: @Sendable () -> Void

  /// Serves until the task is cancelled; closes the listener.
  func run() async {
    let pool = HTTPServer.defaultPool()
    let arrivals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      do {
        try await pool.prepare()
      } catch {
        logger.error("cannot serve the dashboard", metadata: ["dashboard.reason": "\(error)"])
        return
      }
      group.addTask { try? await pool.run() }
      group.addTask {
        for await _ in arrivals.stream {
          while connections.count > 0, !Task.isCancelled {
            await Pause.wait(.seconds(1))
            connections.closeExpired()
            onTick()
          }
        }
      }
      group.addTask { await accept(pool) { arrivals.continuation.yield() } }
      // Either the task was cancelled or the pool has failed.
      await group.next()
      group.cancelAll()
      arrivals.continuation.finish()
    }
    close(listener.descriptor)
  }

  private func accept(_ pool: some AsyncSocketPool, onArrival: @escaping @Sendable () -> Void) async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        guard connections.hasRoom else {
          await Pause.wait(.milliseconds(10))
          continue
        }
        do throws(ListenError) {
          guard let client = try listener.accept(sendBuffer: limits.sendBuffer) else {
            let socket = Socket(file: .init(rawValue: listener.descriptor))
            guard (try? await pool.suspendSocket(socket, untilReadyFor: .read)) != nil else { break }
            continue
          }
          guard let socket = try? asyncSocket(client.descriptor, pool) else {
            close(client.descriptor)
            continue
          }
          guard let identifier = connections.add(client.descriptor, from: client.address) else {
            Self.reject(client.descriptor)
            continue
          }
          onArrival()
          group.addTask {
            await Exchange(
              socket: socket, address: client.address, identifier: identifier, connections: connections, limits: limits,
              handler: handler
            ).run()
            connections.remove(identifier)
          }
        } catch {
          logger.warning(
            "cannot accept a connection to the dashboard; retrying", metadata: ["dashboard.reason": "\(error)"])
          await Pause.wait(.milliseconds(500))
        }
      }
      connections.shutDownAll()
      group.cancelAll()
    }
  }

  /// Rejects a connection that exceeds the limits, without waiting, and closes it.
  private static func reject(_ descriptor: Int32) {
    let body = DashboardRouter.problem(APIError.busy.rawValue, APIError.busy.detail)
    let head =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 2\r\n"
      + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    let bytes = Array(head.utf8) + body
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    shutdown(descriptor, Int32(SHUT_WR))
    close(descriptor)
  }

  private func asyncSocket(_ client: Int32, _ pool: some AsyncSocketPool) throws -> AsyncSocket {
    try AsyncSocket(socket: Socket(file: .init(rawValue: client)), pool: pool)
  }
}
