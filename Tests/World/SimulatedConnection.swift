import Linux
import Messages
import Weighing

@testable import MQTTLink

/// One connection of a scale, as the network and the broker treat it: packets arrive in order, answers in any order.
///
/// ```
///             what is sent            arrives
/// Outgoing ─────────────────► (1…20 ms) ─────► SimulatedBroker
///    ▲      answers, messages     │
///    └────────────────────────────┘  later while the broker is silent, never after the end
/// ```
final class SimulatedConnection: PacketSender, SimulatedBroker.Client {
  private unowned let world: World
  private weak var link: SimulatedLink?
  /// Told what the broker has accepted and rejected of the messages with a token.
  private let onDecision: (UInt64, ReasonCode) -> Void
  let server: SimulatedLink.Server
  let version: ProtocolVersion
  /// The maximum number of unacknowledged messages with QoS 1.
  let window: Int

  var arrivals: [Arrival] = []
  /// Whether something was read or written since these were reset.
  var (hasRead, hasWritten) = (false, false)
  private(set) var isClosed = false
  private(set) var wantsToWrite = false
  /// Why the other side is gone; the scale may not have noticed.
  private(set) var fault: LinkError?
  private var identifier: Int32 = 0
  private var unacknowledged = 0
  private var lastArrival: Instant
  private var end: Instant?
  /// Whether a packet was lost at the end, and so all after it.
  private var isCut = false
  private var silentUntil: Instant
  /// Whether a silent broker does not even read.
  private var isHung = false

  /// What is on its way when a connection ends arrives within this time, or never: before anything of the next
  /// connection.
  private static let rest = Interval.milliseconds(20)

  init(
    _ link: SimulatedLink, to server: SimulatedLink.Server, _ version: ProtocolVersion, window: Int, in world: World,
    onDecision: @escaping (UInt64, ReasonCode) -> Void
  ) {
    (self.link, self.server, self.version, self.window) = (link, server, version, window)
    (self.world, self.onDecision) = (world, onDecision)
    (lastArrival, silentUntil) = (world.now + Self.rest, world.now)
  }

  // MARK: Sending

  func publish(_ message: Message, expiry: UInt32?) -> Publication {
    hasWritten = true
    identifier += 1
    let token = link?.takeToken(of: message)
    if let fault {
      // The first packet after the end may still seem to be sent.
      if world.chance(2) { return .sent(identifier: identifier) }
      isClosed = true
      return .broken(fault)
    }
    var reason: ReasonCode? = .success
    if let token, world.occurs(.rejection) {
      reason = rejection()
      if reason == .packetTooLarge, world.chance(2) {
        world.reached("rejected by the library")
        onDecision(token, .packetTooLarge)
        return .impossible(.packetTooLarge, text: "too large")
      }
    }
    let isAcknowledged = message.delivery != .live
    if isAcknowledged { unacknowledged += 1 }
    if unacknowledged > window + SendQueues.reserved {
      world.violation("\(unacknowledged) messages in flight, the window is \(window)")
    }
    let identifier = identifier
    transmit { [self] in
      guard let reason else {
        link?.lose(self)
        return
      }
      let isUnread = reason == .success && !world.broker.publish(message)
      if let token { onDecision(token, reason) }
      guard isAcknowledged else { return }
      let code = isUnread && version == .v5 ? ReasonCode.noMatchingSubscribers : reason
      answer(.acknowledgement(identifier: identifier, reason: code.rawValue))
    }
    return .sent(identifier: identifier)
  }

  /// How the broker rejects a message; `nil` if it ends the connection, which is the only way with 3.1.1.
  private func rejection() -> ReasonCode? {
    let reasons: [ReasonCode] = [
      .notAuthorized, .quotaExceeded, .packetTooLarge, .payloadFormatInvalid, .topicNameInvalid, .unspecified,
    ]
    let reason = world.chance(6) ? nil : reasons.randomElement(using: &world.random)
    guard version == .v5, let reason else {
      world.reached("rejected by the end of the connection")
      return nil
    }
    world.reached("rejected: \(reason.name ?? "\(reason)")")
    return reason
  }

