import CLinux
import CMosquitto
import Glibc
import Linux
import Messages
import Weighing

/// A handle with its socket, from the first packet to the last; used by one thread at a time.
///
/// ```
/// opening --TCP--> handshaking --CONNACK 0--> established
/// ```
/// The TLS handshake is part of `handshaking`.
final class Connection {
  private enum Phase { case opening, handshaking, established }

  let handle: MosquittoHandle
  private let settings: LinkSettings
  private var phase = Phase.opening
  private(set) var sessionPresent = false
  /// Maximum number of unacknowledged QoS 1 messages on this connection, without the places for urgent ones.
  private(set) var window: Int
  /// Other limits of the broker.
  private(set) var limits = BrokerLimits()
  private(set) var keepAlive: KeepAlive
  /// The events that the socket is watched for; `nil` before it is watched.
  var watchedFor: Poller.Readiness?
  /// The error of a message that was not sent by the link's thread; for that thread.
  private(set) var sendError: LinkError?

  /// Starts connecting.
  init(_ handle: MosquittoHandle, _ settings: LinkSettings, localAddress: String?, at now: Instant) throws(LinkError) {
    (self.handle, self.settings) = (handle, settings)
    window = max(1, settings.window)
    // libmosquitto accepts whole seconds from 5 to 65535.
    let seconds = min(65535, max(5, Int32(settings.keepAlive.seconds.rounded())))
    keepAlive = KeepAlive(interval: .seconds(Double(seconds)), deadline: settings.pingDeadline, at: now)
    try handle.connect(
      keepAlive: seconds, maximumPacketSize: settings.maximumPacketSize, localAddress: localAddress)
    if let socket = handle.socket { tune(socket) }
  }

