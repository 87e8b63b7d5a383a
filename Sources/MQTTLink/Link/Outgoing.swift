import EventLoop
import Logging
import Messages
import Synchronization
import Weighing

/// The sending side of one connection: from the lanes to the socket, as far as the socket drains.
struct Outgoing {
  private enum Stage { case serving, draining, farewellSent, goodbyeSaid }

  private let connection: Connection
  private let mailbox: Mailbox
  private let logger: Logger
  private var subscriptions: [Int32: (filter: String, sentAt: Instant)] = [:]
  private var overdueSince: Instant?
  private var subscribed: Set<String> = []
  private var farewells: Queue<Message> = Queue()
  private var stage = Stage.serving

  init(_ connection: Connection, _ mailbox: Mailbox, _ logger: Logger) {
    self.connection = connection
    self.mailbox = mailbox
    self.logger = logger
  }

  // MARK: - Subscriptions

  /// Subscribes to what is wanted and not yet asked for on this connection.
  mutating func subscribe() throws(LinkFault) {
    let (filters, unwanted) = mailbox.state.withLock { state in
      defer { (state.filtersChanged, state.unwanted) = (false, []) }
      return state.filtersChanged ? (state.filters, state.unwanted) : ([], [])
    }
    for filter in unwanted where subscribed.remove(filter) != nil {
      connection.handle.unsubscribe(from: filter)
      connection.noteWritten()
    }
    for filter in filters where subscribed.insert(filter).inserted {
      switch connection.handle.subscribe(to: filter) {
      case .success(let identifier): subscriptions[identifier] = (filter, .now())
      case .failure(let fault):
        if connection.socket == nil { throw fault }
        logger.error("invalid topic filter", metadata: ["mqtt.filter": "\(filter)", "mqtt.reason": "\(fault)"])
      }
    }
    if !filters.isEmpty { connection.noteWritten() }
  }

  /// The broker has answered a subscription: 0x80 and more is a refusal. Returns what to tell.
  mutating func granted(_ identifier: Int32, _ codes: [Int32]) -> LinkEvent? {
    let filter = subscriptions.removeValue(forKey: identifier)?.filter
    let event = filter.map { LinkEvent.subscribed(filter: $0) }
    guard let code = codes.first(where: { $0 >= 0x80 }) else { return event }
    logger.error(
      "broker rejected a subscription; allow it in the broker's access control list",
      metadata: [
        "mqtt.filter": "\(filter ?? "")",
        "mqtt.reason": "\(ReasonCode(rawValue: UInt8(truncatingIfNeeded: code)))",
      ])
    return event
  }

  // MARK: - Messages

  /// Sends while something waits and the socket takes it.
  mutating func flush() throws(LinkFault) {
    if stage == .farewellSent || stage == .goodbyeSaid { return }
    while !connection.handle.wantsToWrite {
      let now = Instant.now()
      // A subscription that was asked for before a message goes out before it: the next round begins with it.
      let entry = mailbox.state.withLock { state in
        state.filtersChanged ? nil : state.lanes.takeNext(window: connection.window, at: now)
      }
      guard let entry else { break }
      let remaining = entry.token == nil ? entry.remaining(at: now) : entry.message.expiry
      try send(entry, expiry: remaining.map { $0.wholeSeconds })
    }
  }

  private func send(_ entry: Lanes.Entry, expiry: UInt32?) throws(LinkFault) {
    defer { connection.noteWritten() }
    var message = entry.message
    // A token asks for an acknowledgement, which only QoS 1 gives.
    if entry.token != nil, message.delivery == .live { message.delivery = .assured }
    switch connection.handle.publish(message, expiry: expiry) {
    case .sent(let identifier):
      if message.delivery != .live { note(entry, identifier) }
    case .impossible(let reason, let text):
      if let token = entry.token {
        connection.handle.arrivals.append(.rejection(token: token, reason: reason))
      } else {
        logger.error(
          "cannot send a message", metadata: ["mqtt.topic": "\(entry.message.topic)", "mqtt.reason": "\(text)"])
      }
    case .broken(let fault):
      // It may or may not have left; as one in flight it is sent again on the next connection.
      if message.delivery != .live { note(entry, -1) }
      throw fault
    }
  }

  private func note(_ entry: Lanes.Entry, _ identifier: Int32) {
    mailbox.state.withLock { $0.lanes.sent(entry, identifier: identifier, at: .now()) }
  }

