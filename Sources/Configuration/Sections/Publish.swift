import Weighing

extension Configuration {
  /// How much is published (`publish`).
  package struct Publish: Hashable, Sendable {
    /// The most live readings a second, 0.001...10,000: for every frame, more than the pad has.
    package var liveMaximum = Hertz(10)
    /// After how long without a change a live reading is sent all the same, 100...3,600,000 ms.
    package var heartbeat = Interval.milliseconds(5000)
    /// Whether every frame's contacts are published.
    package var contacts = false

    /// All defaults.
    package init() {}
  }
}

/// A number of times a second.
package struct Hertz: Hashable, Sendable {
  /// Times a second, above 0.
  package var value: Double

  /// Makes a frequency.
  package init(_ value: Double) {
    self.value = value
  }

  /// The time from one to the next.
  package var interval: Interval { .seconds(1 / value) }
}

extension Configuration.Publish: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("live_max_hz", ValueRule.number(0.001...10_000).map(Hertz.init), into: &liveMaximum)
    section.read("heartbeat_ms", .milliseconds(100...3_600_000), into: &heartbeat)
    section.read("contacts", .flag, into: &contacts)
  }

  var entries: [YAMLEntry] {
    [
      ("live_max_hz", .number(liveMaximum.value)), ("heartbeat_ms", .milliseconds(heartbeat)),
      ("contacts", .flag(contacts)),
    ]
  }
}
