import CMosquitto
import Glibc
import Linux
import Messages

/// One connection attempt and the resulting connection: a `struct mosquitto` that is used once.
///
/// With a new handle for each attempt, files are read again and libmosquitto's own queue, which is unbounded and
/// outlives connections, stays empty. Used by one thread at a time. Callbacks only append to `arrivals`; they never call
/// libmosquitto, because its callback lock is not recursive.
final class MosquittoHandle: PacketSender {
  private let handle: OpaquePointer
  let broker: BrokerAddress
  let version: ProtocolVersion
  private let maximumPayload: Int
  private let subscriptionOptions: Int32
  var arrivals: [Arrival] = []
  /// Whether something was read or written since these were reset.
  var (hasRead, hasWritten) = (false, false)
  /// Whether a QoS 0 message is being sent: its completion is ignored.
  private var isSendingLive = false
  private var liveJSON = LiveProperties()
  private var liveText = LiveProperties()
  /// Errors logged by libmosquitto and OpenSSL since the handle was made, at most 16 lines.
  private(set) var errorLines: [String] = []
  /// OpenSSL's verification result for the broker's certificate, if it failed.
  private(set) var verdict: CertificateVerdict?

  /// Makes a handle with all settings of the link.
  init(_ settings: LinkSettings, broker: BrokerAddress, version: ProtocolVersion) throws(LinkError) {
    _ = Self.library
    guard let handle = mosquitto_new(settings.clientID, true, nil) else {
      throw .unusableSettings("client id '\(settings.clientID)': \(systemText(errno))")
    }
    (self.handle, self.broker, self.version) = (handle, broker, version)
    maximumPayload = Int(settings.maximumPacketSize)
    let retainsAsPublished = version == .v5 && settings.retainAsPublished
    subscriptionOptions = retainsAsPublished ? Int32(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue) : 0
    // Unretained: the handle is destroyed in our deinit, and no callback follows.
    mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    setCallbacks()
    // The log adds information only for TLS; and libmosquitto formats a line for every packet.
    if broker.isSecure { setLogCallback() }
    let number = version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, number), "version")
    // Without it small packets wait for the broker's delayed acknowledgement: latencies of 40 ms, measured.
    try check(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1), "no delay")
    if let credentials = settings.credentials {
      try check(mosquitto_username_pw_set(handle, credentials.username, credentials.password), "credentials")
    }
    if let will = settings.will {
      let code = mosquitto_will_set(handle, will.topic, Int32(will.payload.count), will.payload, 1, true)
      try check(code, "will '\(will.topic)'")
    }
    if broker.isSecure { try applyTLS(settings.tls) }
  }

  deinit { mosquitto_destroy(handle) }

  /// `mosquitto_lib_init` is not thread-safe; a global constant is initialised once.
  private static let library: Void = {
    mosquitto_lib_init()
    // If the broker disconnects during a write, the connection must end, not the process.
    signal(SIGPIPE, SIG_IGN)
  }()

  private func check(_ code: Int32, _ what: String) throws(LinkError) {
    if code != MOSQ_ERR_SUCCESS.rawValue {
      throw .unusableSettings("\(what): \(String(cString: mosquitto_strerror(code)))")
    }
  }

  private func applyTLS(_ tls: TLSSettings) throws(LinkError) {
    do throws(TLSFileError) {
      try tls.check()
    } catch {
      throw .unusableFile(path: error.path, reason: error.reason)
    }
    if (tls.certificateFile == nil) != (tls.keyFile == nil) {
      throw .unusableSettings("certificate_file and key_file must be set together")
    }
    // Never called, since encrypted keys are rejected above; OpenSSL's default callback would block on a prompt.
    let code = mosquitto_tls_set(
      handle, tls.caFile, tls.caFile == nil ? Self.systemCertificates : nil, tls.certificateFile, tls.keyFile,
      { _, _, _, _ in 0 })
    try check(code, "TLS files")
  }

  /// Debian's directory of trusted CA certificates.
  private static let systemCertificates = "/etc/ssl/certs"
}

// MARK: - Input and output

