/// The areas of the pad where a contact is a press and never a load.
public struct Zones: Hashable, Sendable {
  /// What a contact in a zone does.
  public enum Purpose: Hashable, Sendable {
    /// It fires an action when the press is confirmed: `tare`, `commit` or the type of a quick action.
    case action(String)
    /// It scrubs through the recorded weighings.
    case history
    /// It is a control, which publishes its force and its position.
    case control(ControlName)

    /// The key of the zone in the configuration.
    public var name: String {
      switch self {
      case .action(let action): action
      case .history: "history"
      case .control(let name): name.description
      }
    }
  }

  /// A rectangle on the pad in fractions of its axes, y growing downwards, after rotation.
  public struct Area: Hashable, Sendable {
    /// From left to right, 0...1.
    public var x: ClosedRange<Double>
    /// From top to bottom, 0...1.
    public var y: ClosedRange<Double>

    /// Makes an area.
    public init(x: ClosedRange<Double>, y: ClosedRange<Double>) { (self.x, self.y) = (x, y) }

    /// Whether two areas share more than an edge.
    package func overlaps(_ other: Area) -> Bool {
      x.lowerBound < other.x.upperBound && other.x.lowerBound < x.upperBound
        && y.lowerBound < other.y.upperBound && other.y.lowerBound < y.upperBound
    }
  }

  /// An area and what a contact in it does.
  public struct Zone: Hashable, Sendable {
    /// What a contact in the zone does.
    public var purpose: Purpose
    /// The area.
    public var area: Area

    /// Makes a zone.
    public init(_ purpose: Purpose, _ area: Area) { (self.purpose, self.area) = (purpose, area) }

    @inline(__always)
    fileprivate func contains(_ origin: Position) -> Bool { area.x.contains(origin.x) && area.y.contains(origin.y) }
  }

  /// The zones, which do not overlap.
  public var zones: [Zone]

  /// Makes a layout.
  public init(_ zones: [Zone]) { self.zones = zones }

  /// No zones: the whole pad weighs.
  public static let none = Zones([])

  /// A tare strip on the left and a commit strip on the right.
  public static let standard = Zones([
    Zone(.action("tare"), Area(x: 0...0.15, y: 0...1)), Zone(.action("commit"), Area(x: 0.85...1, y: 0...1)),
  ])

  /// The zone that contains the origin of a contact, if any.
  public func zone(at origin: Position?) -> Zone? {
    guard let origin else { return nil }
    return zones.first { $0.contains(origin) }
  }

  /// Whether a zone contains the origin of a contact.
  @inline(__always)
  func contains(_ origin: Position?) -> Bool {
    guard let origin else { return false }
    for index in zones.indices where zones[index].contains(origin) { return true }
    return false
  }

  /// Whether the origin of a contact is in the zone of an action.
  func hasAction(at origin: Position?) -> Bool { if case .action? = zone(at: origin)?.purpose { true } else { false } }

  /// Whether presses in zones fire actions.
  public var hasActions: Bool { zones.contains { if case .action = $0.purpose { true } else { false } } }
  /// The names of the controls.
  public var controls: [ControlName] {
    zones.compactMap { if case .control(let name) = $0.purpose { name } else { nil } }
  }
}
