import Weighing

/// The discovery message from which Home Assistant creates the device and all its entities.
///
/// The keys are those of Home Assistant's MQTT integration, which silently ignores unknown keys; a test therefore
/// checks the message against its schemas.
public struct HomeAssistantDevice: Hashable, Sendable {
  /// The topics of the appliance.
  public var topics: Topics
  /// The displayed name.
  public var name: String
  /// The version of the program.
  public var version: String
  /// The decimals of the division, for the display of masses.
  public var decimals: Int
  /// The quick actions, each with a button.
  public var quickActions: [QuickAction]
  /// The names of the known containers, the options of a select.
  public var containers: [String] = []
  /// The controls of the pad, each with a sensor.
  public var controls: [ControlName] = []
  /// Whether the timer follows pours, whose number a sensor shows.
  public var timesPours = false
  /// The URL of the page as other machines reach it; `nil` if they do not.
  public var page: String?
  /// The name of the pad or converter; `nil` until one is found.
  public var hardware: String?
  /// The area that Home Assistant puts a new device in.
  public var area: String?
  /// The types of announced quick actions that no longer exist: their buttons are removed.
  public var formerActions: Set<String>
  /// The announced controls that no longer exist: their sensors are removed.
  public var formerControls: Set<ControlName> = []
  /// Whether the sensor of the number of pours was announced: it is removed while the timer does not follow pours.
  public var hadPours = false
  /// The button that stops a dose.
  public var doseButton = DoseButton.absent

  /// Whether there is a button that stops a dose: with an output.
  public enum DoseButton: Hashable, Sendable {
    /// It was never announced.
    case absent
    /// It is announced.
    case present
    /// It was announced, and is removed.
    case removed

    /// Follows the outputs of the configuration.
    public mutating func set(isPresent: Bool) {
      if isPresent { self = .present } else if self == .present { self = .removed }
    }
  }

  /// Makes a description.
  public init(
    topics: Topics, name: String, version: String, decimals: Int, quickActions: [QuickAction],
    formerActions: Set<String> = []
  ) {
    (self.topics, self.name, self.version) = (topics, name, version)
    (self.decimals, self.quickActions, self.formerActions) = (decimals, quickActions, formerActions)
  }

  /// Makes the message that announces the device with all its entities.
  ///
  /// - Parameter topic: See `HomeAssistantTopics.discovery`.
  public func announcement(on topic: String) -> Message {
    let json = JSONWriter.object { json in
      json.object("device") { json in
        json.array("identifiers", ["grampad-" + topics.identity]) { $0.string($1) }
        json.fields(
          ("name", name), ("manufacturer", "Grampad"), ("model", "Force pad scale"), ("sw_version", version),
          // As MT-SICS has it: two scales below different prefixes may have the same one.
          ("serial_number", topics.id))
        let optional = [("hw_version", hardware), ("suggested_area", area), ("configuration_url", page)]
        for case (let name, let value?) in optional { json.field(name, value) }
      }
      json.object("origin") {
        $0.fields(("name", "Grampad"), ("sw_version", version), ("support_url", Version.homepage))
      }
      // In the form that an entity can override.
      json.array("availability", [topics(.availability)]) { json, topic in json.object { $0.field("topic", topic) } }
      json.field("qos", 1)
      json.object("components") { json in
        for entity in entities {
          json.object(entity.key) { entity.write(to: &$0, id: topics.identity, objectPrefix: objectPrefix) }
        }
        for component in formerComponents {
          // A component with only a platform is removed.
          json.object(component.key) { $0.fields(("platform", component.platform.rawValue)) }
        }
      }
    }
    return Message(topic: topic, payload: json, delivery: .retained)
  }

  /// The start of every entity ID after the domain: `grampad` for the default identity, so that the dashboard in `config` fits,
  /// otherwise `grampad_ID`.
  ///
  /// An entity ID has at most 255 characters. Of a long identity the end remains, with the hash if it has one.
  private var objectPrefix: String {
    let node = HomeAssistantTopics.node(topics.identity)
    if node == Topics.standardPrefix { return node }
    return Topics.standardPrefix + "_" + HomeAssistantEntity.slug(node).suffix(Self.longestNode)
  }

  /// Whether a payload announces the appliance of these topics; another one may have the same `device.id`.
  public static func isAnnouncement(_ payload: [UInt8], of topics: Topics) -> Bool {
    guard let json = try? JSONValue(payload, maximumBytes: maximumBytes),
      case .array(let sources)? = json["availability"]
    else { return false }
    return sources.contains { $0["topic"]?.text == topics(.availability) }
  }

  /// Makes the message that removes the device, and clears the announcement at the broker.
  public static func removal(from topic: String) -> Message { Message(topic: topic, payload: [], delivery: .retained) }

  /// The components to remove.
  private var formerComponents: [(key: String, platform: HomeAssistantEntity.Platform)] {
    formerActions.sorted().filter { type in !quickActions.contains { $0.type == type } }
      .map { (Self.component(of: $0), .button) }
      + formerControls.sorted { $0.description < $1.description }.filter { !controls.contains($0) }
      .map { (Self.component(of: $0), .sensor) }
      + (hadPours && !timesPours ? [Self.pours] : [])
      + (doseButton == .removed ? [(Self.stopDose, .button)] : [])
  }

  /// Whether an announcement has the button that stops a dose.
  public static func hasDoseButton(in announcement: [UInt8]) -> Bool {
    (try? JSONValue(announcement, maximumBytes: maximumBytes))?["components"]?[stopDose]?["command_topic"] != nil
  }

  /// The types of the quick actions in an announcement; empty for any other payload.
  public static func actions(in announcement: [UInt8]) -> Set<String> {
    Set(components(in: announcement, prefix: actionPrefix).filter(QuickAction.isType))
  }

  /// The controls in an announcement; empty for any other payload.
  public static func controls(in announcement: [UInt8]) -> Set<ControlName> {
    Set(components(in: announcement, prefix: controlPrefix).compactMap(ControlName.init))
  }

  /// Whether there is a sensor of the number of pours in an announcement.
  public static func hasPours(in announcement: [UInt8]) -> Bool {
    components(in: announcement, prefix: pours.key).contains("")
  }

  /// What follows a prefix in the keys of the components.
  private static func components(in announcement: [UInt8], prefix: String) -> [String] {
    guard let json = try? JSONValue(announcement, maximumBytes: maximumBytes),
      case .object(let all)? = json["components"]
    else { return [] }
    return all.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }

  /// Twice the size of the longest announcement.
  private static let maximumBytes = 256 * 1024
  /// In characters. Chosen: as long as the longest `device.id`; with the longest type of a quick action, 150 of 255.
  private static let longestNode = 64
  /// The key of the button that stops a dose.
  static let stopDose = "stop_dose"
  private static let actionPrefix = "action_"
  private static let controlPrefix = "control_"

  /// The sensor of the number of pours.
  static let pours: (key: String, platform: HomeAssistantEntity.Platform) = ("pours", .sensor)

  /// The key of the button of a quick action.
  static func component(of type: String) -> String { actionPrefix + type }

  /// The key of the sensor of a control.
  static func component(of control: ControlName) -> String { controlPrefix + control.description }
}
