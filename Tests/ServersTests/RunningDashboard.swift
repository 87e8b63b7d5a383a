import Logging
import Servers
import Synchronization
import Testing
import Weighing

/// A dashboard on a free port, with actions that are only written down.
final class RunningDashboard: Sendable {
  let feeds = FeedCache()
  let counters = EventCounters()
  let trace = NetTrace()
  let curves = LoadCurves()
  let port: UInt16
  let server: DashboardServer
  private let actions: Acted
  private let loop = ServerLoop()

  /// What was asked for.
  private final class Acted: Sendable {
    let list = Mutex<[String]>([])
  }

  init(
    _ change: (inout DashboardServer.Settings) -> Void = { _ in },
    table: @escaping @Sendable (TablePosition) -> Result<TablePage, TableError> = { _ in
      .success(TablePage(bytes: Array("sequence\r\n".utf8), next: nil))
    },
    totals: @escaping @Sendable (WeighingSelection) -> Result<[UInt8], TableError> = { _ in .success(Array("{}".utf8))
    },
    history: @escaping @Sendable (HistoryQuery) -> Result<[UInt8], TableError> = { query in
      .success(Array("\(query)".utf8))
    },
    calibrating: CalibratingSource? = nil, changing: SettingsSource? = nil, machine: MachineSource? = nil,
    pairing: (any PairingSource)? = nil,
    touchPad: (@Sendable ([UInt8]) -> Sentence?)? = nil,
    logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  ) async throws {
    var settings = DashboardServer.Settings()
    settings.ports = [0]
    // Twelve tests share the threads of the server: a client may have to wait for long.
    settings.limits.requestTime = .seconds(300)
    settings.limits.answerTime = .seconds(300)
    change(&settings)
    let actions = Acted()
    self.actions = actions
    let curves = curves
    let ports = AsyncStream<UInt16>.makeStream()
    let server = DashboardServer(
      settings, on: loop, feeds: feeds, trace: trace, counters: counters,
      sources: DashboardSources(
        act: { request, completion in
          let parameters = request.parameters == .none ? nil : "\(request.parameters)"
          let words = [request.name, request.label, parameters, request.source == .dashboard ? nil : "not the page"]
          actions.list.withLock { $0.append(words.compactMap(\.self).joined(separator: " ")) }
          completion(Array(#"{"ok":true}"#.utf8))
        }, weighings: { Array("[]".utf8) }, table: { _, position, completion in completion(table(position)) },
        totals: { $1(totals($0)) }, history: { $1(history($0)) },
        calibration: { Array(#"{"shape":null}"#.utf8) }, curve: { curves.json($0) },
        manifest: { Array(#"{"name":"Test","lang":"\#($0.rawValue)"}"#.utf8) }, calibrating: calibrating,
        settings: changing, machine: machine, pairing: pairing, touchPad: touchPad),
      logger: logger,
      onListen: { [sockets = settings.sockets] _, port in
        if !sockets.contains(where: { $0.port == port }) { ports.continuation.yield(port) }
      })
    self.server = server
    server.start()
    var found: UInt16?
    for await port in ports.stream {
      found = port
      break
    }
    port = try #require(found)
  }

  deinit {
    stop()
    loop.stop()
  }

  /// What was asked for: `NAME LABEL PARAMETERS`, without what was not given.
  var acted: [String] { actions.list.withLock { $0 } }

  /// Closes all its connections.
  func stop() { server.stop() }
}
