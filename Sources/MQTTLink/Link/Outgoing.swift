import DequeModule
import Logging
import Messages
import Synchronization
import Weighing

/// The sending side of one connection: from the queues to the socket, as fast as the socket accepts data.
///
/// Belongs to the link's thread and asks no clock. The functions that use the connection are called with its lock held.
struct Outgoing<Sender: PacketSender> {
  private enum Stage { case serving, draining, sendingFinalMessages, finalMessagesSent, disconnecting }

  private let sender: Sender
  private let window: Int
  private let quality: SubscriptionQuality
  private let mailbox: Mailbox
  private let logger: Logger
  private var subscriptions: [Int32: (filter: String, sentAt: Instant)] = [:]
  private var overdueSince: Instant?
  /// Whether the broker is late to acknowledge an urgent message, as last reported.
  private var isLate = false
  private var subscribed: Set<String> = []
  private var rejections: [String: Rejection] = [:]
  private var finalMessages = Deque<Message>()
  private var stage = Stage.serving

  /// A subscription that the broker has rejected.
  private struct Rejection {
    var count = 0
    /// When to request it again; `nil` while the answer is awaited.
    var retryAt: Instant?
  }

  /// Begins with a connection that allows `window` unacknowledged QoS 1 messages.
  init(_ sender: Sender, window: Int, _ quality: SubscriptionQuality, _ mailbox: Mailbox, _ logger: Logger) {
    (self.sender, self.window, self.quality, self.mailbox, self.logger) = (sender, window, quality, mailbox, logger)
  }

  /// Handles an arrival; returns the event to report.
  mutating func process(_ arrival: Arrival, at now: Instant) -> LinkEvent? {
    switch arrival {
    case .message(let message): return .message(message)
    case .acknowledgement(let identifier, let reason):
      return acknowledged(identifier, ReasonCode(rawValue: reason), at: now)
    case .subscription(let identifier, let granted): return self.granted(identifier, granted, at: now)
    case .rejection(let token, let reason): return .acknowledged(token: token, reason: reason)
    case .unsendable(let message, let reason, let text):
      logger.error("cannot send a message", metadata: ["mqtt.topic": "\(message.topic)", "mqtt.reason": "\(text)"])
      if message.delivery == .urgent { return .urgent(.rejected(message, reason)) }
    case .invalidFilter(let filter, let reason):
      logger.error("invalid topic filter", metadata: ["mqtt.filter": "\(filter)", "mqtt.reason": "\(reason)"])
    case .connack, .end: break
    }
    return nil
  }

  // MARK: - Subscriptions

  /// Sends the subscriptions that have not been requested on this connection, and those that are due again.
  mutating func subscribe(at now: Instant) throws(LinkError) {
    let (filters, removedFilters) = mailbox.state.withLock { state in
      defer { (state.filtersChanged, state.removedFilters) = (false, []) }
      return state.filtersChanged ? (state.filters, state.removedFilters) : ([], [])
    }
    for filter in removedFilters where subscribed.remove(filter) != nil {
      rejections[filter] = nil
      sender.unsubscribe(from: filter)
    }
    for filter in filters where subscribed.insert(filter).inserted { try subscribe(to: filter, at: now) }
    guard let due = subscriptionDue, due <= now else { return }
    for filter in rejections.keys.sorted() {
      guard let retryAt = rejections[filter]?.retryAt, retryAt <= now else { continue }
      rejections[filter]?.retryAt = nil
      try subscribe(to: filter, at: now)
    }
  }

  private mutating func subscribe(to filter: String, at now: Instant) throws(LinkError) {
    switch sender.subscribe(to: filter, with: quality) {
    case .success(let identifier): subscriptions[identifier] = (filter, now)
    case .failure(let error):
      if sender.isClosed { throw error }
      sender.arrivals.append(.invalidFilter(filter, reason: error))
    }
  }

  /// Time of the next subscription after a rejection; `nil` if no subscription was rejected.
  var subscriptionDue: Instant? { rejections.values.compactMap(\.retryAt).min() }

  /// Whether the broker has not answered a subscription.
  var awaitsSubscriptions: Bool { !subscriptions.isEmpty }

