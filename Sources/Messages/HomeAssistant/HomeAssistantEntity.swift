/// One entity of the device: its platform, its key, and the options of its platform.
struct HomeAssistantEntity {
  /// The kind of entity.
  enum Platform: String {
    case sensor
    case binarySensor = "binary_sensor"
    case button
    case event
    case number
    case select
  }

  /// The value of an option.
  enum Option {
    case text(String)
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case texts([String])
    /// Topics that all have to report that the entity is available, each with a template for its payload.
    case availability([(topic: String, template: String?)])
  }

  let platform: Platform
  /// Identifies the entity; must never change.
  let key: String
  let name: String
  let options: [(String, Option)]
  /// Follows the name of the appliance in the entity ID, before it is reduced to the characters of one.
  private let objectName: String

  /// Makes an entity.
  ///
  /// - Parameter objectName: Default: the name, as Home Assistant would form the entity ID without our proposal. Anything
  ///   else is for names that the user chooses.
  init(
    _ platform: Platform, _ key: String, _ name: String, _ options: [(String, Option)], objectName: String? = nil
  ) {
    (self.platform, self.key, self.name, self.options) = (platform, key, name, options)
    self.objectName = objectName ?? name
  }

  /// Writes the component.
  ///
  /// - Parameters:
  ///   - id: The identity of the appliance among all on a broker.
  ///   - objectPrefix: The start of the entity ID after the domain.
  func write(to json: inout JSONWriter, id: String, objectPrefix: String) {
    json.fields(
      ("platform", platform.rawValue), ("unique_id", "grampad-\(id)-\(key)"),
      // Since Home Assistant 2025.10, and only for an entity that it does not know yet.
      ("default_entity_id", "\(platform.rawValue).\(Self.slug(objectPrefix + "_" + objectName))"), ("name", name))
    for (name, option) in options {
      json.key(name)
      switch option {
      case .text(let text): json.string(text)
      case .flag(let flag): json.boolean(flag)
      case .integer(let number): json.integer(number)
      case .number(let number): json.number(number)
      case .texts(let texts): json.array { for text in texts { $0.string(text) } }
      case .availability(let sources):
        json.array { json in
          for source in sources {
            json.object { json in
              json.fields(("topic", source.topic))
              if let template = source.template { json.fields(("value_template", template)) }
            }
          }
        }
      }
    }
  }

  /// A text in the characters of an entity ID, `a-z 0-9 _`, with a single `_` for any others in a row.
  static func slug(_ text: String) -> String {
    text.lowercased().utf8.split { !isLetterOrDigit($0) }.map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: "_")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
