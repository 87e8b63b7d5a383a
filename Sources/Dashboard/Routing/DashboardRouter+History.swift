import EventLoop
import FlyingFox
import Weighing

/// What requests with parameters show: weighings of the whole journal, their totals, and the net of some hours.
extension DashboardRouter {
  /// Weighings of a selection, newest first.
  func history(_ request: HTTPRequest) async -> HTTPResponse {
    do throws(QueryError) {
      return Self.answer(await sources.history(try HistoryQuery(request, now: .wallClock())))
    } catch {
      return Self.refusal(error)
    }
  }

  /// The totals of a selection.
  func totals(_ request: HTTPRequest) async -> HTTPResponse {
    do throws(QueryError) {
      return Self.answer(await sources.totals(try HistoryQuery.selection(request, now: .wallClock())))
    } catch {
      return Self.refusal(error)
    }
  }

  /// The records of a selection as CSV, read while they are sent.
  func table(_ request: HTTPRequest) async -> HTTPResponse {
    let selection: WeighingSelection
    do throws(QueryError) {
      selection = try HistoryQuery.selection(request, now: .wallClock())
    } catch {
      return Self.refusal(error)
    }
    let source: TableSource = { [sources] position in await sources.table(selection, position) }
    switch await source(TablePosition()) {
    case .success(let first):
      let body = TableBody(first: first, source: source)
      var response = Self.response(
        "text/csv; charset=utf-8", HTTPBodySequence(from: body, count: Exchange.unknownLength))
      response.headers[.contentDisposition] = "attachment; filename=\"weighings.csv\""
      return response
    case .failure(let error): return Self.answer(error)
    }
  }

  /// The net of a range up to now.
  func trace(_ request: HTTPRequest) -> HTTPResponse {
    do throws(QueryError) {
      let name = try QueryString(request, names: ["range"])["range"] ?? "5m"
      if name == "5m" { return Self.json(trace.json()) }
      guard let range = TraceRange(rawValue: name) else { throw QueryError(detail: "range: use 5m, 1h, 6h or 24h.") }
      return Self.json(trace.json(range))
    } catch {
      return Self.refusal(error)
    }
  }

  /// Rejects invalid parameters.
  static func refusal(_ error: QueryError) -> HTTPResponse { json(problem("bad_query", error.detail), .badRequest) }

  private static func answer(_ result: Result<[UInt8], TableError>) -> HTTPResponse {
    switch result {
    case .success(let payload): json(payload)
    case .failure(let error): answer(error)
    }
  }

  private static func answer(_ error: TableError) -> HTTPResponse {
    switch error {
    case .unreadable(let reason): json(problem("journal_unavailable", reason), .serviceUnavailable)
    case .busy: errorResponse(.busy, allowing: "GET, HEAD")
    }
  }
}
