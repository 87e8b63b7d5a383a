import Linux
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// Stores the weighings of many appliances in PostgreSQL, and asks for what is missing.
///
/// ```
///  broker ─► link (its thread) ─► inbox, bounded ─► store (this thread) ─► PostgreSQL
///     ▲                                                  │
///     └──────────── command/resend ◄── what is missing ──┘
/// ```
/// It relies on no acknowledgement: libmosquitto acknowledges a message before it is stored. What was lost on the way, for
/// any reason, is a gap in the sequence of its device, and comes again.
package final class Collector: Sendable {
  private let database: String
  private let settings: LinkSettings
  private let prefix: String
  private let name: String
  private let keepDays: Int?
  private let metrics: CollectorMetrics?
  private let logger: Logger
  private let inbox = Inbox()
  private let writer: BatchWriter
  /// The link, the topic filters that depend on the protocol of the connection, and whether there is one.
  private let link = Mutex<(link: MQTTLink?, filters: [String], isConnected: Bool)>((nil, [], false))
  private let stopped = Signal()

  /// Maximum number of records in a transaction: of 10,000 devices each may have one, and takes about 0.02 ms.
  private static let batch = 5_000
  /// How long to wait for more after the first message, so that few messages do not take a transaction each.
  private static let gatheringMilliseconds: Int32 = 50
  /// Maximum number of devices to ask at a time: 10,000 devices take 10 s.
  private static let requestBatch = 1_000
  /// Maximum number of requests that wait for the broker, of which a device may need several.
  private static let requestCapacity = 8_000
  /// Maximum time to end the connection to the broker.
  private static let stopLimit = Interval.milliseconds(500)

  /// Makes a collector; it does nothing until `run`.
  ///
  /// - Parameters:
  ///   - database: A connection string of libpq.
  ///   - settings: The brokers, and how to log in there.
  ///   - prefix: The common prefix of all appliances, `mqtt.prefix`.
  ///   - user: The user name for the broker, if there is one: the last part of the topic for answers, because the access list
  ///     of the broker permits that one.
  ///   - keepDays: For how many days after the end of its month a weighing is kept; 0 keeps all, `nil` leaves what the
  ///     database has.
  ///   - metrics: Counts what it does; `nil` if there is no use for that.
  package init(
    database: String, settings: LinkSettings, prefix: String, user: String?, keepDays: Int?, metrics: CollectorMetrics?,
    logger: Logger
  ) {
    self.database = database
    var settings = settings
    settings.assuredCapacity = Self.requestCapacity
    // A retained health must be one from before the subscription, not every one.
    settings.retainAsPublished = false
    (self.settings, self.prefix) = (settings, prefix)
    name = Self.answerTopic(for: user)
    (self.keepDays, self.metrics, self.logger) = (keepDays, metrics, logger)
    writer = BatchWriter(metrics: metrics, logger: logger)
  }

  /// The part of the topic for answers after `result/`; a topic cannot have a wildcard.
  static func answerTopic(for user: String?) -> String {
    guard let user, !user.isEmpty, !user.contains(where: { "+#".contains($0) }) else { return "collector" }
    return user
  }

  /// Creates the tables and grants the roles their rights, as the owner of the tables; then collectors with less
  /// rights can run.
  ///
  /// - Parameters:
  ///   - database: A connection string of libpq.
  ///   - keepDays: As for a collector.
  package static func migrate(database: String, keepDays: Int?) throws(FleetError) {
    let store = try FleetStore(database, grants: true)
    if let keepDays { try store.keep(days: keepDays) }
  }

  /// Collects until `stop`; blocks the calling thread.
  ///
  /// - Throws: `FleetError` if the database cannot be used at the start. Later it waits until it can.
  package func run() throws(FleetError) {
    var store = try FleetStore(database)
    if let keepDays { try store.keep(days: keepDays) }
    logger.info("database ready")
    metrics?.connect(.database)
    let link = MQTTLink(settings: settings, logger: logger) { [self] event in handle(event) }
    self.link.withLock { $0.link = link }
    link.subscribe(["\(prefix)/+/health"])
    link.start()
    defer { link.stop(within: Self.stopLimit) }
    var pending = Inbox.Batch()
    // Kept when the database is connected again, so that what fails is not repeated at once.
    var duties = CollectorDuties(at: .now())
    var outage = DatabaseOutage(logger: logger, metrics: metrics)
    while true {
      do throws(PostgresError) {
        return try work(in: &store, &pending, link, &duties, &outage)
      } catch {
        outage.report(error.message)
      }
      guard let reopened = reopen(&outage) else { return }
      store = reopened
    }
  }

  /// Stores what arrives and asks for what is missing, until `stop`; then stores what has arrived.
  private func work(
    in store: inout FleetStore, _ pending: inout Inbox.Batch, _ link: MQTTLink, _ duties: inout CollectorDuties,
    _ outage: inout DatabaseOutage
  ) throws(PostgresError) {
    var isEnding = false
    while true {
      if !isEnding, stopped.wait(milliseconds: 0) {
        isEnding = true
        // Nothing arrives after that.
        link.stop(within: Self.stopLimit)
      }
      let now = Instant.now()
      if pending.isEmpty { pending = inbox.take(Self.batch, withHealth: isEnding || duties.take(.health, at: now)) }
      if !pending.isEmpty {
        try writer.save(&pending, in: &store)
        outage.end()
        countDropped()
      }
      if isEnding {
        if inbox.isEmpty { return }
        continue
      }
      if duties.take(.requests, at: now) {
        // Without a broker, another collector asks.
        let requests = try store.dueRequests(limit: self.link.withLock { $0.isConnected } ? Self.requestBatch : 0)
        for request in requests { send(request, over: link) }
        metrics?.countRequests(requests.count)
        outage.end()
      }
      if inbox.count >= Self.batch { continue }
      if let metrics, duties.take(.count, at: now) { metrics.set(try store.fleet()) }
      if duties.take(.expiry, at: now), try dropExpired(in: &store) { duties.completeExpiry(at: now) }
      if inbox.isEmpty { _ = inbox.wake.wait(milliseconds: duties.nextRequests.millisecondsAway) }
      inbox.wake.lower()
      _ = stopped.wait(milliseconds: Self.gatheringMilliseconds)
    }
  }

  private func countDropped() {
    let dropped = inbox.takeDropped()
    metrics?.countDropped(dropped)
    guard dropped > 0 else { return }
    logger.warning(
      "too many messages at once; dropped ones are asked for again", metadata: ["fleet.dropped": "\(dropped)"])
  }

  /// Drops what has expired; returns whether that was possible.
  private func dropExpired(in store: inout FleetStore) throws(PostgresError) -> Bool {
    do throws(PostgresError) {
      switch try store.dropExpired(at: .wallClock()) {
      case .dropped(let names):
        for name in names {
          logger.notice("dropped weighings that have expired", metadata: ["fleet.partition": "\(name)"])
        }
      case .clocksDiffer:
        logger.error(
          "not dropping expired weighings: the clocks of the database and of this machine differ by more than a day")
      }
      return true
    } catch  where error.isTimeout {
      logger.info("cannot drop expired weighings now; retrying", metadata: ["fleet.reason": "\(error)"])
      return false
    }
  }

  /// Connects to the database as soon as that is possible; `nil` after `stop`.
  private func reopen(_ outage: inout DatabaseOutage) -> FleetStore? {
    while !stopped.wait(milliseconds: outage.nextWait()) {
      do throws(FleetError) {
        return try FleetStore(database)
      } catch {
        outage.report(error.description)
      }
    }
    return nil
  }

  /// Ends `run` once everything received is stored, or the database cannot be reached.
  package func stop() {
    stopped.raise()
    inbox.wake.raise()
  }

  // MARK: - Messages

  /// Called on the thread of the link.
  private func handle(_ event: LinkEvent) {
    switch event {
    case .connected(let broker, _, let version, _):
      logger.info("connected", metadata: ["broker.address": "\(broker)", "mqtt.version": "\(version)"])
      metrics?.connect(.broker)
      link.withLock { $0.isConnected = true }
      subscribe(version)
    case .disconnected(let broker, let reason), .refused(let broker, let reason):
      metrics?.disconnect(.broker, "\(broker): \(reason)")
      link.withLock { $0.isConnected = false }
      logger.warning("not connected", metadata: ["broker.address": "\(broker)", "broker.reason": "\(reason)"])
    case .message(let message):
      do throws(CollectedMessageError) {
        if let message = try CollectedMessage(message, prefix: prefix) { inbox.append(message) }
      } catch {
        metrics?.countInvalid()
        logger.warning(
          "invalid message", metadata: ["device.id": "\(error.device)", "fleet.reason": "\(error.detail)"])
      }
    case .dropped, .urgent, .subscribed, .acknowledged: break
    }
  }

  /// Subscribes to weighings together with other collectors if the broker can share them, which MQTT 5 has; and to the
  /// answers. They go to a topic of their own if the device speaks MQTT 5 as well.
  private func subscribe(_ version: ProtocolVersion) {
    let filters =
      switch version {
      case .v5: ["$share/grampad-collect/\(prefix)/+/weighing", "\(prefix)/+/result", "\(prefix)/+/result/\(name)"]
      case .v311: ["\(prefix)/+/weighing", "\(prefix)/+/result"]
      }
    let (link, former) = self.link.withLock { state in
      defer { state.filters = filters }
      return (state.link, state.filters)
    }
    for filter in former where !filters.contains(filter) { link?.unsubscribe(filter) }
    link?.subscribe(filters)
  }

  private func send(_ request: FleetStore.Request, over link: MQTTLink) {
    let topics = Topics(prefix: prefix, id: request.device)
    var message = Message(
      topic: topics.command(Command.resendName), payload: Command.resendPayload(request.range), delivery: .assured)
    message.responseTopic = topics(.result) + "/" + name
    link.publish(message)
    logger.debug(
      "asked for missing records",
      metadata: [
        "device.id": "\(request.device)", "fleet.from": "\(request.range.lowerBound)",
        "fleet.to": "\(request.range.upperBound)",
      ])
  }
}
