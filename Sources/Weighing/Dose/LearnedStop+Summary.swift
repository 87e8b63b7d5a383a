/// The medians of the last doses, for people.
extension LearnedStop {
  /// The median of the flow at the stop in grams per second.
  public var flow: Double { samples.map(\.flow).median ?? 0 }

  /// The median of the mass that arrived after the stop.
  public var arrived: Grams { Grams(samples.map(\.arrived.value).median ?? 0) }
}
