/// By how much the pad is mounted turned clockwise (`pad.rotate`).
public enum Rotation: Int, Hashable, Sendable, CaseIterable {
  /// Not turned.
  case none = 0
  /// A quarter turn clockwise.
  case quarter = 90
  /// Upside down.
  case half = 180
  /// A quarter turn anticlockwise.
  case threeQuarters = 270

  /// Converts a position on the pad to the view of a user in front of the turned pad.
  @inlinable
  public func apply(_ p: Position) -> Position {
    switch self {
    case .none: p
    case .quarter: Position(x: 1 - p.y, y: p.x)
    case .half: Position(x: 1 - p.x, y: 1 - p.y)
    case .threeQuarters: Position(x: p.y, y: 1 - p.x)
    }
  }
}
