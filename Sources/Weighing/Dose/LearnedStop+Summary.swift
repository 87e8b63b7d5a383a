/// The medians of the last doses, for people.
extension LearnedStop {
  /// The median of the flow at the stop in grams per second.
  public var flow: Double { Self.median(samples.map(\.flow)) ?? 0 }

  /// The median of the mass that arrived after the stop.
  public var arrived: Grams { Grams(Self.median(samples.map(\.arrived.value)) ?? 0) }

  /// The median of the time in which that mass flows; `nil` without doses, and if less than nothing arrived.
  public var deadTime: Interval? {
    Self.median(samples.map { $0.arrived.value / $0.flow }).flatMap { $0 >= 0 ? .seconds($0) : nil }
  }

  /// The middle one of some numbers, or the mean of the two in the middle.
  private static func median(_ numbers: [Double]) -> Double? {
    let sorted = numbers.sorted()
    guard let upper = sorted.dropFirst(sorted.count / 2).first else { return nil }
    return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
  }
}
