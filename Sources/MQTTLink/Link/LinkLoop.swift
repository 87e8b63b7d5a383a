import CLinux
import Glibc
import Linux
import Logging
import Messages
import Synchronization
import Weighing

/// The link's thread: connect, serve, wait, and repeat.
///
/// ```
///         attempt fails: refused              stop requested
/// waiting <------------- connecting ----------------------+
///    |  wait is over         |  CONNACK: connected        v
///    +---------------------> |                          ended
///    ^                       v                            ^
///    +------------------- serving ------------------------+
///     lost: disconnected           stop requested: final messages, DISCONNECT, disconnected
/// ```
final class LinkLoop {
  let settings: LinkSettings
  let mailbox: Mailbox
  let logger: Logger
  private let shared: SharedConnection
  private let onEvent: (LinkEvent) -> Void
  private let poller = Poller()
  private var rotation: BrokerRotation
  private var drops = DropReport()
  /// That of the next connection.
  private var quality = SubscriptionQuality.atLeastOnce

  init(
    _ settings: LinkSettings, _ mailbox: Mailbox, wokenBy wake: Int32, _ shared: SharedConnection, _ logger: Logger,
    onEvent: @escaping (LinkEvent) -> Void
  ) {
    (self.settings, self.mailbox, self.shared, self.logger, self.onEvent) = (settings, mailbox, shared, logger, onEvent)
    rotation = BrokerRotation(settings)
    // Never lowered, so that it is reported once for each time that it is raised.
    poller.watch(wake, for: [.readable, .once])
  }

  /// Runs until a stop is requested.
  func run(randomness: some RandomNumberGenerator) {
    var generator = randomness
    while !isStopping {
      reportDrops(at: .now())
      let (broker, version) = (rotation.broker, rotation.version)
      let wait: Interval
      do throws(LinkError) {
        let connection = try connect(to: broker, version: version)
        rotation.connected()
        wait = serve(connection, using: &generator)
      } catch {
        if case .stopped = error { return }
        wait = rotation.failed(because: error, using: &generator)
        report(error, of: broker, version: version, next: wait)
      }
      pause(until: .now() + wait)
    }
  }

  private var isStopping: Bool { mailbox.state.withLock { $0.stopRequest != nil } }

  private func report(_ error: LinkError, of broker: BrokerAddress, version: ProtocolVersion, next: Interval) {
    // A broker that stays unreachable must not flood the log: a repeated error is logged at debug level.
    logger.log(
      level: rotation.repeats(error, of: broker) ? .debug : .warning, "cannot connect to the broker; retrying",
      metadata: [
        "mqtt.broker": "\(broker)", "mqtt.version": "\(version)", "mqtt.reason": "\(error)",
        "mqtt.next_ms": "\(next.nanoseconds / 1_000_000)",
      ])
    onEvent(.refused(broker: broker, reason: error))
  }

  /// Reports messages that were dropped.
  private func reportDrops(at now: Instant) {
    let dropped = mailbox.state.withLock { $0.queues.dropped }
    if let total = drops.report(dropped, at: now) { onEvent(.dropped(total: total)) }
    if let count = drops.log(dropped, at: now) {
      logger.warning(
        "send queue full; dropped the oldest messages",
        metadata: ["mqtt.dropped": "\(count)", "mqtt.dropped_total": "\(dropped)"])
    }
  }

  private func pause(until deadline: Instant) {
    while !isStopping, deadline.millisecondsAway > 0 {
      poller.wait(until: deadline) { _, _ in mailbox.clearWake() }
    }
  }

  // MARK: - Connecting

  private func connect(to broker: BrokerAddress, version: ProtocolVersion) throws(LinkError) -> Connection {
    let deadline = Instant.now() + settings.answerDeadline
    let families = try AddressFamily.families(of: broker.host)
    var lastError = LinkError.noAnswer(settings.answerDeadline)
    for (index, family) in families.enumerated() {
      let isLast = index == families.count - 1
      // An unresponsive address leaves time for the next one.
      let limit =
        isLast ? deadline : min(deadline, .now() + Interval(nanoseconds: settings.answerDeadline.nanoseconds / 2))
      let handle = try MosquittoHandle(settings, broker: broker, version: version)
      do throws(LinkError) {
        let connection = try Connection(
          handle, settings, localAddress: families.count > 1 ? family.wildcard : nil, at: .now())
        try awaitConnack(connection, openBy: limit, deadline: deadline)
        return connection
      } catch {
        lastError = error
        if case .unreachable = error { continue }
        if case .noAnswer = error, !isLast { continue }
        throw error
      }
    }
    throw lastError
  }

  private func awaitConnack(_ connection: Connection, openBy limit: Instant, deadline: Instant) throws(LinkError) {
    defer {
      if let socket = connection.socket { poller.forget(socket) }
      connection.watchedFor = nil
    }
    while !connection.isEstablished {
      if isStopping { throw .stopped }
      let end = connection.isOpening ? limit : deadline
      if end.millisecondsAway == 0 {
        throw connection.isOpening ? .unreachable(systemText(ETIMEDOUT)) : .noAnswer(settings.answerDeadline)
      }
      _ = try step(connection, until: end)
    }
  }

