import Weighing

extension PadDescription {
  /// A protocol B pad with five slots: positions 0...1000 by 0...500, pressure 0...`maximum`.
  static func slots(maximum: Int32 = 1000, countsPerGram: Int32 = 2) -> PadDescription {
    PadDescription(
      name: "slots",
      axes: [
        .slot: AxisRange(minimum: 0, maximum: 4), .trackingID: AxisRange(minimum: 0, maximum: 65535),
        .multitouchX: AxisRange(minimum: 0, maximum: 1000), .multitouchY: AxisRange(minimum: 0, maximum: 500),
        .multitouchPressure: AxisRange(minimum: 0, maximum: maximum, resolution: countsPerGram),
      ],
      keys: [.touch, .toolFinger])
  }

  /// A protocol A pad with the same ranges.
  static func listed(keys: Set<KeyCode> = [.touch], trackingID: Bool = false) -> PadDescription {
    var pad = slots()
    pad.name = "listed"
    pad.axes[.slot] = nil
    if !trackingID { pad.axes[.trackingID] = nil }
    pad.keys = keys
    return pad
  }

  /// A pad for one touch, pressure 0...1000.
  static func single(hasTouchKey: Bool = true, hasPositions: Bool = true, minimum: Int32 = 0) -> PadDescription {
    var axes: [AxisCode: AxisRange] = [.pressure: AxisRange(minimum: minimum, maximum: 1000, resolution: 2)]
    if hasPositions {
      axes[.x] = AxisRange(minimum: 0, maximum: 1000)
      axes[.y] = AxisRange(minimum: 0, maximum: 500)
    }
    return PadDescription(name: "single", axes: axes, keys: hasTouchKey ? [.touch] : [])
  }
}
