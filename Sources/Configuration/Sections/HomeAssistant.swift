extension Configuration {
  /// Home Assistant discovery (`home_assistant`).
  package struct HomeAssistant: Hashable, Sendable {
    /// Whether to publish discovery messages.
    package var discovery = true
    /// The topic prefix that Home Assistant subscribes to.
    package var prefix = "homeassistant"

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
  }
}
