extension PadDescription {
  /// Selects the axis that measures the load on this device.
  ///
  /// - Throws: `UnsuitablePadError` if there is no suitable axis.
  public func loadAxis(_ choice: AxisChoice) throws(UnsuitablePadError) -> LoadAxis {
    switch choice {
    case .named(let code):
      let range = try self.range(of: code)
      let kind: LoadAxis.Kind = code.isMultitouch ? multitouchKind : .plain
      var axis = LoadAxis(code: code, range: range, kind: kind, offset: range.minimum)
      if isCorner(code) { axis.countsPerGram = BalanceBoard.countsPerGram }
      return try checked(axis)
    case .sum(let codes):
      return try sum(codes)
    case .automatic:
      if isBalanceBoard { return try sum(BalanceBoard.corners) }
      if let range = axes[.multitouchPressure] {
        return try checked(LoadAxis(code: .multitouchPressure, range: range, kind: multitouchKind, offset: 0))
      }
      guard let range = axes[.pressure] else { throw .noPressureAxis }
      let kind = LoadAxis.Kind.touch(hasTouchKey: keys.contains(.touch))
      return try checked(LoadAxis(code: .pressure, range: range, kind: kind, offset: 0))
    }
  }

  /// Whether contacts have a position on the pad, which zones require.
  ///
  /// An axis with an empty range does not count: with it every contact would be at the edge of the pad, in a zone.
  public func hasPositions(for axis: LoadAxis) -> Bool {
    switch axis.kind {
    case .slots, .listed: hasRange(.multitouchX) && hasRange(.multitouchY)
    case .touch: hasRange(.x) && hasRange(.y)
    case .corners: true
    case .plain, .sum: false
    }
  }

  /// Whether it has a pressure axis, whatever its range.
  package var hasPressure: Bool { axes[.pressure] != nil || axes[.multitouchPressure] != nil }

  private func hasRange(_ code: AxisCode) -> Bool { axes[code].map { $0.maximum > $0.minimum } ?? false }

  /// Why the device should only be used if the configuration names it, although it has a pressure axis; `nil` for a
  /// real pad.
  ///
  /// A pen tablet reports the force of its pen (BTN_TOOL_PEN and no finger), and Apple's bcm5974 touchpads the width of
  /// the finger (drivers/input/mouse/bcm5974.c of the kernel, "tool_major" reported as pressure).
  public var misgiving: UnsuitablePadError? {
    if keys.contains(.toolPen) && !keys.contains(.toolFinger) && axes[.multitouchPressure] == nil { return .pen }
    if name == "bcm5974" { return .fingerWidth }
    return nil
  }

  /// The sum of several axes; those of a Wii Balance Board are its corners if all four are there.
  private func sum(_ codes: [AxisCode]) throws(UnsuitablePadError) -> LoadAxis {
    let areCorners = isBalanceBoard && codes.count == BalanceBoard.corners.count && codes.allSatisfy(isCorner)
    var terms: [LoadAxis.Term] = []
    for code in areCorners ? BalanceBoard.corners : codes.sorted() {
      let range = try self.range(of: code)
      guard range.maximum > range.minimum else { throw .emptyRange(code, range) }
      terms.append(LoadAxis.Term(code: code, range: range))
    }
    guard !terms.isEmpty else { throw .noPressureAxis }
    return LoadAxis(
      terms: terms, kind: areCorners ? .corners : .sum,
      countsPerGram: codes.allSatisfy(isCorner) ? BalanceBoard.countsPerGram : nil)
  }

  /// The range of an axis; for the corners of a Wii Balance Board the one that its values have, not the one that the
  /// driver states.
  private func range(of code: AxisCode) throws(UnsuitablePadError) -> AxisRange {
    guard let range = axes[code] else { throw .noSuchAxis(code, among: axes.keys.sorted()) }
    return isCorner(code) ? BalanceBoard.range : range
  }

  private func isCorner(_ code: AxisCode) -> Bool { isBalanceBoard && BalanceBoard.corners.contains(code) }

  private var multitouchKind: LoadAxis.Kind { axes[.slot] != nil ? .slots : .listed }

  private func checked(_ axis: LoadAxis) throws(UnsuitablePadError) -> LoadAxis {
    guard axis.range.maximum > axis.range.minimum, axis.fullScale > .zero else {
      throw .emptyRange(axis.code, axis.range)
    }
    if axis.kind == .slots, let slots = axes[.slot], slots.maximum < 0 { throw .noSlots(slots) }
    return axis
  }
}
