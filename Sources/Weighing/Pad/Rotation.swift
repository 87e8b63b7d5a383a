/// How far the pad is turned clockwise where it is mounted (`pad.rotate`).
public enum Rotation: Int, Hashable, Sendable, CaseIterable {
  /// As the maker meant it.
  case none = 0
  /// A quarter turn clockwise.
  case quarter = 90
  /// Upside down.
  case half = 180
  /// A quarter turn anticlockwise.
  case threeQuarters = 270

  /// Where a place on the pad is for somebody in front of the turned pad.
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
