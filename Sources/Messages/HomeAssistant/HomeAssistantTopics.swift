/// The topics of Home Assistant that the appliance uses.
public struct HomeAssistantTopics: Hashable, Sendable {
  /// The topic of the announcement: `homeassistant/device/ID/config`, with the prefix of the appliance in the id where that is
  /// not the default one.
  public let discovery: String
  /// The topic of announcements by versions that left the prefix out; `nil` if it is the same. It may be that of another
  /// appliance.
  public let former: String?
  /// The topics on which Home Assistant publishes `online` when it has started: below its prefix and below the default
  /// one, because the birth message does not follow a changed prefix.
  public let births: [String]

  /// The default discovery prefix of Home Assistant.
  public static let standardPrefix = "homeassistant"

  /// Makes the topics for an appliance.
  ///
  /// - Parameters:
  ///   - prefix: The discovery prefix of Home Assistant.
  ///   - topics: Those of the appliance.
  public init(prefix: String, topics: Topics) {
    func announcement(_ id: String) -> String { "\(prefix)/device/\(Self.node(id))/config" }
    discovery = announcement(topics.identity)
    former = topics.identity == topics.id ? nil : announcement(topics.id)
    let prefixes = prefix == Self.standardPrefix ? [prefix] : [prefix, Self.standardPrefix]
    births = prefixes.map { $0 + "/status" }
  }

  /// Whether a message is the birth message of Home Assistant.
  public func isBirth(_ message: IncomingMessage) -> Bool {
    births.contains(message.topic) && message.payload.elementsEqual("online".utf8)
  }

  /// The id in the characters that Home Assistant accepts in a topic: `A-Z a-z 0-9 _ -`.
  ///
  /// Other characters are replaced, and a hash of the bytes (FNV-1a, 32 bits) is appended, so that different ids remain
  /// different.
  static func node(_ id: String) -> String {
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
