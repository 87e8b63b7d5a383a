import Weighing

extension Configuration {
  /// When a reading is stable (`stability`).
  package struct Stability: Hashable, Sendable {
    /// The maximum motion of a stable load; above 0, up to 1000 g.
    package var motion = Grams(1)
    /// The time that the load must be at rest, 1...60,000 ms.
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
