import Weighing

extension Configuration {
  /// Publishing rates (`publish`).
  package struct Publish: Hashable, Sendable {
    /// Maximum number of live readings per second, 0.001...10,000; to publish every frame, set it above the rate of the pad.
    package var liveMaximum = Hertz(10)
    /// The interval at which a live reading is sent without a change, 100...3,600,000 ms.
    package var heartbeat = Interval.milliseconds(5000)
    /// Whether to publish the contacts of every frame.
    package var contacts = false

    /// All defaults.
    package init() {}
  }
}

/// A frequency.
package struct Hertz: Hashable, Sendable {
  /// Hertz, above 0.
  package var value: Double

  /// Makes a frequency.
  package init(_ value: Double) {
    self.value = value
  }

  /// The period.
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
