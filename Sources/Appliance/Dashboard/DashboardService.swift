import Configuration
import Journal
import Linux
import Logging
import Messages
import Servers
import Synchronization
import Weighing

/// The dashboard as a part of the appliance.
final class DashboardService: Sendable {
  private let topics: Topics
  private let logger: Logger
  private let feeds = FeedCache()
  private let trace = NetTrace()
  private let curves = LoadCurves()
  private let counters = EventCounters()
  private let pending: PendingRequests
  let recent = RecentWeighings()
  private let settings: Mutex<ScaleSettings>
  /// When and on which pad the calibration was made.
  private let origin = Mutex<Configuration.Calibration.Origin?>(nil)
  private let manifest = Mutex(WebAppManifest(name: "", actions: []))
  /// The sockets of the service manager.
  private let sockets = Mutex<[ListeningSocket]>([])
  private let server = Mutex<DashboardServer?>(nil)
  private let pairing = Mutex<PairingService?>(nil)
  private let machine = Mutex<MachineService?>(nil)
  private let (clock, wallOffset): (@Sendable () -> Instant, @Sendable () -> Interval)

  /// Makes a dashboard; it does nothing until it is served.
  ///
  /// - Parameters:
  ///   - clock: The monotonic clock.
  ///   - wallOffset: The offset of the time of day from it.
  init(
    topics: Topics, pending: PendingRequests, logger: Logger,
    clock: @escaping @Sendable () -> Instant = Instant.now,
    wallOffset: @escaping @Sendable () -> Interval = Instant.wallOffset
  ) {
    (self.clock, self.wallOffset) = (clock, wallOffset)
    self.topics = topics
    self.logger = logger
    self.pending = pending
    settings = Mutex(ScaleSettings())
  }

  /// Posts a published message to the viewers; never waits.
  func post(_ message: Message) {
    guard let feed = topics.topic(of: message.topic).flatMap(Feed.init) else { return }
    guard let control = topics.control(of: message.topic) else { return feeds.post(feed, message.payload) }
    // The name is a part of the topic, which a feed does not have.
    feeds.post(feed, Array("{\"name\":\"\(control)\",".utf8) + message.payload.dropFirst())
  }

  /// Posts the state of the simulated pad.
  func post(_ state: InteractivePad.State) { feeds.post(.pad, state.json) }

  /// Handles an effect of the scale, on its thread; never waits.
  func handle(_ effect: Effect) {
    counters.count(effect)
    switch effect {
    case .live(let reading):
      trace.append(reading)
      curves.append(reading)
    case .actions(let actions, _): manifest.withLock { $0 = WebAppManifest(name: $0.name, actions: actions) }
    case .weighing(let record, _):
      if record.kind == .weighing {
        let time = Instant(nanoseconds: record.time.nanoseconds - wallOffset().nanoseconds)
        curves.begin(record.id, at: time, tare: record.measurement.tare.mass)
      }
      recent.append(record)
      var json = JSONWriter()
      json.weighing(record, historical: false)
      feeds.post(.weighing, json.bytes)
    case .event(let event):
      switch event.kind {
      case .pairing(let request, let progress): pairing.withLock { $0 }?.handle(request, progress)
      case .timerStarted(let elapsed, _, _): trace.setTimer(isRunning: true, elapsed: elapsed, at: event.time)
      case .timerStopped(let elapsed, _, _): trace.setTimer(isRunning: false, elapsed: elapsed, at: event.time)
      default: break  // all other events
      }
    case .reading, .settled, .contacts, .result, .gesture, .control, .feedback, .record, .lastWeighing,
      .memory, .padWarning, .sampling, .containers, .containerChange, .pendingLabel, .output,
      .learnedStops, .learnedStopChange:
      break
    }
  }

  /// Counts a command that was rejected before the scale decided on it.
  func countRejection(source: ActionSource, reason: CommandError) {
    counters.countRejection(source: source, reason: reason.rawValue)
  }

  /// Adds the weighings of earlier runs.
  func addHistory(_ entries: [HistoryEntry]) { recent.prepend(entries) }

