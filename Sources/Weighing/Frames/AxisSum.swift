/// The current values of several axes that share the load.
///
/// An axis without a value so far adds nothing: the kernel reports an axis only when it changes.
struct AxisSum: Sendable {
  private struct Axis {
    let code: AxisCode
    let minimum: Int32
    let maximum: Int32
    /// The value; `nil` before the first one.
    var value: Int32?

    /// What the axis adds to the load.
    var counts: Int { value.map { max(Int($0) - Int(minimum), 0) } ?? 0 }
  }

  private var axes: [Axis]

  /// Makes a sum of the terms of an axis, without values.
  init(_ axis: LoadAxis) {
    axes = axis.terms.map { Axis(code: $0.code, minimum: $0.range.minimum, maximum: $0.range.maximum) }
  }

  /// Updates an axis; ignores other axes.
  mutating func set(_ code: AxisCode, _ value: Int32) {
    for index in axes.indices where axes[index].code == code { axes[index].value = value }
  }

  /// The sum of the axes, each less its minimum.
  var raw: RawForce { RawForce(axes.reduce(0) { $0 + $1.counts }) }

  /// Whether an axis is at the end of its range.
  var isAtMaximum: Bool { axes.contains { axis in axis.value.map { $0 >= axis.maximum } ?? false } }

  /// The centre of force between the corners of a platform; its middle without a load.
  ///
  /// The moments about the left and the upper edge, divided by the load. A corner of the platform is a corner of the
  /// unit square.
  var centreOfForce: Position {
    let total = Double(raw.counts)
    guard total > 0, axes.count == PlatformCorner.allCases.count else { return Position(x: 0.5, y: 0.5) }
    func counts(_ corner: PlatformCorner) -> Double { Double(axes[corner.rawValue].counts) }
    return Position(
      x: (counts(.topRight) + counts(.bottomRight)) / total, y: (counts(.bottomLeft) + counts(.bottomRight)) / total)
  }
}
