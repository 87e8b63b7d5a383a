import Weighing

extension ScaleSettings.Timer: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "auto", \.timesPours, .flag,
      "Start the timer with the first pour after a tare, back-dated to the start of the pour, and stop it when the pour "
        + "ends: when the flow stays below 0.1 g/s, or below a tenth of the strongest flow, for 3 s.")
  }
}
