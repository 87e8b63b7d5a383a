import Synchronization
import Testing
import Weighing

@testable import Servers

/// The path that moves the loads of a simulated pad.
struct PadRouteTests {
  private final class Touches: Sendable {
    let bodies = Mutex<[String]>([])
  }

  @Test func aTouchIsPassedOn() async throws {
    let touches = Touches()
    let dashboard = try await RunningDashboard(touchPad: { body in
      touches.bodies.withLock { $0.append(String(decoding: body, as: UTF8.self)) }
      return body.isEmpty ? .verbatim("expected a JSON object") : nil
    })
    let pad = WritingPath(path: "/api/pad", dashboard: dashboard)
    #expect(try await pad.post("{\"loads\": []}").status == 200)
    let refusal = try await pad.post("")
    #expect(refusal.status == 400)
    #expect(refusal.contains("Invalid body: expected a JSON object."))
    #expect(touches.bodies.withLock { $0 } == ["{\"loads\": []}", ""])
    try await pad.expectRulesOfActions()
    #expect(try await pad.get().status == 405)
    #expect(touches.bodies.withLock { $0.count } == 2)
  }

  @Test func otherScalesHaveNoSuchPath() async throws {
    let pad = WritingPath(path: "/api/pad", dashboard: try await RunningDashboard())
    #expect(try await pad.post("{}").status == 404)
  }
}
