import Logging
import Messages

/// Serves the metrics of a program without a page: `/metrics`, and `/healthz` with what does not work.
package final class MetricsServer: Sendable {
  private let loop = ServerLoop()
  private let connections: ConnectionTable
  private let listener: TCPListener

  /// Makes a server; it does nothing until `start`.
  ///
  /// - Parameters:
  ///   - address: The IPv4 or IPv6 address to listen on.
  ///   - port: 0 for any free one.
  ///   - metrics: The metrics of the program; those of the process are added.
  ///   - faults: What does not work; empty if the program works.
  package init(
    address: String, port: UInt16, logger: Logger, metrics: @escaping @Sendable () -> MetricsText,
    faults: @escaping @Sendable () -> [String]
  ) {
    var limits = Limits()
    limits.connections = 16
    connections = ConnectionTable(limits: limits)
    let answers = Answers(
      isLoopback: ClientAddress(address)?.isLoopback ?? false,
      policy: AccessPolicy(address: address, hosts: [], token: nil), metrics: metrics, faults: faults)
    listener = TCPListener(
      http: address, ports: [port], on: loop, connections: connections, limits: limits, responder: answers,
      onListen: { port in
        logger.info("serving metrics", metadata: ["metrics.address": "\(address)", "metrics.port": "\(port)"])
      },
      onError: { error in
        let reason = error.description(address: "--metrics", port: "--metrics")
        logger.warning("cannot serve metrics; retrying", metadata: ["metrics.reason": "\(reason)"])
      })
  }

  /// Whether a text is an IPv4 or IPv6 address.
  package static func isAddress(_ text: String) -> Bool { ClientAddress(text) != nil }

  /// Serves from now on, as soon as the address can be listened on.
  package func start() { listener.start() }

  /// Closes all connections; returns after that.
  package func stop() {
    loop.wait { [listener, connections] in
      listener.stop()
      connections.closeAll()
    }
    loop.stop()
  }

  private struct Answers: Responder {
    let isLoopback: Bool
    let policy: AccessPolicy
    let metrics: @Sendable () -> MetricsText
    let faults: @Sendable () -> [String]

    func answer(to request: Request) -> Answer {
      do throws(APIError) {
        return .response(try response(to: request))
      } catch {
        return .response(.error(error, allowing: "GET, HEAD"))
      }
    }

    private func response(to request: Request) throws(APIError) -> Response {
      // On loopback a page of another site could point its host name here. On a network every host can read the metrics.
      if isLoopback, let error = policy.error(for: request) { throw error }
      if let error = policy.dataError(for: request) { throw error }
      guard ["/metrics", "/healthz"].contains(request.path) else { throw .unknownPath }
      guard request.isReading else { throw .badMethod }
      guard request.path == "/healthz" else {
        var text = metrics()
        ProcessUse.now()?.write(to: &text)
        return Response(MetricsText.contentType, text.text)
      }
      let faults = faults()
      let json = JSONWriter.object { json in
        json.fields(("status", faults.isEmpty ? "ok" : "failing"))
        json.array("faults", faults) { json, fault in json.string(fault) }
      }
      return .json(json, faults.isEmpty ? .ok : .serviceUnavailable)
    }
  }
}
