extension Configuration {
  /// The web page (`dashboard`).
  package struct Dashboard: Hashable, Sendable {
    /// Whether it is served.
    package var isEnabled = true
    /// The IPv4 or IPv6 address it listens on.
    package var address = "127.0.0.1"
    /// Its port; 0 for any free one.
    package var port = 8385

    /// All defaults.
    package init() {}
  }

  /// The metrics beside the web page (`metrics`).
  package struct Metrics: Hashable, Sendable {
    /// Whether they are served.
    package var isEnabled = true

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Dashboard: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("enabled", .flag, into: &isEnabled)
    section.read("address", .address, into: &address)
    section.read("port", .integer(0...65_535), into: &port)
  }

  var entries: [YAMLEntry] {
    [("enabled", .flag(isEnabled)), ("address", .text(address)), ("port", .integer(port))]
  }
}

extension Configuration.Metrics: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("enabled", .flag, into: &isEnabled)
  }

  var entries: [YAMLEntry] { [("enabled", .flag(isEnabled))] }
}
