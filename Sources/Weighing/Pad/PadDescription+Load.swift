extension PadDescription {
  /// The axis that carries the load on this device.
  ///
  /// - Throws: `UnsuitablePad` where there is none.
  public func loadAxis(_ choice: AxisChoice) throws(UnsuitablePad) -> LoadAxis {
    switch choice {
    case .named(let code):
      guard let range = axes[code] else { throw .noSuchAxis(code) }
      let kind: LoadAxis.Kind = code.isMultitouch ? multitouchKind : .plain
      return try checked(LoadAxis(code: code, range: range, kind: kind, offset: range.minimum))
    case .automatic:
      if let range = axes[.multitouchPressure] {
        return try checked(LoadAxis(code: .multitouchPressure, range: range, kind: multitouchKind, offset: 0))
      }
      guard let range = axes[.pressure] else { throw .noPressureAxis }
      let kind = LoadAxis.Kind.touch(hasTouchKey: keys.contains(.touch))
      return try checked(LoadAxis(code: .pressure, range: range, kind: kind, offset: 0))
    }
  }

  /// Whether contacts have a place on the pad, so that zones can be told apart from the weighing area.
  public func hasPositions(for axis: LoadAxis) -> Bool {
    switch axis.kind {
    case .slots, .listed: axes[.multitouchX] != nil && axes[.multitouchY] != nil
    case .touch: axes[.x] != nil && axes[.y] != nil
    case .plain: false
    }
  }

  /// Why the device should not be picked without being named, although it has a pressure axis; `nil` for a real pad.
  ///
  /// A pen tablet reports the force of its pen (BTN_TOOL_PEN and no finger), and Apple's bcm5974 touchpads the width of
  /// the finger (drivers/input/mouse/bcm5974.c of the kernel, "tool_major" reported as pressure).
  public var misgiving: UnsuitablePad? {
    if keys.contains(.toolPen) && !keys.contains(.toolFinger) && axes[.multitouchPressure] == nil { return .pen }
    if name == "bcm5974" { return .fingerWidth }
    return nil
  }

  private var multitouchKind: LoadAxis.Kind { axes[.slot] != nil ? .slots : .listed }

  private func checked(_ axis: LoadAxis) throws(UnsuitablePad) -> LoadAxis {
    guard axis.range.maximum > axis.range.minimum, axis.fullScale > .zero else {
      throw .emptyRange(axis.code, axis.range)
    }
    return axis
  }
}
