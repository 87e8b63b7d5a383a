import Weighing

extension Configuration {
  /// When a reading is called stable (`stability`).
  package struct Stability: Hashable, Sendable {
    /// The most motion that still counts as rest; above 0, up to 1000 g.
    package var motion = Grams(1)
    /// How long it has to last, 1...60,000 ms.
    package var time = Interval.milliseconds(300)

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Stability: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("motion_g", .grams(above: 0, through: 1000), into: &motion)
    section.read("time_ms", .milliseconds(1...60_000), into: &time)
  }

  var entries: [YAMLEntry] { [("motion_g", .number(motion.value)), ("time_ms", .milliseconds(time))] }
}