  private func tune(_ socket: Int32) {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    func set(_ option: Int32, _ value: Int32) {
      var value = value
      _ = setsockopt(socket, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    // Ends the connection on unacknowledged data as early as on an unanswered ping. `tcp(7)`
    set(TCP_USER_TIMEOUT, Int32(clamping: (keepAlive.interval + settings.pingDeadline).nanoseconds / 1_000_000))
    // Limits unsent data in the kernel: messages wait in our queues instead, where newer values replace older ones. 4
    // KiB hold ten readings.
    set(TCP_NOTSENT_LOWAT, 4096)
  }

  var socket: Int32? { handle.socket }
  var isOpening: Bool { phase == .opening }
  var isEstablished: Bool { phase == .established }

  /// The events to watch the socket for.
  var interest: Poller.Readiness {
    switch phase {
    case .opening: .writable
    // During the TLS handshake the library always reports that it wants to write; watching for that would be a busy
    // loop.
    case .handshaking: handle.wantsToWrite && handle.tlsSession == nil ? [.readable, .writable] : .readable
    case .established: handle.wantsToWrite ? [.readable, .writable] : .readable
    }
  }

  /// Reads and writes as far as the socket is ready.
  func advance(_ readiness: Poller.Readiness) throws(LinkError) {
    if phase == .opening {
      try checkConnected()
      phase = .handshaking
    }
    do throws(LinkError) {
      if phase == .handshaking || !readiness.isDisjoint(with: [.readable, .ended]) { try read() }
      // The library closes the socket when it cannot write, and then what has not been read yet is lost.
      if readiness.isDisjoint(with: .ended), handle.wantsToWrite { try handle.write() }
    } catch {
      // A rejection or a DISCONNECT precedes the end of the connection; its reason code is more specific.
      try processConnack()
      throw phase == .established ? disconnectReason ?? error : error.beforeConnack
    }
    try processConnack()
    if handle.socket == nil { throw closedError }
    if !readiness.isDisjoint(with: .ended), isAtEnd { throw closedError }
  }

  /// Reads incoming packets.
  ///
  /// A broker queues at most `max_queued_messages` for each client and drops the rest, so a flood has to be read
  /// quickly. Returning to the poller after each packet would cost more than the packet itself.
  private func read() throws(LinkError) {
    for _ in 0..<(phase == .established ? Self.mostPackets : 1) {
      guard try handle.read(), handle.socket != nil else { return }
    }
  }

  /// Maximum number of packets to read before queued messages are sent; a few times the usual receive window of 20.
  private static let mostPackets = 64

  /// Records the time of what was read and written since the last call.
  ///
  /// Read the clock afterwards: if our deadline started before the library's, the library would not send the ping.
  func recordTraffic(at now: Instant) {
    if handle.hasRead { keepAlive.recordRead(at: now) }
    if handle.hasWritten { keepAlive.recordWrite(at: now) }
    (handle.hasRead, handle.hasWritten) = (false, false)
  }

  /// Whether nothing is left to do for the link's thread, and the socket is not known to be full.
  var isIdle: Bool { sendError == nil && handle.arrivals.isEmpty && !handle.wantsToWrite }

  /// Sends a live message while the connection is idle, and returns whether it still is; whatever goes wrong is recorded for the link's
  /// thread.
  func sendLive(_ message: Message) -> Bool {
    switch handle.publish(message, expiry: message.expiry?.wholeSeconds) {
    case .sent: return !handle.wantsToWrite
    case .impossible(let reason, let text): handle.arrivals.append(.unsendable(message, reason, text: text))
    case .broken(let error): sendError = error
    }
    return false
  }

  /// Sends a ping if it is due; throws if the last one was not answered.
  func ping(at now: Instant) throws(LinkError) { if try keepAlive.isPingDue(at: now) { try handle.keepAlive() } }

  /// Returns the arrivals recorded since the last call.
  func popArrivals() -> [Arrival] {
    defer { handle.arrivals.removeAll(keepingCapacity: true) }
    return handle.arrivals
  }

  /// The reason why the library has closed the socket.
  var closedError: LinkError {
    if let disconnectReason { return disconnectReason }
    switch phase {
    case .opening: return .unreachable(systemText(ECONNREFUSED))
    case .handshaking: return .closedBeforeConnack
    case .established: return .closed
    }
  }

  /// The reason for the end of the connection, given the error that a write or a read has returned.
  ///
  /// Reads what the broker sent before it closed the connection: the refusal of a message, or a DISCONNECT with the reason. A write
  /// fails as soon as the reset has arrived, but Linux keeps what arrived before it. What follows a message with QoS 1 is lost, because the
  /// library acknowledges it first and closes the socket when that fails.
  func reason(for error: LinkError) -> LinkError {
    let isBroken = if case .broken = error { true } else { error == .closed }
    guard isBroken else { return error }
    while handle.socket != nil, (try? handle.read()) == true {}
    return disconnectReason ?? error
  }

  /// The reason code of the broker's DISCONNECT (MQTT 5, 0x80 and above); smaller values are errors of the library.
  private var disconnectReason: LinkError? {
    guard handle.version == .v5 else { return nil }
    for case .end(let code) in handle.arrivals where code >= 0x80 {
      let reason = ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
      return reason == .sessionTakenOver ? .sessionTakenOver(clientID: settings.clientID) : .endedByBroker(reason)
    }
    return nil
  }

  /// Lets the end of the connection discard what the kernel has not delivered yet. `socket(7)`, SO_LINGER
  ///
  /// Otherwise the kernel keeps sending it, and a message that switches an output on could arrive after the next connection has
  /// switched it off through another broker.
  func discardUndelivered() {
    guard let socket else { return }
    var value = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(socket, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }

  // MARK: - CONNACK

  private func processConnack() throws(LinkError) {
    guard phase != .established else { return }
    for case .connack(let code, let present, let receiveMaximum, let packetSize, let seconds) in handle.arrivals {
      if code != 0 { throw refusal(code) }
      phase = .established
      sessionPresent = present
      limits.maximumPacketSize = packetSize.map(Int.init)
      if let receiveMaximum { window = min(window, max(1, Int(receiveMaximum) - SendQueues.reserved)) }
      if let seconds, seconds > 0 { keepAlive.interval = .seconds(Double(seconds)) }
    }
  }

  private func refusal(_ code: UInt8) -> LinkError {
    let reason = ReasonCode(rawValue: code)
    // 3.1.1 has codes 1...5 (MQTT 3.1.1, table 3.1); 5 has codes from 0x80 (MQTT 5, 3.2.2.2).
    switch UInt32(code) {
    case CONNACK_REFUSED_PROTOCOL_VERSION.rawValue, MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue:
      return .versionRefused(handle.version)
    case CONNACK_REFUSED_BAD_USERNAME_PASSWORD.rawValue, CONNACK_REFUSED_NOT_AUTHORIZED.rawValue,
      MQTT_RC_BAD_USERNAME_OR_PASSWORD.rawValue, MQTT_RC_NOT_AUTHORIZED.rawValue:
      return .credentialsRefused(reason)
    default: return .refused(reason)
    }
  }

  // MARK: - The socket itself

  /// Throws if the socket could not be connected.
  private func checkConnected() throws(LinkError) {
    // Checked before the error, because a reset may occur in between: a socket that is not connected then has an error
    // to report.
    let isConnected = hasPeer
    switch socketError {
    case 0 where isConnected: return
    // With TLS the library has already written, and the kernel reports an error only once: to the library.
    case 0: throw .unreachable(systemText(ECONNREFUSED))
    // A peer that resets the connection had accepted it: for example, a broker that requires TLS and receives a plain
    // packet.
    // A reset after the other side has finished sending is reported as a broken pipe.
    case ECONNRESET, EPIPE: throw .closedBeforeConnack
    case let code: throw .unreachable(systemText(code))
    }
  }

  private var hasPeer: Bool {
    guard let socket else { return false }
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) == 0 }
    }
  }

  /// The pending error of the socket, cleared by reading it. `socket(7)`, SO_ERROR
  private var socketError: Int32 {
    guard let socket else { return ECONNREFUSED }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }

  /// Whether the other side has finished sending and everything has been read.
  private var isAtEnd: Bool {
    guard let socket else { return true }
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }
}

extension LinkError {
  /// The same error, given that it occurred before the CONNACK.
  fileprivate var beforeConnack: LinkError {
    switch self {
    case .closed, .broken: .closedBeforeConnack
    case .unknownHost, .unreachable, .noAnswer, .credentialsRefused, .versionRefused, .refused, .untrustedCertificate,
      .certificateOutOfDate, .wrongServerName, .unusableFile, .tls, .closedBeforeConnack, .closedRepeatedly,
      .endedByBroker, .sessionTakenOver, .silent, .unacknowledged, .notMQTT, .unusableSettings, .stopped:
      self
    }
  }
}