  func subscribe(to filter: String, with quality: SubscriptionQuality) -> Result<Int32, LinkError> {
    hasWritten = true
    identifier += 1
    if let fault {
      isClosed = true
      return .failure(fault)
    }
    let isRejected = world.occurs(.rejection)
    if isRejected { world.reached("subscription rejected") }
    if quality == .atMostOnce { world.reached("subscription with QoS 0") }
    let (identifier, failure) = (identifier, version == .v5 ? Int32(ReasonCode.notAuthorized.rawValue) : 0x80)
    transmit { [self] in
      guard end == nil else { return }
      if !isRejected { world.broker.subscribe(self, to: filter) { Self.matches(filter, $0) } }
      answer(.subscription(identifier: identifier, granted: [isRejected ? failure : quality.rawValue]))
    }
    return .success(identifier)
  }

  /// Whether a filter of a scale, which has a wildcard at most at its end, matches a topic.
  private static func matches(_ filter: String, _ topic: String) -> Bool {
    filter.hasSuffix("#") ? topic.hasPrefix(filter.dropLast()) : topic == filter
  }

  func unsubscribe(from filter: String) {
    hasWritten = true
    transmit { [self] in world.broker.unsubscribe(self, from: filter) }
  }

  /// Sends a PINGREQ.
  func ping() {
    hasWritten = true
    transmit { [self] in answer(nil) }
  }

  func disconnect() { close() }

  /// Lets a packet arrive after those before it, unless it is lost at the end of the connection.
  private func transmit(_ body: @escaping () -> Void) {
    guard end == nil else { return }
    // Sometimes the network takes its time, and the socket takes no more.
    let isSlow = world.chance(50)
    lastArrival = max(lastArrival, world.now + world.milliseconds(isSlow ? 50...500 : 1...20))
    if isHung { lastArrival = max(lastArrival, silentUntil) }
    world.after(lastArrival - world.now) { [self] in if arrives() { body() } }
    guard isSlow, !wantsToWrite else { return }
    world.reached("socket full")
    wantsToWrite = true
    world.after(lastArrival - world.now) { [self] in
      wantsToWrite = false
      if !isClosed { link?.step() }
    }
  }

  /// Whether a packet arrives now: what was sent before the end of a connection may.
  private func arrives() -> Bool {
    guard let end else { return true }
    if isCut || world.now > end + Self.rest || !world.chance(2) { isCut = true }
    return !isCut
  }

  // MARK: Receiving

  func receive(_ message: IncomingMessage) {
    var message = message
    if version == .v311 { message.responseTopic = nil }
    arrive(.message(message))
  }

  /// Sends an answer; `nil` is a PINGRESP.
  private func answer(_ arrival: Arrival?) {
    world.after(world.milliseconds(1...20)) { [self] in arrive(arrival) }
  }

  private func arrive(_ arrival: Arrival?) {
    guard end == nil else { return }
    // A broker that is only slow to acknowledge answers a PINGREQ.
    if silentUntil > world.now, isHung || arrival != nil {
      return world.after(silentUntil - world.now) { [self] in arrive(arrival) }
    }
    hasRead = true
    if case .acknowledgement = arrival { unacknowledged -= 1 }
    if let arrival { arrivals.append(arrival) }
    link?.step()
  }

  // MARK: End

  /// The broker says nothing for some time: it hangs, or it has lost its disk and cannot acknowledge.
  func fallSilent() {
    guard end == nil, silentUntil <= world.now else { return }
    silentUntil = world.now + world.milliseconds(1000...15_000)
    isHung = world.chance(2)
    world.after(silentUntil - world.now) { [self] in
      isHung = false
      if end == nil { world.reached("the broker speaks again") }
    }
  }

  /// The other side is gone.
  func cut(because error: LinkError) {
    guard end == nil else { return }
    (fault, end) = (error, world.now)
    world.broker.disconnect(self)
  }

  /// The scale closes the connection, or it is gone.
  func close() {
    isClosed = true
    if end == nil { end = world.now }
    world.broker.disconnect(self)
  }
}
