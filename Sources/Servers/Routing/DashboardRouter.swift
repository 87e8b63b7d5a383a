import Languages
import Linux
import Logging
import Messages
import NIOHTTP1
import Synchronization
import Weighing

/// The paths of the dashboard, documented for users in `HTTP.md`:
///
/// | path | method | response |
/// | --- | --- | --- |
/// | `/` | GET | the page; `/NAME.js`, `/NAME.css` and `/icon*` are its files, see `Page` |
/// | `/kiosk` | GET | the page without controls, for a screen next to the scale |
/// | `/manifest.webmanifest` | GET | the web app manifest, with the quick actions as shortcuts |
/// | `/api/live` | GET | server-sent events, see `Feed` |
/// | `/api/trace` | GET | the last minutes of the net, or its last hours in buckets |
/// | `/api/weighings` | GET | the newest records |
/// | `/api/history` | GET | weighings of a selection, newest first; as CSV under `/api/weighings.csv` |
/// | `/api/curve/ID` | GET | the load around a weighing |
/// | `/api/totals` | GET | the totals of all weighings, or of a selection, by day and label |
/// | `/api/calibration` | GET | points, curve, residuals |
/// | `/api/calibration/session` | GET, POST | the calibration under way, see `CalibrationCommand` |
/// | `/api/calibration/certificate` | GET | the certificate of its self-test |
/// | `/api/settings` | GET, POST | the settings that users change in the page |
/// | `/api/machine` | GET, POST | the machine that the page sets up, see `MachineSource` |
/// | `/api/machine/backup` | GET | its backup |
/// | `/api/machine/restore` | POST | a piece of a backup to restore |
/// | `/api/action/NAME` | POST | an action; the body is that of the command on MQTT |
/// | `/api/pair` | POST | asks for the right to act; `/api/pair/ID` decides on it |
/// | `/api/clients` | GET | the clients that may act; DELETE `/api/clients/ID` revokes one |
/// | `/api/pad` | POST | moves the loads of the simulated pad of `demo` |
/// | `/snapshot` | GET | a WebSocket, see `SnapshotSession` |
/// | `/metrics` | GET | see `Metrics` |
/// | `/healthz` | GET | 200 while it weighs and records, else 503; the reasons as JSON |
final class DashboardRouter: Responder {
  let policy: Mutex<AccessPolicy>
  let sources: DashboardSources
  let viewers: Viewers
  let trace: NetTrace
  let counters: EventCounters
  let connections: ConnectionTable
  let settings: Mutex<DashboardServer.Settings>
  /// When the server was made, the zero of `ms` in snapshots.
  let start = Instant.now()
  private let wrongTokens: WrongTokens
  /// Number of requests that are answered later and have not been.
  private let unanswered = Mutex(0)

  init(
    _ settings: DashboardServer.Settings, sources: DashboardSources, viewers: Viewers, trace: NetTrace,
    counters: EventCounters, logger: Logger
  ) {
    self.settings = Mutex(settings)
    policy = Mutex(settings.accessPolicy)
    self.sources = sources
    self.viewers = viewers
    self.trace = trace
    self.counters = counters
    connections = ConnectionTable(limits: settings.limits) { viewers.sendHeartbeat() }
    wrongTokens = WrongTokens(logger: logger)
  }

  func answer(to request: Request) -> Answer {
    switch decide(request) {
    case .response(let response): return .response(count(response))
    case .later(let work):
      // If a disk hangs, clients that give up leave theirs. Actions have a limit of their own, and may need no disk.
      let isCounted = !request.path.hasPrefix(Self.actions)
      let limit = settings.withLock { $0.limits.connections }
      let isAdmitted = unanswered.withLock { unanswered in
        if isCounted, unanswered < limit { unanswered += 1 } else if isCounted { return false }
        return true
      }
      guard isAdmitted else { return .response(count(.error(.busy, allowing: ""))) }
      return .later { [self] completion in
        work { [self] response in
          if isCounted { unanswered.withLock { $0 -= 1 } }
          completion(count(response))
        }
      }
    // One is pending at a time.
    case .waiting(let work): return .waiting { [self] completion in work { [self] in completion(count($0)) } }
    case .webSocket(let source):
      counters.countResponse(Int(HTTPResponseStatus.switchingProtocols.code))
      return .webSocket(source)
    }
  }

  private func count(_ response: Response) -> Response {
    counters.countResponse(Int(response.status.code))
    return response
  }

  private func decide(_ request: Request) -> Answer {
    let policy = policy.withLock { $0 }
    do throws(APIError) {
      if let error = policy.error(for: request) {
        if error == .unknownHost, let portal = portal(request) { return portal }
        throw error
      }
      if request.path == Self.snapshot { return try upgrade(request, policy) }
      return try answer(request, policy)
    } catch {
      return .response(.error(error, allowing: Self.methods(of: request.path)))
    }
  }

  private static func methods(of path: String) -> String {
    if path == snapshot { return "GET" }
    if [session, settingsPath, machine].contains(path) { return "GET, HEAD, POST" }
    if path.hasPrefix(clients + "/") { return "DELETE" }
    let isWritten = [pad, machineRestore].contains(path) || path.hasPrefix(actions) || path.hasPrefix(pairing)
    return isWritten ? "POST" : "GET, HEAD"
  }

  /// The language that the reader prefers.
  static func language(of request: Request) -> Language { Language(acceptLanguage: request["accept-language"] ?? "") }

