/// What the last doses with a label have shown about the mass that arrives after a stop.
public struct LearnedStop: Hashable, Sendable {
  /// One dose that counts.
  public struct Sample: Hashable, Sendable {
    /// The flow at the stop in grams per second; above 0.
    public var flow: Double
    /// The mass that arrived after the stop.
    public var arrived: Grams

    /// Makes a sample.
    public init(flow: Double, arrived: Grams) { (self.flow, self.arrived) = (flow, arrived) }

    /// The time from the stop to the last mass that arrived, in seconds.
    var deadTime: Double { arrived.value / flow }
  }

  /// The label; `""` for doses without one.
  public var label: String
  /// The last doses, the newest last; at most `maximumSamples`.
  public var samples: [Sample]

  /// The number of doses that count.
  public static let maximumSamples = 5
  /// The number of labels that are stored.
  public static let maximumLabels = 64

  /// Makes what was learned.
  public init(label: String, samples: [Sample]) { (self.label, self.samples) = (label, samples) }
}

/// A stop ahead of a target.
public struct TargetStop: Hashable, Sendable {
  /// The target.
  public var target: Grams
  /// The net at this moment.
  public var net: Grams
  /// The net that is expected at rest.
  public var predicted: Grams
  /// The flow in grams per second.
  public var flow: Double
  /// The label under which it is learned; `""` without one.
  public var label: String
}
