import Languages
import Synchronization
import Testing
import Weighing

@testable import Servers

/// The path of the calibration under way.
struct CalibrationRouteTests {
  private func session(
    _ change: (inout DashboardServer.Settings) -> Void = { _ in },
    certificate: Result<String, RouteError> = .success("PASS")
  ) async throws -> WritingPath {
    let dashboard = try await RunningDashboard(
      change,
      calibrating: CalibratingSource(
        state: { $0(Array(#"{"state":"none"}"#.utf8)) },
        perform: { body, completion in
          switch String(decoding: body, as: UTF8.self) {
          case "bad": completion(.failure(.badPayload(Sentence(.parameterMissing).about("do"))))
          case "late": completion(.failure(.refused(.init("not_now", .remoteNotNow))))
          case "full": completion(.failure(.failed(.init("not_stored", .verbatim("The disk is full.")))))
          default: completion(.success(Array(#"{"state":"active"}"#.utf8)))
          }
        }, certificate: { $0(certificate) }))
    return WritingPath(path: "/api/calibration/session", dashboard: dashboard)
  }

  @Test func answersWithTheState() async throws {
    let session = try await session()
    let state = try await session.get()
    #expect(state.status == 200 && state.contains(#"{"state":"none"}"#))
    #expect(try await session.post("{}").contains(#"{"state":"active"}"#))
    for (body, status, reason) in [("bad", 400, "bad_payload"), ("late", 409, "not_now"), ("full", 503, "not_stored")] {
      let answer = try await session.post(body)
      #expect(answer.status == status && answer.contains(reason), "\(body)")
    }
  }

  @Test func theCertificateIsAFile() async throws {
    let session = try await session()
    defer { withExtendedLifetime(session) {} }
    let port = session.dashboard.port
    let answer = try await RawClient.request(port, "GET /api/calibration/certificate")
    #expect(answer.status == 200 && answer.hasSuffix("PASS"), "\(answer)")
    #expect(answer.contains("Content-Type: text/plain") && answer.contains("filename=\"grampad-certificate.txt\""))
    #expect(
      try await RawClient.request(port, "GET /api/calibration/certificate", ["Sec-Fetch-Site: cross-site"]).status
        == 403
    )
    let posted = try await RawClient.request(port, "POST /api/calibration/certificate", WritingPath.json, body: "{}")
    #expect(posted.status == 405 && posted.contains("Allow: GET, HEAD\r\n"), "\(posted)")
    let missing = try await self.session(
      certificate: .failure(.refused(.init("incomplete", .remoteNoTest))))
    defer { withExtendedLifetime(missing) {} }
    let refused = try await RawClient.request(missing.dashboard.port, "GET /api/calibration/certificate")
    #expect(
      refused.status == 409 && refused.contains("The self-test of the calibration in use is missing."), "\(refused)")
  }

  @Test func needsWhatActionsNeed() async throws {
    let session = try await session()
    try await session.expectRulesOfActions()
    try await session.expectRulesOfReading()
    #expect(try await session.post(String(repeating: "x", count: 5000)).status == 413)
    #expect(try await RawClient.request(session.dashboard.port, "GET /api/calibration/elsewhere").status == 404)
  }

  @Test func needsTheTokenIfThereIsOne() async throws {
    let session = try await session { $0.token = Token("0123456789abcdef") }
    #expect(try await session.get().status == 200)
    try await session.expectToken()
  }
}