extension MosquittoHandle {
  /// Starts connecting without waiting; `localAddress` is a wildcard that selects an address family.
  func connect(keepAlive: Int32, maximumPacketSize: UInt32, localAddress: String?) throws(LinkError) {
    if version == .v5 {
      var properties = PropertyList(maximumPacketSize: maximumPacketSize)
      // The only function that accepts CONNECT properties connects and waits. Without a host it stores them and returns
      // MOSQ_ERR_INVAL; the connection below then sends them (libmosquitto 2.0, lib/connect.c).
      let code = properties.withPointer { mosquitto_connect_bind_v5(handle, nil, 0, keepAlive, nil, $0) }
      if code != MOSQ_ERR_INVAL.rawValue { try check(code, "maximum packet size") }
    }
    errno = 0
    let code = mosquitto_connect_bind_async(handle, broker.host, Int32(broker.port), keepAlive, localAddress)
    guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
    let number = errno
    switch linkError(for: code, errno: number) {
    // If the connection is established immediately, the first packet is sent at once: a broker was there, but has
    // already closed the connection.
    case .closed: throw .closedBeforeConnack
    case .broken where [EPIPE, EPROTO].contains(number): throw .closedBeforeConnack
    case .broken: throw .unreachable(systemText(number))
    case let error: throw error
    }
  }

  /// The socket; `nil` if the library has closed it.
  var socket: Int32? {
    let descriptor = mosquitto_socket(handle)
    return descriptor < 0 ? nil : descriptor
  }

  var isClosed: Bool { socket == nil }
  var wantsToWrite: Bool { mosquitto_want_write(handle) }

  /// Reads at least one packet and records arrivals. Returns whether there may be more. `mosquitto_loop_read`
  func read() throws(LinkError) -> Bool {
    errno = 0
    let code = mosquitto_loop_read(handle, 1)
    let number = errno
    if code != MOSQ_ERR_SUCCESS.rawValue { throw linkError(for: code, errno: number) }
    hasRead = true
    return number != EAGAIN
  }

  /// Writes remaining data. `mosquitto_loop_write`
  func write() throws(LinkError) {
    hasWritten = true
    errno = 0
    let code = mosquitto_loop_write(handle, 1)
    if code != MOSQ_ERR_SUCCESS.rawValue { throw linkError(for: code, errno: errno) }
  }

  /// Sends a ping if it is due, and detects an unanswered one. `mosquitto_loop_misc`
  func keepAlive() throws(LinkError) {
    hasWritten = true
    errno = 0
    let code = mosquitto_loop_misc(handle)
    if code != MOSQ_ERR_SUCCESS.rawValue { throw linkError(for: code, errno: errno) }
  }

  func disconnect() { _ = mosquitto_disconnect(handle) }

  /// With MQTT 5, requests Retain As Published unless the settings say otherwise: without it, retained messages published
  /// while we are subscribed, and the empty messages that clear them, are not distinguished from others (MQTT 5, 3.3.1.3).
  func subscribe(to filter: String, with quality: SubscriptionQuality) -> Result<Int32, LinkError> {
    hasWritten = true
    var identifier: Int32 = 0
    let code = mosquitto_subscribe_v5(handle, &identifier, filter, quality.rawValue, subscriptionOptions, nil)
    return code == MOSQ_ERR_SUCCESS.rawValue ? .success(identifier) : .failure(linkError(for: code, errno: errno))
  }

  func unsubscribe(from filter: String) {
    hasWritten = true
    _ = mosquitto_unsubscribe_v5(handle, nil, filter, nil)
  }

  func publish(_ message: Message, expiry: UInt32?) -> Publication {
    let isLive = message.delivery == .live
    (isSendingLive, hasWritten) = (isLive, true)
    defer { isSendingLive = false }
    var number: Int32 = 0
    func send(_ properties: OpaquePointer?) -> (code: Int32, identifier: Int32) {
      var identifier: Int32 = 0
      errno = 0
      // In this form because an implicit conversion of the text copies it.
      let code = message.topic.withCString { topic in
        mosquitto_publish_v5(
          handle, &identifier, topic, Int32(message.payload.count), message.payload, isLive ? 0 : 1,
          message.delivery == .retained, properties)
      }
      // Before the properties are freed.
      number = errno
      return (code, identifier)
    }
    let code: Int32
    let identifier: Int32
    if version != .v5 {
      (code, identifier) = send(nil)
    } else if !isLive {
      var properties = PropertyList(message, expiry: expiry)
      (code, identifier) = properties.withPointer(send)
    } else if message.isJSON {
      (code, identifier) = liveJSON.withPointer(of: message, expiry: expiry, send)
    } else {
      (code, identifier) = liveText.withPointer(of: message, expiry: expiry, send)
    }
    switch mosq_err_t(rawValue: code) {
    case MOSQ_ERR_SUCCESS: return .sent(identifier: identifier)
    case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE: return .impossible(.packetTooLarge, text: text(of: code))
    case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8: return .impossible(.topicNameInvalid, text: text(of: code))
    case MOSQ_ERR_QOS_NOT_SUPPORTED: return .impossible(.qosNotSupported, text: text(of: code))
    case MOSQ_ERR_NOT_SUPPORTED, MOSQ_ERR_NOMEM:
      return .impossible(.unspecified, text: text(of: code))
    default: return .broken(linkError(for: code, errno: number))
    }
  }