  /// Waits for the socket, the mailbox or the deadline, reads and writes as far as possible, and returns the time then.
  private func step(_ connection: Connection, until deadline: Instant) throws(LinkError) -> Instant {
    let (socket, interest) = try shared.exclusively { () throws(LinkError) in
      guard let socket = connection.socket else { throw connection.closedError }
      return (socket, connection.interest)
    }
    if connection.watchedFor != interest {
      connection.watchedFor = interest
      poller.watch(socket, for: interest)
    }
    var ready: Poller.Readiness?
    poller.wait(until: deadline) { descriptor, readiness in
      if descriptor == socket { ready = readiness } else { mailbox.clearWake() }
    }
    return try shared.exclusively { () throws(LinkError) in
      // First, because the broker may have sent a reason before it closed the connection.
      if let ready { try connection.advance(ready) }
      let now = Instant.now()
      connection.recordTraffic(at: now)
      if let error = connection.sendError { throw error }
      return now
    }
  }

  // MARK: - Serving

  /// Serves a connection until it ends; returns the delay before the next attempt.
  private func serve(_ connection: Connection, using generator: inout some RandomNumberGenerator) -> Interval {
    let since = Instant.now()
    let (broker, version) = (connection.handle.broker, connection.handle.version)
    logger.info("connected to the broker", metadata: ["mqtt.broker": "\(broker)", "mqtt.version": "\(version)"])
    mailbox.state.withLock { state in
      state.queues.open()
      state.filtersChanged = !state.filters.isEmpty
    }
    onEvent(
      .connected(
        broker: broker, sessionPresent: connection.sessionPresent, version: version, limits: connection.limits))
    var outgoing = Outgoing(connection.handle, window: connection.window, quality, mailbox, logger)
    let end = exchange(connection, &outgoing)
    let lasted = Instant.now() - since
    let error = rotation.diagnosis(of: end, afterLasting: lasted)
    quality = SubscriptionQuality(after: version, isSubscribing: outgoing.awaitsSubscriptions)
    let isDiscarded = mailbox.state.withLock { state in
      defer { state.queues.close() }
      // Nothing follows a stop: what is under way may arrive if it switches off in the end.
      return error == .stopped ? state.queues.endsWithExpiring : state.queues.awaitsUrgent
    }
    if isDiscarded { connection.discardUndelivered() }
    if let socket = connection.socket { poller.forget(socket) }
    if case .stopped = error {
      logger.info("disconnected from the broker", metadata: ["mqtt.broker": "\(broker)"])
    } else {
      logger.warning(
        "connection to the broker lost; reconnecting",
        metadata: ["mqtt.broker": "\(broker)", "mqtt.reason": "\(error)"])
    }
    onEvent(.disconnected(broker: broker, reason: error))
    return rotation.lost(because: error, afterLasting: lasted >= settings.lastingConnection, using: &generator)
  }

  /// Sends and receives until the connection ends; returns the reason.
  private func exchange(_ connection: Connection, _ outgoing: inout Outgoing<MosquittoHandle>) -> LinkError {
    shared.share(connection)
    defer { shared.share(nil) }
    do throws(LinkError) {
      var now = Instant.now()
      while true {
        try shared.exclusively { () throws(LinkError) in
          try outgoing.subscribe(at: now)
          try outgoing.flush(at: now)
          connection.recordTraffic(at: .now())
        }
        processArrivals(connection, &outgoing, at: now)
        if let request = mailbox.state.withLock({ $0.stopRequest }) {
          let next = try shared.exclusively { () throws(LinkError) in
            try outgoing.shutDown(request, at: now)
            connection.recordTraffic(at: .now())
            return outgoing.isShutDown(request, at: now) ? nil : outgoing.nextShutdownStep(request, at: now)
          }
          guard let next else { return .stopped }
          now = try step(connection, until: next)
        } else {
          now = try step(connection, until: nextDeadline(connection, outgoing))
        }
        processArrivals(connection, &outgoing, at: now)
        // What has arrived may have kept its receiver busy.
        now = .now()
        try shared.exclusively { () throws(LinkError) in try connection.ping(at: now) }
        if let event = outgoing.checkUrgent(within: settings.urgentDeadline, at: now) { onEvent(event) }
        try outgoing.checkAcknowledgements(within: settings.acknowledgementDeadline, at: now)
        reportDrops(at: now)
      }
    } catch {
      let reason = shared.exclusively { connection.reason(for: error) }
      processArrivals(connection, &outgoing, at: .now())
      return isStopping ? .stopped : reason
    }
  }

  private func nextDeadline(_ connection: Connection, _ outgoing: Outgoing<MosquittoHandle>) -> Instant {
    let (ping, urgentRepeat) = shared.exclusively { (connection.keepAlive.due, outgoing.urgentRepeat) }
    let acknowledgement = outgoing.acknowledgementDue(within: settings.acknowledgementDeadline)
    let urgent = outgoing.urgentDue(within: settings.urgentDeadline)
    let others = [acknowledgement, urgent, urgentRepeat, outgoing.subscriptionDue, drops.nextDue]
    return others.compactMap(\.self).reduce(ping, min)
  }

  /// Handles the arrivals recorded by the callbacks and by senders, outside of them and without the lock.
  private func processArrivals(_ connection: Connection, _ outgoing: inout Outgoing<MosquittoHandle>, at now: Instant) {
    for arrival in shared.exclusively({ connection.popArrivals() }) {
      if let event = outgoing.process(arrival, at: now) { onEvent(event) }
    }
  }
}
