import Weighing

extension ScaleSettings.Confirm: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key("full_g", \.full, .grams(above: 0, through: Grams.maximum.value), "Force of a full press in grams.")
    Key(
      "threshold", \.threshold, .number(above: 0, through: 1),
      "Fraction of the full press at which a press is selected. Lower it for a lighter touch.")
    Key(
      "slide", \.slide, .number(above: 0, through: 1),
      "Distance the finger slides up to confirm, as a fraction of the pad's height.")
    Key(
      "dwell_ms", \.dwell, .milliseconds(0...10_000),
      "On pads that do not report positions: how long a press has to last to be confirmed, in milliseconds. Increase it if "
        + "loads that are put down hard are detected as presses.")
    Key(
      "double_ms", \.double, .milliseconds(1...10_000),
      "On pads that do not report positions: how long after one press a second press tares, in milliseconds. A single "
        + "press commits when this time has elapsed.")
    Key(
      "hold_ms", \.hold, .milliseconds(1...60_000),
      "How long a key that does not measure force has to be held for a full press, in milliseconds.")
    Key(
      "timeout_ms", \.timeout, .milliseconds(100...600_000),
      "A longer press in a zone is cancelled, because it is probably an object; in milliseconds. Does not apply to keys."
    )
    Key(
      "settle_ms", \.settle, .milliseconds(0...60_000),
      "How long an action waits for a stable reading before it is rejected, in milliseconds. Set to 0 to reject immediately."
    )
  }
}
