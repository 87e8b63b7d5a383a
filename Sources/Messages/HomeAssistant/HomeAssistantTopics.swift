/// Where an appliance and Home Assistant meet, outside of the appliance's own topics.
public struct HomeAssistantTopics: Hashable, Sendable {
  /// Where the appliance announces itself: `homeassistant/device/ID/config`.
  public let discovery: String
  /// Where Home Assistant says `online` when it has started: below its prefix and, as its birth message does not follow
  /// a prefix that was changed, below the default one.
  public let births: [String]

  /// What Home Assistant listens below unless it is told otherwise.
  public static let standardPrefix = "homeassistant"

  /// Makes the topics for an appliance.
  ///
  /// - Parameters:
  ///   - prefix: What Home Assistant listens below.
  ///   - id: The appliance's `device.id`.
  public init(prefix: String, id: String) {
    discovery = "\(prefix)/device/\(Self.node(id))/config"
    let prefixes = prefix == Self.standardPrefix ? [prefix] : [prefix, Self.standardPrefix]
    births = prefixes.map { $0 + "/status" }
  }

  /// Whether a message is Home Assistant's birth.
  public func isBirth(_ message: IncomingMessage) -> Bool {
    births.contains(message.topic) && message.payload.elementsEqual("online".utf8)
  }

  /// An id as Home Assistant takes it in a topic: `A-Z a-z 0-9 _ -` only, others are ignored there with a warning.
  ///
  /// An id with other characters has them replaced, and a sum of its bytes (FNV-1a, 32 bits) appended, so that two
  /// of them do not meet.
  private static func node(_ id: String) -> String {
    let bytes = id.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        byte
      default: UInt8(ascii: "_")
      }
    }
    if bytes.elementsEqual(id.utf8) { return id }
    let sum = id.utf8.reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return String(decoding: bytes, as: UTF8.self) + "-" + String(sum, radix: 16)
  }
}
