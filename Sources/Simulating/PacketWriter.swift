import Messages

/// Writes the packets that a light device sends (MQTT 5, chapters 2 and 3). Those of 3.1.1 have no properties.
struct PacketWriter {
  /// The packets, one after the other.
  private(set) var bytes: [UInt8] = []
  let version: ProtocolVersion

  init(_ version: ProtocolVersion) { self.version = version }

  /// Removes bytes that were sent.
  mutating func removeFirst(_ count: Int) {
    // The buffer of an idle device must not stay in memory.
    if count == bytes.count { bytes = [] } else { bytes.removeFirst(count) }
  }

  /// CONNECT with Clean Start (3.1.1: Clean Session) and a will, which is retained and has QoS 1.
  mutating func connect(clientID: String, keepAlive: UInt16, will: Message, credentials: Credentials?) {
    packet(0x10) { body in
      body.text("MQTT")
      body.byte(body.version == .v5 ? 5 : 4)
      let hasPassword = credentials?.password != nil
      body.byte((credentials == nil ? 0 : 0x80) | (hasPassword ? 0x40 : 0) | 0x20 | 0x08 | 0x04 | 0x02)
      body.integer16(keepAlive)
      body.properties()
      body.text(clientID)
      body.properties()  // of the will
      body.text(will.topic)
      body.binary(will.payload)
      if let credentials {
        body.text(credentials.username)
        if let password = credentials.password { body.text(password) }
      }
    }
  }

  /// SUBSCRIBE to one filter with QoS 1; with 3.1.1 with QoS 0, as in an appliance.
  mutating func subscribe(_ filter: String, identifier: UInt16) {
    packet(0x82) { body in
      body.integer16(identifier)
      body.properties()
      body.text(filter)
      body.byte(body.version == .v5 ? 0x01 | 0x08 : 0)  // QoS 1, Retain As Published
    }
  }

  /// PUBLISH with QoS 1, with the properties that an appliance sets.
  mutating func publish(_ message: Message, identifier: UInt16) {
    var properties = PacketWriter(version)
    if message.payload.first == UInt8(ascii: "{") || message.payload.first == UInt8(ascii: "[") {
      properties.byte(0x03)
      properties.text("application/json")
    }
    if let correlation = message.correlation {
      properties.byte(0x09)
      properties.binary(correlation)
    }
    packet(message.delivery == .retained ? 0x33 : 0x32) { body in
      body.text(message.topic)
      body.integer16(identifier)
      body.properties(properties.bytes)
      body.bytes += message.payload
    }
  }

  /// PUBACK without a reason, which means success.
  mutating func acknowledge(_ identifier: UInt16) { packet(0x40) { $0.integer16(identifier) } }

  /// PINGREQ
  mutating func ping() { bytes += [0xc0, 0] }

  /// DISCONNECT, so that the broker does not publish the will.
  mutating func disconnect() { bytes += [0xe0, 0] }

  // MARK: - Parts

  private mutating func packet(_ header: UInt8, _ write: (inout PacketWriter) -> Void) {
    var body = PacketWriter(version)
    write(&body)
    byte(header)
    length(body.bytes.count)
    bytes += body.bytes
  }

  private mutating func properties(_ list: [UInt8] = []) {
    guard version == .v5 else { return }
    length(list.count)
    bytes += list
  }

  private mutating func byte(_ value: UInt8) { bytes.append(value) }

  private mutating func integer16(_ value: UInt16) { bytes += [UInt8(value >> 8), UInt8(value & 0xff)] }

  /// A Variable Byte Integer (1.5.5).
  private mutating func length(_ value: Int) {
    var rest = value
    repeat {
      bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
  }

  private mutating func text(_ text: String) { binary(Array(text.utf8)) }

  /// Binary data; what does not fit into its 16 bits is left out.
  private mutating func binary(_ data: [UInt8]) {
    let data = data.prefix(Int(UInt16.max))
    integer16(UInt16(data.count))
    bytes += data
  }
}