  /// Handles a SUBACK: 0x80 and above is a rejection. Returns the event to report.
  ///
  /// A rejected subscription is requested again: a cluster of NATS servers rejects all of them while it elects a leader.
  private mutating func granted(_ identifier: Int32, _ codes: [Int32], at now: Instant) -> LinkEvent? {
    guard let filter = subscriptions.removeValue(forKey: identifier)?.filter else { return nil }
    if let code = codes.first(where: { $0 >= 0x80 }), subscribed.contains(filter) {
      let count = rejections[filter]?.count ?? 0
      let wait = Self.firstRetry.nanoseconds << min(count, 5)
      rejections[filter] = Rejection(count: count + 1, retryAt: now + Interval(nanoseconds: wait))
      logger.log(
        level: count == 0 ? .error : .debug,
        "broker rejected a subscription; retrying. If it keeps rejecting it, allow it in the broker's access control list",
        metadata: [
          "mqtt.filter": "\(filter)",
          "mqtt.reason": "\(ReasonCode(rawValue: UInt8(truncatingIfNeeded: code)))",
        ])
    } else if rejections.removeValue(forKey: filter) != nil {
      logger.notice("broker accepted a subscription that it had rejected", metadata: ["mqtt.filter": "\(filter)"])
    }
    return .subscribed(filter: filter)
  }

  /// The wait after the first rejection, which doubles up to 64 s. A NATS server rejects 4 s after the request.
  private static var firstRetry: Interval { .seconds(2) }

  // MARK: - Messages

  /// Sends queued messages while the socket accepts data.
  mutating func flush(at now: Instant) throws(LinkError) {
    // What is published meanwhile must not follow the final messages, such as one that switches an output on.
    guard stage == .serving || stage == .draining else { return }
    while !sender.wantsToWrite {
      // A subscription requested before a message is sent before it, at the start of the next round.
      let entry = mailbox.state.withLock { state in
        state.filtersChanged ? nil : state.queues.popNext(window: window, at: now)
      }
      guard let entry else { break }
      let remaining = entry.token == nil ? entry.remaining(at: now) : entry.message.expiry
      try send(entry, expiry: remaining.map { $0.wholeSeconds }, at: now)
    }
  }

  private func send(_ entry: SendQueues.Entry, expiry: UInt32?, at now: Instant) throws(LinkError) {
    var message = entry.message
    // A token requires an acknowledgement, which only QoS 1 provides.
    if entry.token != nil, message.delivery == .live { message.delivery = .assured }
    switch sender.publish(message, expiry: expiry) {
    case .sent(let identifier):
      if message.delivery != .live { appendInFlight(entry, identifier, at: now) }
    case .impossible(let reason, let text):
      if let token = entry.token {
        sender.arrivals.append(.rejection(token: token, reason: reason))
      } else {
        sender.arrivals.append(.unsendable(message, reason, text: text))
      }
    case .broken(let error):
      // It may have been sent; it stays unacknowledged and is sent again on the next connection.
      if message.delivery != .live { appendInFlight(entry, -1, at: now) }
      throw error
    }
  }

  private func appendInFlight(_ entry: SendQueues.Entry, _ identifier: Int32, at now: Instant) {
    mailbox.state.withLock { $0.queues.appendInFlight(entry, identifier: identifier, at: now) }
  }

  /// Handles an acknowledgement of the broker; returns the event to report.
  private func acknowledged(_ identifier: Int32, _ reason: ReasonCode, at now: Instant) -> LinkEvent? {
    let entry = mailbox.state.withLock { $0.queues.acknowledge(identifier: identifier) }
    guard let entry else { return nil }
    // The publisher reports the result of a message with a token.
    if !reason.isSuccess, entry.token == nil {
      let isForbidden = reason == .notAuthorized
      logger.log(
        level: entry.isRepeated ? .debug : .error,
        isForbidden
          ? "broker rejected a message; allow the topic in the broker's access control list"
          : "broker rejected a message",
        metadata: [
          "mqtt.topic": "\(entry.message.topic)",
          "mqtt.reason": "\(reason)\(reason.name.map { " (\($0))" } ?? "")",
        ])
    }
    if !reason.isSuccess, entry.message.delivery == .urgent {
      mailbox.state.withLock { $0.queues.repeatUrgent(entry, at: now + Self.repetition) }
      return .urgent(.rejected(entry.message, reason))
    }
    return entry.token.map { .acknowledged(token: $0, reason: reason) }
  }

  /// The wait before a rejected message that switches an output off is sent again: a quota may be free by then. Chosen.
  private static var repetition: Interval { .seconds(1) }

