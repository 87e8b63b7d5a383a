import Dispatch
import FlyingFox
import Foundation
import Glibc
import Logging
import Messages

/// Serves the metrics of a program without a page: `/metrics`, and `/healthz` with what does not work.
package struct MetricsServer: Sendable {
  private let address: String
  private let port: UInt16
  private let handler: Handler
  private let logger: Logger

  /// Interval between attempts to listen on the address.
  private static let retry = DispatchTimeInterval.seconds(5)

  /// Makes a server; it does nothing until `run`.
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
    self.address = address
    self.port = port
    self.logger = logger
    handler = Handler(
      isLoopback: ClientAddress(address)?.isLoopback ?? false,
      policy: AccessPolicy(address: address, hosts: [], token: nil),
      metrics: metrics, faults: faults)
  }

  /// Whether a text is an IPv4 or IPv6 address.
  package static func isAddress(_ text: String) -> Bool { ClientAddress(text) != nil }

  /// Serves until the task is cancelled; waits until the address can be listened on.
  package func run() async {
    guard let listener = await listener() else { return }
    logger.info("serving metrics", metadata: ["metrics.address": "\(address)", "metrics.port": "\(listener.port)"])
    var limits = Limits()
    limits.connections = 16
    await BoundedServer(
      listener: listener, connections: ConnectionTable(limits: limits), limits: limits, handler: handler, logger: logger
    ) {}.run()
  }

  /// Listens as soon as possible; `nil` if the task is cancelled first.
  private func listener() async -> Listener? {
    var logged: ListenError?
    while !Task.isCancelled {
      do throws(ListenError) {
        return try Listener(address: address, port: port)
      } catch {
        if error != logged {
          let reason = "\(error.subject): \(String(cString: strerror(error.number)))"
          logger.warning("cannot serve metrics; retrying", metadata: ["metrics.reason": "\(reason)"])
        }
        logged = error
      }
      await Pause.wait(Self.retry)
    }
    return nil
  }

  private struct Handler: ExchangeHandler {
    let isLoopback: Bool
    let policy: AccessPolicy
    let metrics: @Sendable () -> MetricsText
    let faults: @Sendable () -> [String]

    func answer(to request: HTTPRequest) async -> ExchangeAnswer {
      do throws(APIError) {
        return .response(try response(to: request))
      } catch {
        return .response(DashboardRouter.errorResponse(error, allowing: "GET, HEAD"))
      }
    }

    private func response(to request: HTTPRequest) throws(APIError) -> HTTPResponse {
      // On loopback a page of another site could point its host name here. On a network every host can read the metrics.
      if isLoopback, let error = policy.error(for: request) { throw error }
      if let error = policy.dataError(for: request) { throw error }
      guard ["/metrics", "/healthz"].contains(request.path) else { throw .unknownPath }
      guard request.method == .GET || request.method.rawValue == "HEAD" else { throw .badMethod }
      guard request.path == "/healthz" else {
        var text = metrics()
        ProcessUse.now()?.write(to: &text)
        return DashboardRouter.response(MetricsText.contentType, HTTPBodySequence(data: Data(text.text.utf8)))
      }
      let faults = faults()
      var json = JSONWriter()
      json.object { json in
        json.key("status")
        json.string(faults.isEmpty ? "ok" : "failing")
        json.key("faults")
        json.array { json in
          for fault in faults { json.string(fault) }
        }
      }
      return DashboardRouter.json(json.bytes, faults.isEmpty ? .ok : .serviceUnavailable)
    }
  }
}
