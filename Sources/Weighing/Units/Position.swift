/// A position on the pad as fractions of its axes, 0...1; x increases to the right and y downwards, after rotation.
public struct Position: Hashable, Sendable {
  /// The fraction of the width, 0 at the left edge.
  public var x: Double
  /// The fraction of the height, 0 at the upper edge.
  public var y: Double

  /// Makes a position from its two fractions.
  @inlinable
  public init(x: Double, y: Double) {
    (self.x, self.y) = (x, y)
  }
}