  /// The time of the next call of `flush` for a rejected message; `nil` if no such message waits, or the socket is full.
  var urgentRepeat: Instant? { sender.wantsToWrite ? nil : mailbox.state.withLock { $0.queues.urgentRepeat } }

  /// Time of the next call of `checkUrgent` if nothing else happens; `nil` if no urgent message with an expiry is outstanding.
  func urgentDue(within deadline: Interval) -> Instant? {
    isLate ? nil : mailbox.state.withLock { $0.queues.urgentSince }.map { $0 + deadline }
  }

  /// Returns the event to report if the broker is late to acknowledge urgent messages, or has acknowledged all of them after that.
  mutating func checkUrgent(within deadline: Interval, at now: Instant) -> LinkEvent? {
    if isLate {
      isLate = mailbox.state.withLock { $0.queues.awaitsUrgent }
      return isLate ? nil : .urgent(.caughtUp)
    }
    isLate = urgentDue(within: deadline).map { $0 <= now } ?? false
    return isLate ? .urgent(.late) : nil
  }

  // MARK: - Acknowledgement deadline

  /// Time of the next call of `checkAcknowledgements`; `nil` if no acknowledgement is outstanding.
  func acknowledgementDue(within deadline: Interval) -> Instant? {
    if let overdueSince { return overdueSince + Self.confirmation(of: deadline) }
    return oldestUnacknowledged.map { $0 + Self.firstCheck(of: deadline) }
  }

  /// Throws if the broker has not acknowledged a message or a subscription before the deadline.
  ///
  /// Requires two checks a second apart: after this machine or process was suspended, acknowledgements may be unread.
  mutating func checkAcknowledgements(within deadline: Interval, at now: Instant) throws(LinkError) {
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
    let message = mailbox.state.withLock { $0.queues.oldestUnacknowledged }
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

  // MARK: - Shutdown

  /// Continues the shutdown: first queued messages (for at most half of the time), then the last messages, then
  /// DISCONNECT.
  mutating func shutDown(_ request: Mailbox.StopRequest, at now: Instant) throws(LinkError) {
    if stage == .serving {
      finalMessages += request.messages
      stage = .draining
    }
    if stage == .draining, isDrained || drainDeadline(request) <= now { stage = .sendingFinalMessages }
    if stage == .sendingFinalMessages {
      while !sender.wantsToWrite, let message = finalMessages.popFirst() {
        try send(SendQueues.Entry(message: message, queuedAt: now), expiry: message.expiry.map(\.wholeSeconds), at: now)
      }
      if finalMessages.isEmpty { stage = .finalMessagesSent }
    }
    if stage == .finalMessagesSent, !sender.wantsToWrite, isAcknowledged || isLate(request, at: now) {
      sender.disconnect()
      stage = .disconnecting
    }
  }

  /// Whether the shutdown is complete or its time is up.
  func isShutDown(_ request: Mailbox.StopRequest, at now: Instant) -> Bool {
    sender.isClosed || (stage == .disconnecting && !sender.wantsToWrite) || isLate(request, at: now)
  }

  /// When to continue the shutdown if nothing happens.
  func nextShutdownStep(_ request: Mailbox.StopRequest, at now: Instant) -> Instant {
    stage == .draining && now < drainDeadline(request) ? drainDeadline(request) : disconnectDeadline(request)
  }

  private var isDrained: Bool { mailbox.state.withLock { $0.queues.isDrained } }
  private var isAcknowledged: Bool { mailbox.state.withLock { $0.queues.unacknowledged == 0 } }

  private func drainDeadline(_ request: Mailbox.StopRequest) -> Instant {
    request.requestedAt + Interval(nanoseconds: (request.deadline - request.requestedAt).nanoseconds / 2)
  }

  /// The last tenth is reserved for DISCONNECT and the end of the thread.
  private func disconnectDeadline(_ request: Mailbox.StopRequest) -> Instant {
    request.requestedAt + Interval(nanoseconds: (request.deadline - request.requestedAt).nanoseconds / 10 * 9)
  }

  private func isLate(_ request: Mailbox.StopRequest, at now: Instant) -> Bool { disconnectDeadline(request) <= now }
}

extension Interval {
  /// Whole seconds for the packet, rounded up, at least one.
  var wholeSeconds: UInt32 { UInt32(clamping: max(1, (nanoseconds + 999_999_999) / 1_000_000_000)) }
}
