import Synchronization
import Testing

@testable import Dashboard

/// The path that moves the loads of a simulated pad.
struct PadRouteTests {
  private final class Touches: Sendable {
    let bodies = Mutex<[String]>([])
  }

  private static let json = ["Content-Type: application/json"]

  private func post(_ body: String, _ headers: [String] = json, to dashboard: RunningDashboard) async throws -> String {
    try await RawClient.request(dashboard.port, "POST /api/pad", headers, body: body)
  }

  @Test func aTouchIsPassedOn() async throws {
    let touches = Touches()
    let dashboard = try await RunningDashboard(touchPad: { body in
      touches.bodies.withLock { $0.append(String(decoding: body, as: UTF8.self)) }
      return body.isEmpty ? "expected a JSON object" : nil
    })
    #expect(try await post("{\"loads\": []}", to: dashboard).status == 200)
    let refusal = try await post("", to: dashboard)
    #expect(refusal.status == 400)
    #expect(refusal.contains("Invalid body: expected a JSON object."))
    #expect(touches.bodies.withLock { $0 } == ["{\"loads\": []}", ""])
    #expect(try await post("{}", [], to: dashboard).status == 415)
    #expect(try await post("{}", Self.json + ["Origin: http://elsewhere"], to: dashboard).status == 403)
    #expect(try await post("{}", Self.json + ["X-Forwarded-For: 10.0.0.1"], to: dashboard).status == 403)
    #expect(try await RawClient.request(dashboard.port, "GET /api/pad").status == 405)
    #expect(touches.bodies.withLock { $0.count } == 2)
  }

  @Test func otherScalesHaveNoSuchPath() async throws {
    let dashboard = try await RunningDashboard()
    #expect(try await post("{}", to: dashboard).status == 404)
  }
}
