import Dashboard
import Dispatch
import Journal
import Logging
import Messages
import ServiceLifecycle
import Synchronization
import Weighing

/// The dashboard as a part of the appliance: what the scale does goes in, what people ask for comes out.
final class Web: Service, Sendable {
  private let topics: Topics
  private let logger: Logger
  private let board = Board()
  private let trace = NetTrace()
  private let tally = Tally()
  private let desk: ActionDesk
  private let recent = RecentWeighings()
  private let settings: Mutex<ScaleSettings>
  private let server = Mutex<DashboardServer?>(nil)
  private let onListen: @Sendable (_ address: String, _ port: UInt16) -> Void
  /// Reads the journal; calls that wait do so here.
  private let queue = DispatchQueue(label: "grampad.web.history")
  private let isReadingTable = Mutex(false)

  /// Makes a dashboard that nobody can see before `start`.
  ///
  /// - Parameter onListen: Called with the address and the port once they are listened on.
  init(
    topics: Topics, logger: Logger, onListen: @escaping @Sendable (_ address: String, _ port: UInt16) -> Void
  ) {
    self.topics = topics
    self.logger = logger
    self.onListen = onListen
    desk = ActionDesk(topics: topics)
    settings = Mutex(ScaleSettings())
  }

  /// Takes a message that is published; must not and does not wait.
  func take(_ message: Message) {
    guard let topic = topics.below(message.topic).flatMap(Topic.init), let feed = Feed(topic) else { return }
    board.post(feed, message.payload)
  }

  /// Takes what the scale does, on its thread; must not and does not wait.
  func take(_ effect: Effect) {
    tally.take(effect)
    switch effect {
    case .live(let reading): trace.take(reading)
    case .weighing(let record, _):
      recent.take(record)
      var json = JSONWriter()
      json.weighing(record, historical: false)
      board.post(.weighing, json.bytes)
    case .result(let result): desk.take(result)
    case .reading, .settled, .contacts, .event, .gesture, .feedback, .record, .lastWeighing, .actions: break
    }
  }

  /// Counts a command that was refused before the scale decided on it.
  func countRefusal(source: ActionSource, reason: Command.Refusal) {
    tally.countRefusal(source: source, reason: reason.rawValue)
  }

  /// Takes the weighings from before the start.
  func take(_ entries: [HistoryEntry]) { recent.begin(entries) }

  /// Gets ready to be run as a configuration says.
  ///
  /// - Parameters:
  ///   - ports: Tried in order instead of the configured one.
  ///   - history: Hands over all weighings, oldest first, on a thread that may wait.
  ///   - send: Hands something to the scale.
  func start(
    _ configuration: Configuration, folder: String, ports: [UInt16]?, history: @escaping HistorySource,
    send: @escaping @Sendable (ScaleMachine.Input) -> Void
  ) throws(TokenFault) {
    let token = try configuration.dashboard.token(folder: folder)
    let server = DashboardServer(
      serverSettings(configuration, token, ports: ports), board: board, trace: trace, tally: tally,
      sources: DashboardSources(
        act: { [desk] name, parameters in await desk.act(name, parameters, send: send) },
        weighings: { [recent] in recent.json },
        table: { [self] in await table(history) },
        calibration: { [self] in CalibrationReport.json(settings.withLock { $0 }) }),
      logger: logger)
    self.server.withLock { $0 = server }
    introduce(configuration, token)
  }

  /// Brings another configuration into force.
  func adopt(_ configuration: Configuration, folder: String) throws(TokenFault) {
    guard let server = server.withLock({ $0 }) else { return }
    let token = try configuration.dashboard.token(folder: folder)
    server.adopt(serverSettings(configuration, token, ports: nil))
    introduce(configuration, token)
  }

  /// Serves until the appliance is asked to end.
  func run() async throws {
    guard let server = server.withLock({ $0 }) else { return try await gracefulShutdown() }
    await cancelWhenGracefulShutdown { [onListen] in await server.run(onListen: onListen) }
    desk.close()
  }

  private func serverSettings(
    _ configuration: Configuration, _ token: Token?, ports: [UInt16]?
  ) -> DashboardServer.Settings {
    var settings = DashboardServer.Settings()
    settings.address = configuration.dashboard.address
    settings.ports = ports ?? [UInt16(configuration.dashboard.port)]
    settings.hosts = configuration.dashboard.hosts
    settings.token = token
    settings.hasMetrics = configuration.metrics.isEnabled
    settings.heartbeat = configuration.publish.heartbeat
    return settings
  }

  private func introduce(_ configuration: Configuration, _ token: Token?) {
    if let new = try? configuration.scaleSettings() { settings.withLock { $0 = new } }
    let rule = Gate(address: configuration.dashboard.address, hosts: [], token: token).rule
    if rule == .closed {
      logger.warning(
        "the dashboard can be read from other machines, but nothing can be done there: there is no dashboard.token_file"
      )
    }
    board.post(.hello, Introduction(configuration, settings.withLock { $0 }, rule).json)
  }

  private func table(_ history: @escaping HistorySource) async -> Result<[UInt8], TableFault> {
    let isFree = isReadingTable.withLock { isReading in
      defer { isReading = true }
      return !isReading
    }
    guard isFree else { return .failure(.busy) }
    defer { isReadingTable.withLock { $0 = false } }
    return await withCheckedContinuation { continuation in
      queue.async {
        var bytes = Array(HistoryCSV.header.utf8)
        do throws(JournalError) {
          try history { bytes += HistoryCSV.line($0).utf8 }
          continuation.resume(returning: .success(bytes))
        } catch {
          continuation.resume(returning: .failure(.unreadable(error.description)))
        }
      }
    }
  }
}

/// Hands over all weighings, oldest first; waits for the disk.
typealias HistorySource = @Sendable ((HistoryEntry) -> Void) throws(JournalError) -> Void
