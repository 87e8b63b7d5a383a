import Weighing

extension ScaleSettings.Stability: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "motion_g", \.motion, .grams(above: 0, through: 1000), settings: .page(.settingsMotion, in: .stability),
      "Largest motion in grams that still counts as stable. A load that moves steadily by more than a third of it per second "
        + "is not stable either. Increase it on an unsteady table.")
    Key(
      "time_ms", \.time, .milliseconds(1...60_000), settings: .page(.settingsRest, in: .stability),
      "How long the load has to be stable, in milliseconds; at least six sample periods of the pad. A shorter time gives "
        + "faster readings, a longer time more reliable ones.")
  }
}
