import Weighing

extension Configuration {
  /// Confirming by force (`confirm`).
  package struct Confirm: Hashable, Sendable {
    /// The force that counts as full intention; above 0, up to 100 kg.
    package var full = Grams(173)
    /// The intention from which a press is `selected`; above 0, up to 1.
    package var threshold = 0.97
    /// The distance of the slide that confirms, as a fraction of the pad's height; above 0, up to 1.
    package var slide = 0.25
    /// The time that added force must last to be `confirmed` on a pad without positions, 0...10,000 ms.
    package var dwell = Interval.milliseconds(400)
    /// The time after a press of added force within which a second press makes a tare, 1...10,000 ms.
    package var double = Interval.milliseconds(800)
    /// The time that a key without force must be held for full intention, 1...60,000 ms.
    package var hold = Interval.milliseconds(2000)
    /// The time after which a press in a zone is cancelled, 100...600,000 ms.
    package var timeout = Interval.milliseconds(10_000)
    /// The time that an action waits for a stable reading before it is rejected, 0...60,000 ms.
    package var settle = Interval.milliseconds(2000)

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Confirm: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("full_g", .grams(above: 0, through: 100_000), into: &full)
    section.read("threshold", .number(above: 0, through: 1), into: &threshold)
    section.read("slide", .number(above: 0, through: 1), into: &slide)
    section.read("dwell_ms", .milliseconds(0...10_000), into: &dwell)
    section.read("double_ms", .milliseconds(1...10_000), into: &double)
    section.read("hold_ms", .milliseconds(1...60_000), into: &hold)
    section.read("timeout_ms", .milliseconds(100...600_000), into: &timeout)
    section.read("settle_ms", .milliseconds(0...60_000), into: &settle)
  }

  var entries: [YAMLEntry] {
    [
      ("full_g", .number(full.value)), ("threshold", .number(threshold)), ("slide", .number(slide)),
      ("dwell_ms", .milliseconds(dwell)), ("double_ms", .milliseconds(double)), ("hold_ms", .milliseconds(hold)),
      ("timeout_ms", .milliseconds(timeout)), ("settle_ms", .milliseconds(settle)),
    ]
  }
}
