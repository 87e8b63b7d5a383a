import Weighing

extension ScaleSettings.Timer: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "auto", \.timesPours, .flag,
      "Start the timer with the first pour after a tare, back-dated to the start of the pour, and stop it when the pour "
        + "ends: when the flow stays below 0.1 g/s, or below a tenth of the strongest flow but at most 0.5 g/s, for 3 s. "
        + "See pause_s for a brew of several pours.")
    Key(
      "pause_s", \.pause, .seconds(0...3600),
      "With auto: time in seconds after a pour in which another one continues the brew, if the vessel stays on the scale. "
        + "The timer then runs again from the start of the brew and includes the pause; the stop is the end of the last "
        + "pour. 0: each brew has one pour.")
  }
}
