import Configuration
import Dashboard
import Dispatch
import EventLoop
import Journal
import Logging
import Messages
import ServiceLifecycle
import Synchronization
import Weighing

/// The dashboard as a part of the appliance.
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
  /// Reads of the journal, which may block, run here.
  private let queue = DispatchQueue(label: "grampad.web.history")

  /// Makes a dashboard; it does nothing until it is served.
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

  /// Handles a published message; never waits.
  func take(_ message: Message) {
    guard let topic = topics.below(message.topic).flatMap(Topic.init), let feed = Feed(topic) else { return }
    board.post(feed, message.payload)
  }

  /// Handles an effect of the scale, on its thread; never waits.
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
    case .reading, .settled, .contacts, .event, .gesture, .feedback, .record, .lastWeighing, .actions, .memory,
      .padWarning:
      break
    }
  }

  /// Counts a command that was rejected before the scale decided on it.
  func countRefusal(source: ActionSource, reason: CommandError) {
    tally.countRefusal(source: source, reason: reason.rawValue)
  }

  /// Adds the weighings of earlier runs.
  func take(_ entries: [HistoryEntry]) { recent.begin(entries) }

  /// Prepares the dashboard for a configuration.
  ///
  /// - Parameters:
  ///   - ports: Tried in order instead of the configured one.
  ///   - history: Reads a page of all weighings, on a thread that may block.
  ///   - send: Passes an input to the scale.
  func start(
    _ configuration: Configuration, folder: String, ports: [UInt16]?, history: @escaping HistorySource,
    send: @escaping @Sendable (ScaleMachine.Input) -> Void
  ) throws(TokenError) {
    let token = try configuration.dashboard.token(folder: folder)
    let server = DashboardServer(
      serverSettings(configuration, token, ports: ports), board: board, trace: trace, tally: tally,
      sources: DashboardSources(
        act: { [desk] name, parameters in await desk.act(name, parameters, send: send) },
        weighings: { [recent] in recent.json },
        table: { [self] in await page(at: $0, history) },
        calibration: { [self] in CalibrationReport.json(settings.withLock { $0 }) }),
      logger: logger)
    self.server.withLock { $0 = server }
    introduce(configuration, token)
  }

  /// Applies another configuration.
  func adopt(_ configuration: Configuration, folder: String) throws(TokenError) {
    guard let server = server.withLock({ $0 }) else { return }
    let token = try configuration.dashboard.token(folder: folder)
    server.adopt(serverSettings(configuration, token, ports: nil))
    introduce(configuration, token)
  }

  /// Serves until the appliance stops.
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
    settings.limits.fit(descriptors: DescriptorLimit.available - Self.reservedDescriptors)
    return settings
  }

  private func introduce(_ configuration: Configuration, _ token: Token?) {
    if let new = try? configuration.scaleSettings() { settings.withLock { $0 = new } }
    let rule = Gate(address: configuration.dashboard.address, hosts: [], token: token).rule
    let settings = settings.withLock { $0 }
    board.post(
      .hello, Introduction(configuration, settings, rule).json,
      readOnlyPayload: Introduction(configuration, settings, .closed).json)
  }

  /// Number of descriptors that the rest of the appliance opens after the dashboard is made, with a reserve: a running
  /// appliance with an embedded broker has 37 open.
  private static let reservedDescriptors = 44

  /// Rows per page of the table: 40 KB, the memory needed per slow client.
  private static let pageRows = 200

  /// Reads a page of the table of weighings; requests of several clients are read one after the other.
  private func page(
    at position: TablePosition, _ history: @escaping HistorySource
  ) async -> Result<TablePage, TableError> {
    await withCheckedContinuation { continuation in
      queue.async {
        do throws(JournalError) {
          let page = try history(position.sequence, position.last, Self.pageRows)
          var bytes = position.last == nil ? Array(HistoryCSV.header.utf8) : []
          for entry in page.entries { bytes += HistoryCSV.line(entry).utf8 }
          let sequence = page.entries.last?.record.sequence ?? page.last
          let next = sequence < page.last ? TablePosition(sequence: sequence, last: page.last) : nil
          continuation.resume(returning: .success(TablePage(bytes: bytes, next: next)))
        } catch {
          continuation.resume(returning: .failure(TableError(reason: error.description)))
        }
      }
    }
  }
}

/// Reads up to a number of records after a sequence number, up to and including a last one; may block on the disk.
typealias HistorySource =
  @Sendable (_ after: Int, _ through: Int?, _ count: Int) throws(JournalError) -> HistoryPage
