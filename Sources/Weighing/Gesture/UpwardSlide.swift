/// How far a finger has slid upwards since it came down.
///
/// Heights are fractions of the pad's height, 0 at the upper edge.
struct UpwardSlide: Sendable {
  /// The height at touch-down; `nil` on a pad that does not report positions.
  private let origin: Double?
  /// The last height.
  private(set) var height: Double?

  /// Starts at touch-down.
  init(from origin: Double?) { self.origin = origin }

  /// The distance; negative downwards.
  var distance: Double {
    guard let origin, let height else { return 0 }
    return origin - height
  }

  /// Evaluates the height in a frame.
  mutating func move(to height: Double?) { self.height = height }

  /// Whether the finger has slid a distance.
  func hasReached(_ distance: Double) -> Bool { self.distance >= distance - Self.rounding }

  /// The tolerance for rounding errors of fractions: 0.7 - 0.45 is a little under 0.25.
  static let rounding = 1e-9
}
