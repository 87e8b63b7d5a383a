import Servers
import Synchronization
import Testing
import Weighing

/// The parameters of requests for weighings.
struct HistoryQueryTests {
  /// What the appliance was asked for.
  private final class Asked: Sendable {
    let queries = Mutex<[HistoryQuery]>([])
    let selections = Mutex<[WeighingSelection]>([])
  }

  private func dashboard(_ asked: Asked) async throws -> RunningDashboard {
    try await RunningDashboard(
      totals: { selection in
        asked.selections.withLock { $0.append(selection) }
        return .success(Array("{}".utf8))
      },
      history: { query in
        asked.queries.withLock { $0.append(query) }
        return .success(Array("{}".utf8))
      })
  }

  @Test func areRead() async throws {
    let asked = Asked()
    let dashboard = try await dashboard(asked)
    #expect(try await RawClient.request(dashboard.port, "GET /api/history").status == 200)
    let text =
      "from=2026-11-21T06:30:00%2B01:00&until=2026-11-22T00:00Z&label=rye+flour&search=Gr%C3%BC%26"
      + "&voided=false&before=17&limit=200"
    #expect(try await RawClient.request(dashboard.port, "GET /api/history?\(text)").status == 200)
    let queries = asked.queries.withLock { $0 }
    #expect(
      queries.first?.selection == WeighingSelection() && queries.first?.before == nil && queries.first?.limit == 50)
    let query = try #require(queries.last)
    #expect(
      query.selection
        == WeighingSelection(
          from: Instant(nanoseconds: 1_795_239_000_000_000_000), until: Instant(nanoseconds: 1_795_305_600_000_000_000),
          label: "rye flour", text: "Grü&", isVoided: false))
    #expect(query.before == 17 && query.limit == 200)
    #expect(try await RawClient.request(dashboard.port, "GET /api/totals?label=&voided=true").status == 200)
    #expect(asked.selections.withLock { $0 } == [WeighingSelection(label: "", isVoided: true)])
  }

  /// A day as the end is included.
  @Test func daysAreWhole() async throws {
    let asked = Asked()
    let dashboard = try await dashboard(asked)
    let day = "from=2026-11-21&until=2026-11-21"
    #expect(try await RawClient.request(dashboard.port, "GET /api/totals?\(day)").status == 200)
    let selection = try #require(asked.selections.withLock { $0 }.first)
    let (from, until) = (try #require(selection.from), try #require(selection.until))
    #expect(until - from == .seconds(86_400))
  }

  @Test(arguments: [
    ("/api/history", "limit=0", "limit"), ("/api/history", "limit=201", "limit"),
    ("/api/history", "limit=ten", "limit"),
    ("/api/history", "before=0", "before"), ("/api/history", "before=-1", "before"),
    ("/api/history", "from=yesterday", "from"), ("/api/history", "until=2026-02-30", "until"),
    ("/api/history", "from=2026-11-21&until=2026-11-20", "until must be later"),
    ("/api/history", "voided=1", "voided"), ("/api/history", "lable=x", "parameters"),
    ("/api/history", "label=a&label=b", "twice"), ("/api/history", "label=%C3", "UTF-8"),
    ("/api/history", "label=%zz", "UTF-8"), ("/api/history", "label=%4", "UTF-8"),
    ("/api/totals", "limit=5", "parameters"), ("/api/weighings.csv", "before=5", "parameters"),
    ("/api/weighings.csv", "from=x", "from"),
  ])
  func invalidOnesAreRejected(_ path: String, _ query: String, _ detail: String) async throws {
    let asked = Asked()
    let dashboard = try await dashboard(asked)
    let answer = try await RawClient.request(dashboard.port, "GET \(path)?\(query)")
    #expect(answer.status == 400 && answer.contains(#""reason":"bad_query""#) && answer.contains(detail), "\(answer)")
    #expect(asked.queries.withLock { $0 }.isEmpty && asked.selections.withLock { $0 }.isEmpty)
  }

  @Test(arguments: ["/api/history", "/api/totals", "/api/weighings.csv"]) func tooManyAreRejected(_ path: String)
    async throws
  {
    let dashboard = try await RunningDashboard(
      table: { _ in .failure(.busy) }, totals: { _ in .failure(.busy) }, history: { _ in .failure(.busy) })
    let answer = try await RawClient.request(dashboard.port, "GET \(path)")
    #expect(
      answer.status == 503 && answer.contains("Retry-After: 2\r\n") && answer.contains(#""reason":"busy""#), "\(answer)"
    )
  }

  /// Other paths have no parameters; a query there does not matter.
  @Test func otherPathsIgnoreThem() async throws {
    let dashboard = try await dashboard(Asked())
    for path in ["/?action=beans", "/api/weighings?x=%zz", "/healthz?"] {
      #expect(try await RawClient.request(dashboard.port, "GET \(path)").status != 400, "\(path)")
    }
  }
}
