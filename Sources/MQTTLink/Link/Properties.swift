import CMosquitto
import Glibc
import Messages

/// The MQTT 5 properties of an outgoing message; freed once by its owner.
struct PropertyList: ~Copyable {
  private var head: OpaquePointer?

  // A `StaticString`, because the implicit conversion of another literal copies it; it ends with a zero byte, too.
  private static let json: StaticString = "application/json"

  /// An empty list; the only one allowed with 3.1.1.
  init() {}

  /// The properties of a CONNECT.
  init(maximumPacketSize: UInt32) {
    mosquitto_property_add_int32(&head, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), maximumPacketSize)
  }

  /// Expiry, content type, response topic and correlation data of a message.
  init(_ message: Message, expiry: UInt32?) {
    if let expiry {
      mosquitto_property_add_int32(&head, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
    }
    if message.isJSON {
      Self.json.withUTF8Buffer { type in
        type.withMemoryRebound(to: CChar.self) { type in
          _ = mosquitto_property_add_string(&head, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type.baseAddress)
        }
      }
    }
    if let topic = message.responseTopic {
      mosquitto_property_add_string(&head, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), topic)
    }
    // The length of binary data in MQTT has 16 bits; longer data cannot come from a request.
    if let correlation = message.correlation, let length = UInt16(exactly: correlation.count) {
      mosquitto_property_add_binary(&head, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), correlation, length)
    }
  }

  deinit {
    var head = head
    if head != nil { mosquitto_property_free_all(&head) }
  }

  /// Whether there are no properties.
  var isEmpty: Bool { head == nil }

  /// Passes the list to a call; libmosquitto copies what it keeps.
  mutating func withPointer<Result>(_ body: (OpaquePointer?) -> Result) -> Result { body(head) }
}

/// The MQTT 5 properties of live messages of one kind, kept because they hardly ever differ from those of the last one.
struct LiveProperties: ~Copyable {
  private var list = PropertyList()
  private var expiry: UInt32?

  /// Passes the properties of a message, which is not an answer, to a call.
  mutating func withPointer<Result>(of message: Message, expiry: UInt32?, _ body: (OpaquePointer?) -> Result) -> Result
  {
    if expiry != self.expiry || list.isEmpty {
      list = PropertyList(message, expiry: expiry)
      self.expiry = expiry
    }
    return list.withPointer(body)
  }
}

extension Message {
  /// Whether the payload is JSON: all of ours that start with these characters are.
  var isJSON: Bool { payload.first == UInt8(ascii: "{") || payload.first == UInt8(ascii: "[") }
}

/// The MQTT 5 properties of an incoming packet; valid only within the callback.
struct ReceivedProperties {
  private let head: OpaquePointer?

  init(_ head: OpaquePointer?) { self.head = head }

  /// A two-byte number.
  func int16(_ name: mqtt5_property) -> UInt16? {
    var value: UInt16 = 0
    return mosquitto_property_read_int16(head, Int32(name.rawValue), &value, false) == nil ? nil : value
  }

  /// A four-byte number.
  func int32(_ name: mqtt5_property) -> UInt32? {
    var value: UInt32 = 0
    return mosquitto_property_read_int32(head, Int32(name.rawValue), &value, false) == nil ? nil : value
  }

  /// A text, copied.
  func string(_ name: mqtt5_property) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    guard mosquitto_property_read_string(head, Int32(name.rawValue), &value, false) != nil, let value else {
      return nil
    }
    defer { free(value) }
    return String(cString: value)
  }

  /// Bytes, copied.
  func binary(_ name: mqtt5_property) -> [UInt8]? {
    var value: UnsafeMutableRawPointer?
    var length: UInt16 = 0
    guard mosquitto_property_read_binary(head, Int32(name.rawValue), &value, &length, false) != nil else { return nil }
    defer { free(value) }
    return [UInt8](UnsafeRawBufferPointer(start: value, count: Int(length)))
  }
}
