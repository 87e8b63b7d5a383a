import FlyingFox
import Foundation
import Messages
import Synchronization
import Weighing

/// What is where:
///
/// | path | method | is |
/// | --- | --- | --- |
/// | `/` | GET | the page, with `/page.css`, `/page.js`, `/chart.js`, `/panels.js`, `/press.js`, `/icon.svg` |
/// | `/api/live` | GET | server-sent events, see `Feed` |
/// | `/api/trace` | GET | the last minutes of the net |
/// | `/api/weighings` | GET | the newest weighings; all of them as CSV under `/api/weighings.csv` |
/// | `/api/calibration` | GET | points, curve, residuals |
/// | `/api/action/NAME` | POST | an action; the body is `{}` or has `label` and, for a void or a relabel, `id` |
/// | `/metrics` | GET | see `Metrics` |
/// | `/healthz` | GET | 200 while it weighs and records, else 503; why, in JSON |
final class Site: HTTPHandler {
  let gate: Mutex<Gate>
  let sources: DashboardSources
  let viewers: Viewers
  let trace: NetTrace
  let tally: Tally
  let places: Places
  let settings: Mutex<DashboardServer.Settings>

  init(
    _ settings: DashboardServer.Settings, sources: DashboardSources, viewers: Viewers, trace: NetTrace, tally: Tally
  ) {
    self.settings = Mutex(settings)
    gate = Mutex(settings.gate)
    self.sources = sources
    self.viewers = viewers
    self.trace = trace
    self.tally = tally
    places = Places(limits: settings.limits)
  }

  func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
    let response = await answer(request)
    tally.answered(response.statusCode.code)
    return response
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let gate = gate.withLock { $0 }
    do throws(Refusal) {
      if let refusal = gate.refusal(of: request) { throw refusal }
      if request.path.hasPrefix("/api/action/") { return try await act(request, gate) }
      guard request.method == .GET || request.method.rawValue == "HEAD" else { throw .badMethod }
      if let page = Page.all[request.path] { return file(page, request) }
      if let refusal = gate.refusalOfData(request) { throw refusal }
      return try await data(request.path)
    } catch {
      return Self.refused(error)
    }
  }

  private func data(_ path: String) async throws(Refusal) -> HTTPResponse {
    switch path {
    case "/api/live":
      guard let events = viewers.follow() else { throw .busy }
      return Self.response("text/event-stream", HTTPBodySequence(from: events))
    case "/api/trace": return Self.json(trace.json())
    case "/api/weighings": return Self.json(sources.weighings())
    case "/api/weighings.csv": return try await table()
    case "/api/calibration": return Self.json(sources.calibration())
    case "/healthz":
      let condition = condition
      return Self.json(condition.json, condition.verdict == .failing ? .serviceUnavailable : .ok)
    case "/metrics" where settings.withLock { $0.hasMetrics }:
      let metrics = Metrics(
        condition: condition, readingAge: viewers.board.readingAge, counts: tally.counts, connections: places.count,
        viewers: viewers.count, closed: places.closed)
      return Self.response(MetricsText.contentType, HTTPBodySequence(data: Data(metrics.text.utf8)))
    default: throw .unknownPath
    }
  }

  private var condition: Condition {
    Condition(viewers.board, heartbeat: settings.withLock { $0.heartbeat }.seconds)
  }

  private func act(_ request: HTTPRequest, _ gate: Gate) async throws(Refusal) -> HTTPResponse {
    guard request.method == .POST else { throw .badMethod }
    if let refusal = gate.refusalOfAction(request) { throw refusal }
    let name = String(request.path.dropFirst("/api/action/".count))
    guard Action(rawValue: name) != nil || QuickAction.isType(name) else { throw .unknownPath }
    let body = (try? await request.bodyData) ?? Data()
    guard let answer = await sources.act(name, try ActionParameters(Array(body), for: name)) else { throw .busy }
    return Self.json(answer)
  }

  private func table() async throws(Refusal) -> HTTPResponse {
    switch await sources.table() {
    case .success(let bytes):
      var response = Self.response("text/csv; charset=utf-8", HTTPBodySequence(data: Data(bytes)))
      response.headers[.contentDisposition] = "attachment; filename=\"weighings.csv\""
      return response
    case .failure(.busy): throw .busy
    case .failure(.unreadable(let reason)):
      var json = JSONWriter()
      json.object { json in
        json.key("reason")
        json.string("journal_unavailable")
        json.key("detail")
        json.string(reason)
      }
      return Self.json(json.bytes, .serviceUnavailable)
    }
  }

  private func file(_ page: Page, _ request: HTTPRequest) -> HTTPResponse {
    let isKnown = request.headers[.ifNoneMatch] == page.tag
    var response = Self.response(page.contentType, HTTPBodySequence(data: isKnown ? Data() : Data(page.bytes)))
    if isKnown { response.statusCode = .notModified }
    response.headers[.eTag] = page.tag
    response.headers[.cacheControl] = "no-cache"
    return response
  }
}

extension Site {
  /// An answer with the headers that all of them have.
  ///
  /// Nothing from elsewhere is loaded, run or sent to, no other page may show this one, and no other origin may read it.
  static func response(_ contentType: String, _ body: HTTPBodySequence) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: HTTPHeaders([
        .contentType: contentType,
        .cacheControl: "no-store",
        HTTPHeader("Content-Security-Policy"):
          "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
        HTTPHeader("Referrer-Policy"): "no-referrer",
      ]), body: body)
  }

  static func json(_ bytes: [UInt8], _ status: HTTPStatusCode = .ok) -> HTTPResponse {
    var response = response("application/json", HTTPBodySequence(data: Data(bytes)))
    response.statusCode = status
    return response
  }

  static func refused(_ refusal: Refusal) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.key("ok")
      json.boolean(false)
      json.key("reason")
      json.string(refusal.rawValue)
      json.key("detail")
      json.string(refusal.detail)
    }
    var response = Self.json(json.bytes, refusal.status)
    switch refusal {
    case .tokenMissing, .tokenWrong: response.headers[HTTPHeader("WWW-Authenticate")] = "Bearer realm=\"grampad\""
    case .busy: response.headers[HTTPHeader("Retry-After")] = "2"
    case .badHost, .unknownHost, .crossOrigin, .notJSON, .closed, .badPayload, .unknownPath, .badMethod: break
    }
    return response
  }
}
