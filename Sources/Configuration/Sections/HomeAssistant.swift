extension Configuration {
  /// Home Assistant discovery (`home_assistant`).
  package struct HomeAssistant: Hashable, Sendable {
    /// Whether to publish discovery messages.
    package var discovery = true
    /// The topic prefix that Home Assistant subscribes to.
    package var prefix = "homeassistant"
    /// The area that Home Assistant puts a new device in.
    package var suggestedArea: String?

    /// All defaults.
    package init() {}
  }
}

extension Configuration.HomeAssistant: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key("discovery", \.discovery, .flag, "Publish MQTT discovery messages for Home Assistant.")
    Key(
      "prefix", \.prefix, .topicPrefix,
      "The discovery prefix of Home Assistant. Must match the setting in Home Assistant.")
    Key(
      "suggested_area", \.suggestedArea, .text(maximumBytes: 128), example: "Kitchen",
      "The area that Home Assistant puts the device in when it first discovers it. Later changes are made in Home "
        + "Assistant.")
  }
}
