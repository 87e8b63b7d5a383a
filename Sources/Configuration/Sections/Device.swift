extension Configuration {
  /// The identity of the appliance (`device`).
  package struct Device: Hashable, Sendable {
    /// One level of every topic, and the identity in Home Assistant (MQTT 5, 4.7).
    package var id = "grampad"
    /// The display name.
    package var name = "Grampad"

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Device: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "id", \.id, .topicLevel(maximumBytes: 64), effect: .restart,
      "Identifies the appliance: one level of every MQTT topic, and the device identifier in Home Assistant. Every "
        + "appliance on a broker needs its own.")
    Key(
      "name", \.name, .text(maximumBytes: 128), settings: .page(.settingsName, in: .scale),
      "Display name, for example the location of the scale.")
  }
}
