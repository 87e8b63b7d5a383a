/// The options that several entities share.
extension HomeAssistantDevice {
  /// The options of an entity, in order.
  typealias Options = [(String, HomeAssistantEntity.Option)]

  /// An entity about the appliance and not about the load.
  var diagnostic: Options { [("entity_category", .text("diagnostic"))] }

  /// Not created until the user enables it, because it changes with nearly every reading or record: Home Assistant's recorder
  /// stores each change of an enabled entity, and nothing in a discovery message keeps one out of it.
  var disabled: Options { [("enabled_by_default", .flag(false))] }

  /// Available only while the appliance runs and has a pad.
  var whilePadIsThere: Options {
    let pad = "{{ 'online' if value_json.pad.state == 'present' else 'offline' }}"
    return [
      ("availability", .availability([(topics(.availability), nil), (topics(.health), pad)])),
      ("availability_mode", .text("all")),
    ]
  }

  /// A mass in grams from a field of a topic; `null` becomes `unknown`.
  func mass(_ topic: Topic, _ field: String, _ icon: String, decimals: Int? = nil) -> Options {
    [
      ("state_topic", .text(topics(topic))), ("value_template", .text("{{ value_json.\(field) }}")),
      ("device_class", .text("weight")), ("unit_of_measurement", .text("g")), ("state_class", .text("measurement")),
      ("suggested_display_precision", .integer(decimals ?? self.decimals)), ("icon", .text(icon)),
    ]
  }

  /// A condition on the payload of a topic.
  func flag(_ topic: Topic, _ condition: String) -> Options {
    [("state_topic", .text(topics(topic))), ("value_template", .text("{{ 'ON' if \(condition) else 'OFF' }}"))]
  }

  /// An event with all fields of a message; an expression gives its type.
  ///
  /// - Parameter exception: A condition under which there is no event.
  func happening(
    _ topic: Topic, _ types: [String], _ type: String, _ icon: String, unless exception: String? = nil
  ) -> Options {
    // Home Assistant ignores an empty value.
    let start = exception.map { "'' if \($0) else " } ?? ""
    return [
      ("state_topic", .text(topics(topic))), ("event_types", .texts(types)),
      ("value_template", .text("{{ \(start)dict(value_json, event_type=\(type)) | to_json }}")), ("icon", .text(icon)),
    ]
  }

  /// A button that sends a command; only an icon in the form of Home Assistant is used, `mdi:coffee`.
  func press(_ command: String, _ icon: String?, payload: String = "{}") -> Options {
    var options: Options = [("command_topic", .text(topics.command(command))), ("payload_press", .text(payload))]
    if let icon, let colon = icon.firstIndex(of: ":"), colon == icon.lastIndex(of: ":"), !icon.hasPrefix(":"),
      !icon.hasSuffix(":")
    {
      options.append(("icon", .text(icon)))
    }
    return options
  }

  /// A template for an object with some fields of a payload; a filter may follow the name.
  func fields(_ names: String...) -> String { "{{ \(object(names)) | to_json }}" }

  /// An expression for such an object.
  func object(_ names: [String]) -> String {
    "{" + names.map { "'\($0.prefix { $0 != " " })': value_json.\($0)" }.joined(separator: ", ") + "}"
  }
}