  /// The broker has answered a message; returns what to tell.
  func acknowledged(_ identifier: Int32, _ reason: ReasonCode) -> LinkEvent? {
    let entry = mailbox.state.withLock { $0.lanes.acknowledged(identifier: identifier) }
    guard let entry else { return nil }
    // What was published with a token is the publisher's to report.
    if !reason.isSuccess, entry.token == nil {
      let isForbidden = reason == .notAuthorized
      logger.error(
        isForbidden
          ? "broker rejected a message; allow the topic in the broker's access control list"
          : "broker rejected a message",
        metadata: [
          "mqtt.topic": "\(entry.message.topic)",
          "mqtt.reason": "\(reason)\(reason.name.map { " (\($0))" } ?? "")",
        ])
    }
    return entry.token.map { .acknowledged(token: $0, reason: reason) }
  }

  // MARK: - Acknowledgement deadline

  /// When `checkAcknowledgements` has to be called; `nil` while the broker owes no acknowledgement.
  func acknowledgementDue(within deadline: Interval) -> Instant? {
    if let overdueSince { return overdueSince + Self.confirmation(of: deadline) }
    return oldestUnacknowledged.map { $0 + Self.firstCheck(of: deadline) }
  }

  /// Throws when the broker has not acknowledged a message or a subscription within the deadline.
  ///
  /// Seen twice, a second apart: after a pause of this machine or process the acknowledgements are still to be read.
  mutating func checkAcknowledgements(within deadline: Interval) throws(LinkFault) {
    let now = Instant.now()
    let confirmation = Self.confirmation(of: deadline)
    guard let oldest = oldestUnacknowledged, oldest + Self.firstCheck(of: deadline) <= now else {
      overdueSince = nil
      return
    }
    let since = overdueSince ?? now
    overdueSince = since
    if since + confirmation <= now { throw .unacknowledged(deadline) }
  }

  private var oldestUnacknowledged: Instant? {
    let message = mailbox.state.withLock { $0.lanes.oldestUnacknowledged }
    let subscription = subscriptions.values.map(\.sentAt).min()
    guard let message, let subscription else { return message ?? subscription }
    return min(message, subscription)
  }

  private static func confirmation(of deadline: Interval) -> Interval {
    min(.seconds(1), Interval(nanoseconds: deadline.nanoseconds / 4))
  }

  private static func firstCheck(of deadline: Interval) -> Interval {
    Interval(nanoseconds: deadline.nanoseconds - confirmation(of: deadline).nanoseconds)
  }

  // MARK: - Farewell

  /// Goes on with leaving: first what waits (at most half of the time), then the last messages, then the goodbye.
  mutating func leave(_ farewell: Mailbox.Farewell) throws(LinkFault) {
    if stage == .serving {
      for message in farewell.messages { farewells.append(message) }
      stage = .draining
    }
    if stage == .draining, isDrained || half(farewell) <= .now() {
      while !connection.handle.wantsToWrite, let message = farewells.popFirst() {
        try send(Lanes.Entry(message: message, acceptedAt: .now()), expiry: message.expiry.map(\.wholeSeconds))
      }
      if farewells.isEmpty { stage = .farewellSent }
    }
    if stage == .farewellSent, !connection.handle.wantsToWrite, isAcknowledged || isLate(farewell) {
      connection.handle.disconnect()
      stage = .goodbyeSaid
    }
  }

  /// Whether there is nothing left to do, or no time left to do it.
  func isOver(_ farewell: Mailbox.Farewell) -> Bool {
    connection.socket == nil || (stage == .goodbyeSaid && !connection.handle.wantsToWrite) || isLate(farewell)
  }

  /// When to go on leaving even if nothing happens.
  func nextLook(_ farewell: Mailbox.Farewell) -> Instant {
    stage == .draining && .now() < half(farewell) ? half(farewell) : late(farewell)
  }

  private var isDrained: Bool { mailbox.state.withLock { $0.lanes.isDrained } }
  private var isAcknowledged: Bool { mailbox.state.withLock { $0.lanes.unacknowledged == 0 } }

  private func half(_ farewell: Mailbox.Farewell) -> Instant {
    farewell.begunAt + Interval(nanoseconds: (farewell.deadline - farewell.begunAt).nanoseconds / 2)
  }

  /// The last tenth is kept for the goodbye and the end of the thread.
  private func late(_ farewell: Mailbox.Farewell) -> Instant {
    farewell.begunAt + Interval(nanoseconds: (farewell.deadline - farewell.begunAt).nanoseconds / 10 * 9)
  }

  private func isLate(_ farewell: Mailbox.Farewell) -> Bool { late(farewell) <= .now() }
}

extension Interval {
  /// Whole seconds for the wire, rounded up, at least one.
  fileprivate var wholeSeconds: UInt32 { UInt32(clamping: max(1, (nanoseconds + 999_999_999) / 1_000_000_000)) }
}
