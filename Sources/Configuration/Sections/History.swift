import Weighing

extension ScaleSettings.History: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "depth", \.depth, .integer(1...100),
      "The number of weighings that a press in the zone history reaches, from the newest at a quarter of the full press to "
        + "the oldest at three quarters.")
  }
}
