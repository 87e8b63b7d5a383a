import Messages

/// A packet that a light device receives.
enum Packet: Hashable {
  /// CONNACK: its reason code (3.1.1: return code) and the broker's Receive Maximum.
  case connack(code: UInt8, receiveMaximum: Int)
  /// PUBLISH; the identifier is `nil` with QoS 0.
  case publish(IncomingMessage, identifier: UInt16?)
  /// PUBACK: accepted below 0x80.
  case puback(identifier: UInt16, code: UInt8)
  /// SUBACK of one filter: accepted below 0x80.
  case suback(code: UInt8)
  /// PINGRESP
  case pong
  /// DISCONNECT with its reason code.
  case disconnect(code: UInt8)
}

/// What the broker has sent is not MQTT of the version, or not what a device has asked for.
struct PacketError: Error, Hashable {}

extension Packet {
  /// Maximum size of a packet that is read; commands are smaller.
  private static let maximumBytes = 1 << 20

  /// Takes the first packet from received bytes; `nil` while it is incomplete.
  static func take(
    from input: inout ArraySlice<UInt8>, _ version: ProtocolVersion
  ) throws(PacketError) -> Packet? {
    var rest = PacketFields(input, version)
    guard let header = try? rest.byte() else { return nil }
    guard let length = try rest.lengthIfComplete() else { return nil }
    guard length <= maximumBytes else { throw PacketError() }
    guard rest.bytes.count >= length else { return nil }
    var body = PacketFields(rest.bytes.prefix(length), version)
    input = rest.bytes.dropFirst(length)
    return try Packet(header, &body)
  }

  private init(_ header: UInt8, _ body: inout PacketFields) throws(PacketError) {
    switch header >> 4 {
    case 2:
      _ = try body.byte()
      let code = try body.byte()
      // A broker without MQTT 5 answers in its own version.
      let properties = code == 0 ? try body.properties() : PacketFields.Properties()
      self = .connack(code: code, receiveMaximum: properties.receiveMaximum ?? Int(UInt16.max))
    case 3:
      let topic = try body.text()
      let identifier: UInt16? = header & 0x06 == 0 ? nil : try body.integer16()
      let properties = try body.properties()
      self = .publish(
        IncomingMessage(
          topic: topic, payload: Array(body.bytes), isRetained: header & 1 != 0,
          responseTopic: properties.responseTopic,
          correlation: properties.correlation), identifier: identifier)
    case 4:
      let identifier = try body.integer16()
      self = .puback(identifier: identifier, code: body.bytes.first ?? 0)
    case 9:
      _ = try body.integer16()
      _ = try body.properties()
      self = .suback(code: try body.byte())
    case 13: self = .pong
    case 14: self = .disconnect(code: body.bytes.first ?? 0)
    default: throw PacketError()
    }
  }
}

/// The fields of a packet, from the front.
private struct PacketFields {
  struct Properties {
    var receiveMaximum: Int?
    var responseTopic: String?
    var correlation: [UInt8]?
  }

  /// What was not read yet.
  private(set) var bytes: ArraySlice<UInt8>

  private let version: ProtocolVersion

  init(_ bytes: ArraySlice<UInt8>, _ version: ProtocolVersion) {
    (self.bytes, self.version) = (bytes, version)
  }

  mutating func byte() throws(PacketError) -> UInt8 {
    guard let first = bytes.popFirst() else { throw PacketError() }
    return first
  }

  mutating func integer16() throws(PacketError) -> UInt16 { UInt16(try byte()) << 8 | UInt16(try byte()) }

  mutating func binary() throws(PacketError) -> [UInt8] { Array(try take(Int(try integer16()))) }

  mutating func text() throws(PacketError) -> String { String(decoding: try binary(), as: UTF8.self) }

  /// A Variable Byte Integer; `nil` if its end is missing.
  mutating func lengthIfComplete() throws(PacketError) -> Int? {
    var value = 0
    for shift in [0, 7, 14, 21] {
      guard let byte = bytes.popFirst() else { return nil }
      value |= Int(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw PacketError()
  }

  /// The properties, of which a device uses three (MQTT 5, table 2-4).
  mutating func properties() throws(PacketError) -> Properties {
    guard version == .v5 else { return Properties() }
    guard let length = try lengthIfComplete() else { throw PacketError() }
    var list = PacketFields(try take(length), version)
    var properties = Properties()
    while !list.bytes.isEmpty {
      switch try list.byte() {
      case 0x21: properties.receiveMaximum = Int(try list.integer16())
      case 0x08: properties.responseTopic = try list.text()
      case 0x09: properties.correlation = try list.binary()
      case 0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2a: _ = try list.byte()
      case 0x13, 0x22, 0x23: _ = try list.integer16()
      case 0x02, 0x11, 0x18, 0x27: _ = try list.take(4)
      case 0x03, 0x12, 0x15, 0x16, 0x1a, 0x1c, 0x1f: _ = try list.binary()
      case 0x26:
        _ = try list.binary()
        _ = try list.binary()
      case 0x0b: _ = try list.lengthIfComplete()
      default: throw PacketError()
      }
    }
    return properties
  }

  private mutating func take(_ count: Int) throws(PacketError) -> ArraySlice<UInt8> {
    guard bytes.count >= count else { throw PacketError() }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }
}
