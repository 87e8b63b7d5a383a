import CLinux
import CMosquitto
import EventLoop
import Glibc
import Messages
import Weighing

/// A handle with its socket, from the first packet to the last; belongs to the link's thread.
///
/// ```
/// opening --TCP--> greeting --CONNACK 0--> greeted
/// ```
/// With TLS the handshake is part of greeting.
final class Connection {
  private enum Phase { case opening, greeting, greeted }

  let handle: MosquittoHandle
  private let settings: LinkSettings
  private var phase = Phase.opening
  private(set) var sessionPresent = false
  /// How many QoS 1 messages may be unacknowledged here.
  private(set) var window: Int
  /// What else the broker accepts.
  private(set) var limits = BrokerLimits()
  private var keepAliveTime: Interval
  /// What the socket is being watched for; `nil` before anybody does.
  var watchedFor: Poller.Readiness?
  private var lastRead = Instant.now()
  private var lastWritten = Instant.now()
  /// By when the broker has to answer the ping that was sent; `nil` when none is unanswered.
  private var pingDue: Instant?

  /// Begins to connect.
  init(_ handle: MosquittoHandle, _ settings: LinkSettings, localAddress: String?) throws(LinkFault) {
    self.handle = handle
    self.settings = settings
    window = max(1, settings.window)
    // Whole seconds, 5...65535, is what libmosquitto accepts.
    let seconds = min(65535, max(5, Int32(settings.keepAlive.seconds.rounded())))
    keepAliveTime = .seconds(Double(seconds))
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
    // Unacknowledged data ends the connection no later than an unanswered ping would. `tcp(7)`
    set(TCP_USER_TIMEOUT, Int32(clamping: (keepAliveTime + settings.pingDeadline).nanoseconds / 1_000_000))
    // The kernel takes no more than this beyond what it could send: what waits, waits in our lanes, where newer values
    // replace older ones. 4 KiB are ten readings.
    set(TCP_NOTSENT_LOWAT, 4096)
  }

  var socket: Int32? { handle.socket }
  var isOpening: Bool { phase == .opening }
  var isGreeted: Bool { phase == .greeted }

  /// What the socket is to be watched for.
  var interest: Poller.Readiness {
    switch phase {
    case .opening: .writable
    // In a TLS handshake the library goes on saying that it wants to write; watching for that would spin.
    case .greeting: handle.wantsToWrite && handle.tlsSession == nil ? [.readable, .writable] : .readable
    case .greeted: handle.wantsToWrite ? [.readable, .writable] : .readable
    }
  }

  /// Reads and writes what the socket is ready for.
  func advance(_ readiness: Poller.Readiness) throws(LinkFault) {
    if phase == .opening {
      try lookWhetherItOpened()
      phase = .greeting
    }
    do throws(LinkFault) {
      if phase == .greeting || !readiness.isDisjoint(with: [.readable, .ended]) {
        try read()
        lastRead = .now()
        pingDue = nil
      }
      try write()
    } catch {
      // A refusal and a DISCONNECT come with an end of the connection; their code is the better reason.
      try look()
      throw phase == .greeted ? disconnectReason ?? error : error.beforeGreeting
    }
    try look()
    if handle.socket == nil { throw closedFault }
    if !readiness.isDisjoint(with: .ended), isAtEnd { throw closedFault }
  }

  /// Reads what has come, packet by packet.
  ///
  /// A broker queues no more than `max_queued_messages` for us and drops the rest, of all its clients: we have to keep up
  /// with a flood. A round through the poller for each packet costs more than the packet.
  private func read() throws(LinkFault) {
    for _ in 0..<(phase == .greeted ? Self.mostPackets : 1) {
      guard try handle.read(), handle.socket != nil else { return }
    }
  }

  /// How many packets are read before those that wait to be sent have their turn; a few times a broker's usual window of 20.
  private static let mostPackets = 64

  /// Writes what is left over.
  func write() throws(LinkFault) {
    guard handle.wantsToWrite else { return }
    try handle.write()
    lastWritten = .now()
  }

  /// Notes that something was written.
  func noteWritten() { lastWritten = .now() }

