extension Configuration {
  /// The identity of the appliance (`device`).
  package struct Device: Hashable, Sendable {
    /// One level of every topic, and the identity in Home Assistant: 1...64 bytes, no `+`, `#`, `/`, control character
    /// or leading `$` (MQTT 5, 4.7).
    package var id = "grampad"
    /// The display name, 1...128 bytes.
    package var name = "Grampad"

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Device: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("id", .topicLevel(maximumBytes: 64), into: &id)
    section.read("name", .text(maximumBytes: 128), into: &name)
  }

  var entries: [YAMLEntry] { [("id", .text(id)), ("name", .text(name))] }
}
