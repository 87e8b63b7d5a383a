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
  init(from section: inout SectionReader) {
    section.read("discovery", .flag, into: &discovery)
    section.read("prefix", .topicPrefix, into: &prefix)
  }

  var entries: [YAMLEntry] { [("discovery", .flag(discovery)), ("prefix", .text(prefix))] }
}
