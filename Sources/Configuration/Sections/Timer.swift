extension Configuration {
  /// The timer (`timer`).
  package struct Timer: Hashable, Sendable {
    /// Whether it starts and stops with a pour.
    package var auto = false

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Timer: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "auto", \.auto, .flag,
      "Start the timer with the first pour after a tare, dated back to its begin, and stop it with its end. A flow of less "
        + "than 0.1 g/s, or of a tenth of the strongest flow, for 3 s is the end.")
  }
}
