import Weighing

/// What Home Assistant is told of an appliance: one message, from which it makes the device and all its entities.
///
/// The keys are those of Home Assistant's MQTT integration; a key that it does not know it drops without a word, so
/// what is written here is held against its own schemas by a test.
public struct HomeAssistantDevice: Hashable, Sendable {
  /// The appliance's topics.
  public var topics: Topics
  /// Its `device.id`, the identity of the device and of all its entities.
  public var id: String
  /// The name that people read.
  public var name: String
  /// The program's version.
  public var version: String
  /// The decimals of the division, for the display of masses.
  public var decimals: Int
  /// The quick actions, a button each.
  public var quickActions: [QuickAction]
  /// The types of quick actions that were announced once and are no more: their buttons go.
  public var formerActions: Set<String>

  /// Makes a description.
  public init(
    topics: Topics, id: String, name: String, version: String, decimals: Int, quickActions: [QuickAction],
    formerActions: Set<String> = []
  ) {
    self.topics = topics
    self.id = id
    self.name = name
    self.version = version
    self.decimals = decimals
    self.quickActions = quickActions
    self.formerActions = formerActions
  }

  /// The message that announces the device with all its entities.
  ///
  /// - Parameter topic: See `HomeAssistantTopics.discovery`.
  public func announcement(on topic: String) -> Message {
    var json = JSONWriter()
    json.object { json in
      json.key("device")
      json.object { json in
        json.key("identifiers")
        json.array { $0.string("grampad-" + id) }
        json.fields(
          ("name", name), ("manufacturer", "Grampad"), ("model", "Force pad scale"), ("sw_version", version))
      }
      json.key("origin")
      json.object { $0.fields(("name", "Grampad"), ("sw_version", version)) }
      // In the form that an entity can replace by one of its own.
      json.key("availability")
      json.array { $0.object { $0.fields(("topic", topics(.availability))) } }
      json.key("qos")
      json.integer(1)
      json.key("components")
      json.object { json in
        for entity in entities {
          json.key(entity.key)
          json.object { entity.write(to: &$0, id: id) }
        }
        for type in formerActions.sorted() where !quickActions.contains(where: { $0.type == type }) {
          // Only a platform: the component is taken away.
          json.key(Self.component(of: type))
          json.object { $0.fields(("platform", "button")) }
        }
      }
    }
    return Message(topic: topic, payload: json.bytes, delivery: .retained)
  }

  /// The message that takes the device away, and the announcement out of the broker.
  public static func removal(from topic: String) -> Message {
    Message(topic: topic, payload: [], delivery: .retained)
  }

  /// The types of the quick actions that an announcement tells of; none for anything else.
  public static func actions(in announcement: [UInt8]) -> Set<String> {
    // Twice what the longest announcement takes.
    guard let json = try? JSONValue(announcement, maximumBytes: 64 * 1024), case .object(let all)? = json["components"]
    else { return [] }
    let types = all.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    return Set(types.filter(QuickAction.isType))
  }

  private static let prefix = "action_"

  /// The key of the button of a quick action.
  static func component(of type: String) -> String { prefix + type }
}
