extension Configuration {
  /// Scrubbing through the recorded weighings (`history`).
  package struct History: Hashable, Sendable {
    /// The number of weighings that the zone reaches.
    package var depth = 10

    /// All defaults.
    package init() {}
  }
}

extension Configuration.History: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "depth", \.depth, .integer(1...100),
      "The number of weighings that a press in the zone history reaches, from the newest at a quarter of the full press to "
        + "the oldest at three quarters.")
  }
}
