import Configuration
import Journal
import Logging
import Messages
import Servers

/// The parts of an appliance, connected to each other but not started.
struct ApplianceParts: Sendable {
  let publisher: Publisher
  let connection: BrokerConnection
  let discovery: HomeAssistantDiscovery
  let loop: WeighingLoop
  let journal: JournalLoop
  let calibrationMonitor: CalibrationMonitor
  let calibration: CalibrationService
  let report: ServiceReport
  let warnings: ConfigurationWarningLog
  let effects: EffectRouter
  /// The thread of the TCP servers; `nil` if there are none.
  let servers: ServerLoop?
  /// `nil` if the dashboard is disabled; enabling it requires a restart.
  let web: DashboardService?
  /// Announces the dashboard on the network.
  let network: NetworkAnnouncement
  /// `nil` if users of the page cannot move the loads of a simulated pad.
  let interactivePad: InteractivePad?
  /// `nil` if MT-SICS is off; enabling it requires a restart.
  let sics: SICSService?
  /// `nil` if the keyboard is off; enabling it requires a restart.
  let keyboard: KeyboardService?

  init(_ configuration: Configuration, in folder: String, options: Appliance.Options, logger: Logger) {
    let topics = Topics(prefix: configuration.mqtt.prefix, id: configuration.device.id)
    let pending = PendingRequests()
    let report = ServiceReport(to: options.serviceManager)
    let web =
      configuration.dashboard.isEnabled
      ? DashboardService(topics: topics, pending: pending, logger: logger) : nil
    network = NetworkAnnouncement(configuration, logger: logger)
    loop = WeighingLoop(logger: logger)
    let calibration = CalibrationService(follow: loop.add)
    interactivePad =
      options.isPadInteractive && configuration.pad.device == .simulated
      ? web.map { web in InteractivePad(isHeld: { calibration.isAttended }, onChange: { web.post($0) }) } : nil
    let publisher = Publisher(
      topics: topics, heartbeat: configuration.publish.heartbeat, onMessage: { web?.post($0) },
      onHealth: report.sendStatus(of:))
    publisher.setOutputs(configuration.outputs)
    let location = options.keepsJournalInMemory ? JournalLocation.memory : .file(configuration.journalPath(in: folder))
    journal = JournalLoop(
      location, topics: topics, logger: logger, send: publisher.publish(_:token:),
      onOutput: JournalOutputRouter(loop: loop, publisher: publisher, report: report, web: web).route)
    discovery = HomeAssistantDiscovery(configuration, topics: topics) { publisher.publish($0) }
    calibrationMonitor = CalibrationMonitor(publisher: publisher, logger: logger)
    self.calibration = calibration
    let servers = configuration.dashboard.isEnabled || configuration.sics.isEnabled ? ServerLoop() : nil
    self.servers = servers
    sics = SICSService(
      configuration, in: folder, on: servers, pending: pending, logger: logger, onListen: options.onSICS,
      send: loop.send)
    keyboard = KeyboardService(configuration, logger: logger) { state in
      publisher.updateHealth { $0.keyboard = state }
    }
    effects = EffectRouter(
      publisher: publisher, pending: pending, journal: journal, discovery: discovery,
      calibrationMonitor: calibrationMonitor, calibration: calibration, logger: logger, web: web, sics: sics,
      keyboard: keyboard, onEffect: options.onEffect)
    let commands = CommandReceiver(topics: topics, pending: pending) { publisher.backlog }
    connection = BrokerConnection(
      publisher: publisher, filters: [commands.filter, publisher.availabilityFilter] + discovery.filters,
      onEvent: LinkEventRouter(
        publisher: publisher, journal: journal, loop: loop, discovery: discovery, commands: commands, web: web
      ).route,
      onReplace: { [journal, loop] in
        journal.handleLinkReplacement()
        loop.send(.connection(isConnected: false))
      }, logger: logger)
    warnings = ConfigurationWarningLog(logger: logger)
    (self.report, self.web, self.publisher) = (report, web, publisher)
  }
}
