import Testing

/// A path of the dashboard that can be written to by the rules of actions.
struct WritingPath {
  let path: String
  let dashboard: RunningDashboard

  static let json = ["Content-Type: application/json"]

  func post(_ body: String, _ headers: [String] = json) async throws -> String {
    try await RawClient.request(dashboard.port, "POST \(path)", headers, body: body)
  }

  func get(_ headers: [String] = []) async throws -> String {
    try await RawClient.request(dashboard.port, "GET \(path)", headers)
  }

  /// Other sites, proxies and forms must not write.
  func expectRulesOfActions() async throws {
    #expect(try await post("{}", []).status == 415)
    for header in ["Origin: http://elsewhere", "Sec-Fetch-Site: cross-site", "X-Forwarded-For: 10.0.0.1"] {
      #expect(try await post("{}", Self.json + [header]).status == 403, "\(header)")
    }
  }

  /// Other sites must not read, and there are no other methods.
  func expectRulesOfReading() async throws {
    #expect(try await get(["Sec-Fetch-Site: cross-site"]).status == 403)
    let deletion = try await RawClient.request(dashboard.port, "DELETE \(path)")
    #expect(deletion.status == 405 && deletion.contains("Allow: GET, HEAD, POST"))
  }

  /// Writing needs the token of a dashboard with `0123456789abcdef`.
  func expectToken() async throws {
    #expect(try await post("{}").status == 401)
    #expect(try await post("{}", Self.json + ["Authorization: Bearer wrongwrongwrongwrong"]).status == 401)
    #expect(try await post("{}", Self.json + ["Authorization: Bearer 0123456789abcdef"]).status == 200)
  }
}
