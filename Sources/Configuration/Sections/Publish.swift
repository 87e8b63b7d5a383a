import Weighing

extension ScaleSettings.Publish: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "live_max_hz", \.liveMaximum, .rate(0.001...10_000),
      "Maximum number of live readings per second. Lower it to save network traffic. To publish every frame of a pad, set "
        + "it higher than the pad's frame rate, so that readings between two frames do not delay the next frame.")
    Key(
      "heartbeat_ms", \.heartbeat, .milliseconds(100...3_600_000),
      "Interval at which live readings are sent even if nothing changes, in milliseconds. Keep it below the time after "
        + "which your dashboards consider the appliance unavailable.")
    Key("contacts", \.contacts, .flag, "Publish the contacts of every frame, for example to display finger positions.")
  }
}