  /// When `keepAlive` has to be called.
  var keepAliveDue: Instant { pingDue ?? min(lastRead, lastWritten) + keepAliveTime }

  /// Sends a ping when it is time; throws when the last one was not answered.
  func keepAlive() throws(LinkFault) {
    let now = Instant.now()
    guard keepAliveDue <= now else { return }
    if pingDue != nil { throw .silent }
    // The library's own clock of whole seconds agrees that a ping is due: ours starts later, after each read and write.
    try handle.keepAlive()
    lastWritten = .now()
    pingDue = now + settings.pingDeadline
  }

  /// What the callbacks have noted since the last time.
  func takeArrivals() -> [MosquittoHandle.Arrival] {
    defer { handle.arrivals.removeAll(keepingCapacity: true) }
    return handle.arrivals
  }

  /// Why a socket that the library has closed was closed.
  var closedFault: LinkFault {
    if let disconnectReason { return disconnectReason }
    switch phase {
    case .opening: return .unreachable(systemText(ECONNREFUSED))
    case .greeting: return .closedBeforeGreeting
    case .greeted: return .closed
    }
  }

  /// What the broker said in its DISCONNECT (MQTT 5, from 0x80 on); below are the library's own errors.
  private var disconnectReason: LinkFault? {
    guard handle.version == .v5 else { return nil }
    for case .end(let code) in handle.arrivals where code >= 0x80 {
      let reason = ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
      return reason == .sessionTakenOver ? .sessionTakenOver(clientID: settings.clientID) : .endedByBroker(reason)
    }
    return nil
  }

  // MARK: - Greeting

  private func look() throws(LinkFault) {
    guard phase != .greeted else { return }
    for case .greeting(let code, let present, let receiveMaximum, let packetSize, let keepAlive) in handle.arrivals {
      if code != 0 { throw refusal(code) }
      phase = .greeted
      sessionPresent = present
      limits.maximumPacketSize = packetSize.map(Int.init)
      if let receiveMaximum { window = min(window, max(1, Int(receiveMaximum))) }
      if let keepAlive, keepAlive > 0 { keepAliveTime = .seconds(Double(keepAlive)) }
    }
  }

  private func refusal(_ code: UInt8) -> LinkFault {
    let reason = ReasonCode(rawValue: code)
    // 3.1.1 counts 1...5 (MQTT 3.1.1, table 3.1); 5 has codes from 0x80 on (MQTT 5, 3.2.2.2).
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

  /// Finds why a socket that is ready could not be connected, if it could not.
  private func lookWhetherItOpened() throws(LinkFault) {
    // Asked before the error is, since a reset may come between the two: who is not connected then has a reset to tell.
    let isConnected = hasPeer
    switch socketError {
    case 0 where isConnected: return
    // With TLS the library has written already, and the kernel tells an error once only: to the library.
    case 0: throw .unreachable(systemText(ECONNREFUSED))
    // Who resets a connection has taken it: a broker that wants TLS and reads a packet without it, for one.
    // A reset after the other side has finished is a broken pipe.
    case ECONNRESET, EPIPE: throw .closedBeforeGreeting
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

  /// What the kernel has to tell of the socket, once. `socket(7)`, SO_ERROR
  private var socketError: Int32 {
    guard let socket else { return ECONNREFUSED }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }

  /// Whether the other side has finished and nothing is left to read.
  private var isAtEnd: Bool {
    guard let socket else { return true }
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }
}

extension LinkFault {
  /// The same fault in the light of its coming before the CONNACK.
  fileprivate var beforeGreeting: LinkFault {
    switch self {
    case .closed, .broken: .closedBeforeGreeting
    case .unknownHost, .unreachable, .noAnswer, .credentialsRefused, .versionRefused, .refused, .untrustedCertificate,
      .certificateOutOfDate, .wrongServerName, .unusableFile, .tls, .closedBeforeGreeting, .closedRepeatedly,
      .endedByBroker, .sessionTakenOver, .silent, .unacknowledged, .notMQTT, .unusableSettings, .stopped:
      self
    }
  }
}
