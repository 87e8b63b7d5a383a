/// The name of an output, which has the form of the name of a control.
public typealias OutputName = ControlName

/// A plug or valve that a dose switches, as far as the scale knows it: topic and payloads belong to the edges.
public struct Output: Hashable, Sendable {
  /// The name.
  public var name: OutputName
  /// A faster flow ends a dose, in grams per second.
  public var maximumFlow: Double
  /// The default of `maximumFlow`. Chosen: above the 10 g/s of a kettle and the fastest grinders, below an open valve.
  public static let usualMaximumFlow = 25.0

  /// Makes an output.
  public init(name: OutputName, maximumFlow: Double = usualMaximumFlow) {
    (self.name, self.maximumFlow) = (name, maximumFlow)
  }
}

/// A switching of an output.
public struct OutputChange: Hashable, Sendable {
  /// The name of the output.
  public var name: OutputName
  /// Whether it is switched on.
  public var isOn: Bool

  /// Makes a change.
  public init(name: OutputName, isOn: Bool) { (self.name, self.isOn) = (name, isOn) }
}
