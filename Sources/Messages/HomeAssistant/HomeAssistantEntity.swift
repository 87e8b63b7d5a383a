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

  init(_ platform: Platform, _ key: String, _ name: String, _ options: [(String, Option)]) {
    (self.platform, self.key, self.name, self.options) = (platform, key, name, options)
  }

  func write(to json: inout JSONWriter, id: String) {
    json.fields(("platform", platform.rawValue), ("unique_id", "grampad-\(id)-\(key)"), ("name", name))
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
}
