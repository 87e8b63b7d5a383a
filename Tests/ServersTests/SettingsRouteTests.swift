import Languages
import Synchronization
import Testing
import Weighing

@testable import Servers

/// The path of the settings.
struct SettingsRouteTests {
  private func settings(
    _ change: (inout DashboardServer.Settings) -> Void = { _ in }
  ) async throws -> WritingPath {
    let dashboard = try await RunningDashboard(
      change,
      changing: SettingsSource(state: { $0(.state(Array(#"{"revision":"1"}"#.utf8))) }) { body, completion in
        let answer: SettingsAnswer =
          switch String(decoding: body.prefix(8), as: UTF8.self) {
          case "bad": .badPayload(Sentence(.parameterMissing).about("revision"))
          case "late": .refused(reason: "conflict", detail: Sentence(.settingsChanged))
          case "full": .notSaved(.verbatim("The disk is full."))
          case "broken": .unavailable(.verbatim("grampad.yaml:1:1: invalid"))
          case "invalid":
            .invalid([
              SettingsFault(path: "containers[1].tare_g", message: .verbatim("expected a \"number\"")),
              SettingsFault(path: "device.name", message: Sentence(.configEmpty)),
            ])
          default: .state(Array(#"{"revision":"2"}"#.utf8))
          }
        completion(answer)
      })
    return WritingPath(path: "/api/settings", dashboard: dashboard)
  }

  @Test func answersWithTheStateOrTheReason() async throws {
    let settings = try await settings()
    let state = try await settings.get()
    #expect(state.status == 200 && state.contains(#"{"revision":"1"}"#))
    #expect(try await settings.post("{}").contains(#"{"revision":"2"}"#))
    for (body, status, words) in [
      ("bad", 400, "revision: missing"), ("late", 409, #""reason":"conflict""#), ("full", 503, "not_saved"),
      ("broken", 503, "configuration_invalid"),
      ("invalid", 422, #""faults":[{"path":"containers[1].tare_g","message":"expected a \"number\"","#),
    ] {
      let answer = try await settings.post(body)
      #expect(answer.status == status && answer.contains(words), "\(body): \(answer)")
    }
  }

  /// The page shows the faults at the fields, in its language.
  @Test func namesFaultsByTheirKeys() async throws {
    let settings = try await settings()
    let answer = try await settings.post("invalid", WritingPath.json + ["Accept-Language: ja"])
    let fault =
      #"{"path":"device.name","message":"must not be empty","message_key":"config_empty","message_values":{}}"#
    #expect(answer.contains(fault), "\(answer)")
  }

  /// Settings are longer than the parameters of an action.
  @Test func takesLongBodies() async throws {
    let settings = try await settings()
    #expect(try await settings.post(String(repeating: "x", count: 60_000)).status == 200)
    #expect(try await settings.post(String(repeating: "x", count: 66_000)).status == 413)
  }

  @Test func needsWhatActionsNeed() async throws {
    let settings = try await settings()
    try await settings.expectRulesOfActions()
    try await settings.expectRulesOfReading()
    #expect(try await settings.get(["X-Forwarded-For: 10.0.0.1"]).status == 403)
  }

  /// Reading them needs it, too.
  @Test func needsTheTokenIfThereIsOne() async throws {
    let settings = try await settings { $0.token = Token("0123456789abcdef") }
    #expect(try await settings.get().status == 401)
    #expect(try await settings.get(["Authorization: Bearer 0123456789abcdef"]).status == 200)
    try await settings.expectToken()
  }

  /// A disk that hangs, and clients that give up: what they have asked for waits on.
  @Test func refusesWhatCannotBeAnsweredSoon() async throws {
    let asked = AsyncStream<Completion<SettingsAnswer>>.makeStream()
    let source = SettingsSource(state: { asked.continuation.yield($0) }) { _, _ in }
    let dashboard = try await RunningDashboard({ $0.limits.connections = 3 }, changing: source)
    let settings = WritingPath(path: "/api/settings", dashboard: dashboard)
    var waiting = asked.stream.makeAsyncIterator()
    /// Asks for the settings and waits until somebody has been asked to answer.
    func ask() async throws -> (RawClient, answer: Completion<SettingsAnswer>) {
      let client = try RawClient(dashboard.port)
      client.send("GET /api/settings HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
      let answer = await waiting.next()
      return (client, try #require(answer))
    }
    var answers: [Completion<SettingsAnswer>] = []
    for _ in 1...3 {
      let (client, answer) = try await ask()
      answers.append(answer)
      client.reset()
    }
    // Their connections are free again.
    while try await RawClient.request(dashboard.port, "GET /").status != 200 {}
    let refused = try await settings.get()
    #expect(refused.status == 503 && refused.contains("Retry-After: 2"))
    for answer in answers { answer(.state(Array("{}".utf8))) }
    let (client, answer) = try await ask()
    answer(.state(Array("{}".utf8)))
    #expect(await client.read().text.status == 200)
  }

  @Test func isMissingWithoutAConfigurationFile() async throws {
    let settings = WritingPath(path: "/api/settings", dashboard: try await RunningDashboard())
    #expect(try await settings.get().status == 404)
  }
}
