import Weighing

/// One sample of a pad, as every contender sees it.
struct PadSample {
  /// When the pad took it.
  var time: Instant
  /// What the calibration makes of its counts, in grams; 0 while nothing presses.
  var grams: Double
  /// What evdev reports of it: nothing when the counts are those of the sample before.
  var events: ArraySlice<InputEvent>
}

/// A way from samples to a reading.
protocol Contender {
  /// What it is called in the tables.
  var name: String { get }
  /// Where its description was published.
  var source: String { get }
  /// Takes the next sample of the pad.
  mutating func take(_ sample: PadSample)
  /// What it would show now, unrounded, in grams.
  var level: Double { get }
  /// Whether it calls that settled; `nil` where its description has no such thing.
  var isStable: Bool? { get }
}

extension Contender {
  var isStable: Bool? { nil }
}