  private func answer(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    if request.path.hasPrefix(Self.actions) { return try act(request, policy) }
    if request.path.hasPrefix(Self.calibrating) { return try calibrate(request, policy) }
    if request.path.hasPrefix(Self.pairing) || request.path.hasPrefix(Self.clients) { return try pair(request, policy) }
    if request.path == Self.settingsPath { return try answerSettings(request, policy) }
    if request.path == Self.machine { return try answerMachine(request, policy) }
    if request.path == Self.machineBackup { return try sendBackup(request, policy) }
    if request.path == Self.machineRestore { return try receiveBackup(request, policy) }
    if request.path == Self.pad, let touch = sources.touchPad {
      return .response(try self.touch(touch, request, policy))
    }
    let language = Self.language(of: request)
    let page = Page.file(request.path, language)
    let data = DataPath(rawValue: request.path)
    let curve =
      request.path.hasPrefix(Self.curves) ? WeighingID(String(request.path.dropFirst(Self.curves.count))) : nil
    guard page != nil || data != nil || curve != nil else { throw .unknownPath }
    guard request.isReading else { throw .badMethod }
    if let page { return .response(file(page, language, request)) }
    if let error = policy.dataError(for: request) { throw error }
    if let curve { return .response(.json(sources.curve(curve))) }
    guard let data else { throw .unknownPath }
    return try answer(data, language, request, policy)
  }

  /// The prefix of action paths.
  private static let actions = "/api/action/"

  /// The prefix of the paths of curves.
  private static let curves = "/api/curve/"

  /// The path of the simulated pad.
  private static let pad = "/api/pad"

  /// The paths that serve data.
  private enum DataPath: String {
    case live = "/api/live"
    case trace = "/api/trace"
    case weighings = "/api/weighings"
    case table = "/api/weighings.csv"
    case totals = "/api/totals"
    case history = "/api/history"
    case calibration = "/api/calibration"
    case manifest = "/manifest.webmanifest"
    case health = "/healthz"
    case metrics = "/metrics"
  }

  private func answer(
    _ path: DataPath, _ language: Language, _ request: Request, _ policy: AccessPolicy
  ) throws(APIError) -> Answer {
    switch path {
    case .live:
      let isReadOnly = policy.rule(for: request) != policy.rule
      guard let events = viewers.add(from: request.client, isReadOnly: isReadOnly) else { throw .busy }
      return .response(Response("text/event-stream", .stream(events)))
    case .trace: return .response(trace(request))
    case .weighings: return .response(.json(sources.weighings()))
    case .table: return table(request)
    case .totals: return totals(request)
    case .history: return history(request)
    case .calibration: return .response(.json(sources.calibration()))
    case .manifest:
      return .response(
        Response("application/manifest+json", .bytes(sources.manifest(language))).inLanguage(language))
    case .health:
      let condition = condition
      return .response(.json(condition.json, condition.verdict == .failing ? .serviceUnavailable : .ok))
    case .metrics:
      guard settings.withLock({ $0.hasMetrics }) else { throw .unknownPath }
      let metrics = Metrics(
        condition: condition, readingAge: viewers.feeds.readingAge, counts: counters.counts,
        connections: connections.count, viewers: viewers.count, closed: connections.closed)
      return .response(Response(MetricsText.contentType, metrics.text))
    }
  }

  private var condition: Condition { Condition(viewers.feeds, heartbeat: settings.withLock { $0.heartbeat }.seconds) }

  private func act(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    let name = String(request.path.dropFirst(Self.actions.count))
    guard Action(rawValue: name) != nil || QuickAction.isType(name) else { throw .unknownPath }
    let body = try body(of: request, policy)
    let asked: ActionRequest
    do throws(PayloadError) {
      asked = try ActionRequest(name: name, payload: body, source: .dashboard)
    } catch {
      return .response(.badPayload(error.sentence))
    }
    return .later { [sources] completion in
      sources.act(asked) { answer in completion(answer.map { .json($0) } ?? .error(.busy, allowing: "POST")) }
    }
  }

  /// Rejects a request that is not allowed, and logs wrong tokens.
  func authorize(_ request: Request, _ error: APIError?) throws(APIError) {
    guard let error else { return }
    if error == .tokenWrong { wrongTokens.add(from: request.client, forwarded: request["x-forwarded-for"]) }
    throw error
  }

  /// The body of a request that may act.
  ///
  /// - Parameter isOpen: Whether it needs no right to act.
  func body(of request: Request, _ policy: AccessPolicy, isOpen: Bool = false) throws(APIError) -> [UInt8] {
    guard request.method == "POST" else { throw .badMethod }
    try authorize(request, isOpen ? policy.requestError(for: request) : policy.actionError(for: request))
    return request.body
  }

  private func touch(
    _ touch: @Sendable ([UInt8]) -> Sentence?, _ request: Request, _ policy: AccessPolicy
  ) throws(APIError) -> Response {
    if let detail = touch(try body(of: request, policy)) { return .badPayload(detail) }
    var json = JSONWriter()
    json.object {
      $0.key("ok")
      $0.boolean(true)
    }
    return .json(json.bytes)
  }

  private func file(_ page: Page, _ language: Language, _ request: Request) -> Response {
    let isKnown = request["if-none-match"] == page.tag
    var response = Response(page.contentType, .bytes(isKnown ? [] : page.bytes))
    if isKnown { response.status = .notModified }
    response.headers.add(name: "ETag", value: page.tag)
    response.headers.replaceOrAdd(name: "Cache-Control", value: "no-cache")
    return response.inLanguage(language)
  }
}