  private func text(of code: Int32) -> String { String(cString: mosquitto_strerror(code)) }

  /// The OpenSSL session, if there is one.
  var tlsSession: UnsafeMutableRawPointer? { mosquitto_ssl_get(handle) }
}

// MARK: - Callbacks

extension MosquittoHandle {
  // C functions cannot capture context: each callback finds its handle through the user data set by `init`.
  private static func with(_ context: UnsafeMutableRawPointer?, _ body: (MosquittoHandle) -> Void) {
    guard let context else { return }
    body(Unmanaged<MosquittoHandle>.fromOpaque(context).takeUnretainedValue())
  }

  private func appendErrorLine(_ line: String) {
    if errorLines.count < 16 { errorLines.append(line) }
    // Read here because the session, which has the reason, may be gone when the libmosquitto function returns.
    if line.contains("certificate verify failed") { verdict = tlsSession.flatMap { CertificateVerdict($0) } }
  }

  private func setCallbacks() {
    mosquitto_connect_v5_callback_set(handle) { _, context, code, flags, properties in
      MosquittoHandle.with(context) {
        let received = ReceivedProperties(properties)
        $0.arrivals.append(
          .connack(
            code: UInt8(truncatingIfNeeded: code), sessionPresent: flags & 1 != 0,
            receiveMaximum: received.int16(MQTT_PROP_RECEIVE_MAXIMUM),
            packetSize: received.int32(MQTT_PROP_MAXIMUM_PACKET_SIZE),
            keepAlive: received.int16(MQTT_PROP_SERVER_KEEP_ALIVE)))
      }
    }
    mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
      MosquittoHandle.with(context) { $0.arrivals.append(.end(code: code)) }
    }
    mosquitto_publish_v5_callback_set(handle) { _, context, identifier, reason, _ in
      MosquittoHandle.with(context) {
        if $0.isSendingLive { return }
        $0.arrivals.append(.acknowledgement(identifier: identifier, reason: UInt8(truncatingIfNeeded: reason)))
      }
    }
    mosquitto_subscribe_v5_callback_set(handle) { _, context, identifier, count, codes, _ in
      MosquittoHandle.with(context) {
        let granted = UnsafeBufferPointer(start: codes, count: Int(max(0, count))).map { $0 }
        $0.arrivals.append(.subscription(identifier: identifier, granted: granted))
      }
    }
    mosquitto_message_v5_callback_set(handle) { _, context, message, properties in
      MosquittoHandle.with(context) {
        guard let message, let topic = message.pointee.topic else { return }
        // libmosquitto has sent the acknowledgement before it calls this.
        if message.pointee.qos > 0 { $0.hasWritten = true }
        // 3.1.1 has no such limit. A payload longer than all limits is rejected unread: its beginning is enough.
        let length = min(Int(message.pointee.payloadlen), $0.maximumPayload)
        let payload = UnsafeRawBufferPointer(start: message.pointee.payload, count: length)
        let received = ReceivedProperties(properties)
        $0.arrivals.append(
          .message(
            IncomingMessage(
              topic: String(cString: topic), payload: [UInt8](payload), isRetained: message.pointee.retain,
              responseTopic: received.string(MQTT_PROP_RESPONSE_TOPIC),
              correlation: received.binary(MQTT_PROP_CORRELATION_DATA),
              expiry: received.int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL).map { .seconds(Double($0)) })))
      }
    }
  }

  private func setLogCallback() {
    mosquitto_log_callback_set(handle) { _, context, level, text in
      guard level == MOSQ_LOG_ERR, let text else { return }
      MosquittoHandle.with(context) { $0.appendErrorLine(String(cString: text)) }
    }
  }
}
