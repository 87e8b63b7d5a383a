import Linux
import Weighing

/// What requests with parameters show: weighings of the whole journal, their totals, and the net of some hours.
extension DashboardRouter {
  /// Weighings of a selection, newest first.
  func history(_ request: Request) -> Answer {
    do throws(QueryError) {
      let query = try HistoryQuery(request, now: .wallClock())
      return .later { [sources] completion in sources.history(query) { completion(Self.response($0)) } }
    } catch {
      return .response(Self.refusal(error))
    }
  }

  /// The totals of a selection.
  func totals(_ request: Request) -> Answer {
    do throws(QueryError) {
      let selection = try HistoryQuery.selection(request, now: .wallClock())
      return .later { [sources] completion in sources.totals(selection) { completion(Self.response($0)) } }
    } catch {
      return .response(Self.refusal(error))
    }
  }

  /// The records of a selection as CSV, read while they are sent.
  func table(_ request: Request) -> Answer {
    let selection: WeighingSelection
    do throws(QueryError) {
      selection = try HistoryQuery.selection(request, now: .wallClock())
    } catch {
      return .response(Self.refusal(error))
    }
    let source: TableSource = { [sources] position, completion in sources.table(selection, position, completion) }
    return .later { completion in
      source(TablePosition()) { result in
        switch result {
        case .success(let first):
          let body = TableBody(first: first, source: source)
          completion(Response("text/csv; charset=utf-8", .stream(body)).attached(as: "weighings.csv"))
        case .failure(let error): completion(Self.response(error))
        }
      }
    }
  }

  /// The net of a range up to now.
  func trace(_ request: Request) -> Response {
    do throws(QueryError) {
      let name = try QueryString(request, names: ["range"])["range"] ?? "5m"
      if name == "5m" { return .json(trace.json()) }
      guard let range = TraceRange(rawValue: name) else { throw QueryError(.httpQueryRange) }
      return .json(trace.json(range))
    } catch {
      return Self.refusal(error)
    }
  }

  /// Rejects invalid parameters.
  static func refusal(_ error: QueryError) -> Response { .problem("bad_query", error.sentence, .badRequest) }

  private static func response(_ result: Result<[UInt8], TableError>) -> Response {
    switch result {
    case .success(let payload): .json(payload)
    case .failure(let error): response(error)
    }
  }

  private static func response(_ error: TableError) -> Response {
    switch error {
    case .unreadable(let reason): .problem("journal_unavailable", reason, .serviceUnavailable)
    case .busy: .error(.busy, allowing: "GET, HEAD")
    }
  }
}
