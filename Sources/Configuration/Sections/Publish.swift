import Weighing

extension Configuration {
  /// Publishing rates (`publish`).
  package struct Publish: Hashable, Sendable {
    /// The maximum rate of live readings.
    package var liveMaximum = Hertz(10)
    /// The interval at which a live reading is sent without a change.
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
  static var keys: [Key<Self>] {
    Key(
      "live_max_hz", \.liveMaximum, .hertz(0.001...10_000),
      "Maximum number of live readings per second. Lower it to save network traffic. To publish every frame of a pad, set "
        + "it higher than the pad's frame rate, so that readings between two frames do not delay the next frame.")
    Key(
      "heartbeat_ms", \.heartbeat, .milliseconds(100...3_600_000),
      "Interval at which live readings are sent even if nothing changes, in milliseconds. Keep it below the time after "
        + "which your dashboards consider the appliance unavailable.")
    Key(
      "contacts", \.contacts, .flag,
      "Publish the contacts of every frame, for example to display finger positions.")
  }
}