  /// Prepares the dashboard for a configuration.
  ///
  /// - Parameters:
  ///   - loop: The thread of its server.
  ///   - ports: Tried in order instead of the configured one.
  ///   - sockets: Those of the service manager, served in addition.
  ///   - journal: The journal for reading on a thread that may block.
  ///   - calibrating: Calibrates the pad for users of the page.
  ///   - changing: The settings that users of the page can change; `nil` without a configuration file.
  ///   - clients: The file of the paired clients; `nil` to keep them in memory.
  ///   - machine: Where the page sets up the machine; `nil` if it cannot.
  ///   - pad: The simulated pad, if users of the page can move its loads.
  ///   - onListen: Called with each address and port once they are listened on.
  ///   - onClose: Called with them when they are not listened on for now, because of a fault.
  ///   - send: Passes an input to the scale.
  func prepare(
    _ configuration: Configuration, folder: String, on loop: ServerLoop, ports: [UInt16]?,
    sockets: [ListeningSocket],
    journal: @escaping @Sendable () -> Journal, calibrating: CalibrationService, changing: SettingsService?,
    clients: String?, machine: MachineFiles?, pad: InteractivePad?,
    onListen: @escaping @Sendable (_ address: String, _ port: UInt16) -> Void,
    onClose: @escaping @Sendable (_ address: String, _ port: UInt16) -> Void,
    send: @escaping @Sendable (ScaleMachine.Input) -> Void
  ) throws(TokenError) {
    let token = try configuration.dashboard.token(folder: folder)
    self.sockets.withLock { $0 = sockets }
    var touchPad: (@Sendable ([UInt8]) -> Sentence?)?
    if let pad { touchPad = { payload in pad.set(payload, at: .now()) } }
    let pairing = PairingService(path: clients, logger: logger, send: { send(.pairing($0)) }) { [feeds] request in
      var json = JSONWriter()
      json.pairing(request)
      feeds.post(.pairing, json.bytes)
    }
    self.pairing.withLock { $0 = pairing }
    let machine = machine.map { files in
      MachineService(files, logger: logger) { [feeds] isSetUp in
        feeds.post(.machine, JSONWriter.object { json in json.field("is_set_up", isSetUp) })
      }
    }
    self.machine.withLock { $0 = machine }
    let history = HistoryService(journal: journal, newest: { [recent] in recent.sequence })
    let server = DashboardServer(
      serverSettings(configuration, token, ports: ports), on: loop, feeds: feeds, trace: trace, counters: counters,
      sources: DashboardSources(
        act: { [self] in perform($0, $1, send: send) },
        weighings: { [recent] in recent.json },
        table: history.table, totals: history.totals, history: history.weighings,
        calibration: { [self] in CalibrationReport.json(settings.withLock { $0 }, made: origin.withLock { $0 }) },
        curve: { [curves] in curves.json($0) },
        manifest: { [self] language in manifest.withLock { $0 }.json(.of(language)) },
        calibrating: calibrating.start(),
        settings: changing?.start(), machine: machine?.source, pairing: pairing, touchPad: touchPad),
      logger: logger, onListen: onListen, onClose: onClose)
    self.server.withLock { $0 = server }
    postHello(configuration, token)
    if let pad { post(pad.state(at: .now())) }
  }

  /// Applies another configuration.
  func apply(_ configuration: Configuration, folder: String) throws(TokenError) {
    guard let server = server.withLock({ $0 }) else { return }
    let token = try configuration.dashboard.token(folder: folder)
    server.apply(serverSettings(configuration, token, ports: nil))
    if !configuration.dashboard.allowsPairing { pairing.withLock { $0 }?.withdraw(nil) }
    postHello(configuration, token)
  }

  /// Serves from now on.
  func start() { server.withLock { $0 }?.start() }

  /// Closes all connections.
  func stop() {
    // The server refers to this service.
    let former = server.withLock { $0.take() }
    former?.stop()
    pairing.withLock { $0.take() }?.stop()
    machine.withLock { $0.take() }?.stop()
    pending.closePage()
  }

  /// Maximum wait of an action; after that it is useless, because another user may be at the pad.
  private static let patience = Interval.seconds(10)

  /// Passes an action to the scale, and the payload of the answer on; `nil` if too many are pending or the appliance stops.
  func perform(
    _ asked: ActionRequest, _ completion: @escaping Completion<[UInt8]?>, send: (ScaleMachine.Input) -> Void
  ) {
    var request = asked
    request.expiry = clock() + Self.patience
    let answer = { @Sendable [topics, wallOffset] (result: ActionResult?) in
      // An answer does not depend on the heartbeat.
      var composer = MessageComposer(
        topics: topics, heartbeat: .seconds(5), clock: WallClock(offset: wallOffset()))
      completion(result.map { composer.answer($0, to: nil).payload })
    }
    pending.send(request, answer) { send(.request($0)) }
  }

  private func serverSettings(
    _ configuration: Configuration, _ token: Token?, ports: [UInt16]?
  ) -> DashboardServer.Settings {
    var settings = DashboardServer.Settings()
    settings.address = configuration.dashboard.address
    settings.ports = ports ?? [UInt16(configuration.dashboard.port)]
    settings.sockets = sockets.withLock { $0 }
    settings.hosts = configuration.dashboard.hosts
    settings.token = token
    if configuration.dashboard.allowsPairing, let pairing = pairing.withLock({ $0 }) {
      settings.isPaired = pairing.isPaired(token:)
    }
    settings.hasMetrics = configuration.metrics.isEnabled
    settings.heartbeat = configuration.publish.heartbeat
    settings.limits.fit(descriptors: DescriptorLimit.available - Self.reservedDescriptors)
    return settings
  }

  private func postHello(_ configuration: Configuration, _ token: Token?) {
    if let new = try? configuration.scaleSettings() { settings.withLock { $0 = new } }
    origin.withLock { $0 = configuration.calibration.origin }
    let access = serverSettings(configuration, token, ports: nil).accessPolicy
    let settings = settings.withLock { $0 }
    manifest.withLock { $0 = WebAppManifest(name: configuration.device.name, actions: settings.quickActions) }
    feeds.post(
      .hello, HelloPayload(configuration: configuration, settings: settings, rule: access.rule).json,
      readOnlyPayload: HelloPayload(configuration: configuration, settings: settings, rule: access.remoteRule).json)
  }

  /// Number of descriptors that the rest of the appliance opens after the dashboard is made, with a reserve: a running
  /// appliance with an embedded broker has 54 open.
  private static let reservedDescriptors = 60
}
