/// The areas of the pad where a contact is a press and never a load.
public struct Zones: Hashable, Sendable {
  /// A rectangle and the action of a press in it.
  public struct Zone: Hashable, Sendable {
    /// The name of the action: `tare`, `commit` or the type of a quick action.
    public var action: String
    /// The left and right edges of the rectangle, 0...1.
    public var x: ClosedRange<Double>
    /// The upper and lower edges of the rectangle, 0...1.
    public var y: ClosedRange<Double>

    /// Makes a zone.
    public init(action: String, x: ClosedRange<Double>, y: ClosedRange<Double>) {
      self.action = action
      self.x = x
      self.y = y
    }
  }

  /// The zones, which do not overlap.
  public var zones: [Zone]

  /// Makes a layout.
  public init(_ zones: [Zone]) {
    self.zones = zones
  }

  /// No zones: the whole pad weighs.
  public static let none = Zones([])

  /// A tare strip on the left and a commit strip on the right.
  public static let standard = Zones([
    Zone(action: "tare", x: 0...0.15, y: 0...1), Zone(action: "commit", x: 0.85...1, y: 0...1),
  ])

  /// The zone that contains the origin of a contact, if any.
  public func zone(at origin: Position?) -> Zone? {
    guard let origin else { return nil }
    return zones.first { $0.x.contains(origin.x) && $0.y.contains(origin.y) }
  }
}
