/// The axis that carries the load, and how its values are to be read.
public struct LoadAxis: Hashable, Sendable {
  /// How contacts are told apart.
  public enum Kind: Hashable, Sendable {
    /// Protocol B: one value a slot, kept until it changes (ABS_MT_SLOT).
    case slots
    /// Protocol A: every frame lists its contacts, each ended by SYN_MT_REPORT.
    case listed
    /// One contact while BTN_TOUCH is down, or while the pressure is above its minimum where there is no such key.
    case touch(hasTouchKey: Bool)
    /// The axis alone is the load, whatever else the device reports (`pad.axis`).
    case plain
  }

  /// The axis.
  public var code: AxisCode
  /// Its range.
  public var range: AxisRange
  /// How contacts are told apart.
  public var kind: Kind
  /// What is taken off every value: the axis' minimum where the configuration names the axis, otherwise nothing.
  public var offset: Int32

  /// Makes a load axis.
  public init(code: AxisCode, range: AxisRange, kind: Kind, offset: Int32) {
    self.code = code
    self.range = range
    self.kind = kind
    self.offset = offset
  }

  /// The raw value at the end of the range: that of one axis, less the offset.
  public var fullScale: RawForce { RawForce(Int(range.maximum) - Int(offset)) }

  /// Counts per gram as the driver states them, `nil` where it does not or where the axis is not one of pressure.
  ///
  /// Source: Documentation/input/event-codes.rst and linux/input.h of the kernel, "for pressure, units per gram".
  public var countsPerGram: Double? {
    guard code == .pressure || code == .multitouchPressure, range.resolution > 0 else { return nil }
    return Double(range.resolution)
  }
}

/// Which axis the configuration asks for (`pad.axis`).
public enum AxisChoice: Hashable, Sendable {
  /// ABS_MT_PRESSURE, else ABS_PRESSURE.
  case automatic
  /// That axis, less its minimum.
  case named(AxisCode)
}

/// Why a device cannot weigh.
public enum UnsuitablePadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It reports no pressure at all.
  case noPressureAxis
  /// It has no axis of the name that the configuration gives.
  case noSuchAxis(AxisCode)
  /// The axis' range is empty, so that no value of it means anything.
  case emptyRange(AxisCode, AxisRange)
  /// ABS_MT_SLOT has a range without slot 0, so that no contact could be reported.
  case noSlots(AxisRange)
  /// Its pressure is that of a pen's tip, not of what lies on it.
  case pen
  /// Its driver derives pressure from the width of the finger.
  case fingerWidth

  /// The reason in words, fit for `devices` and the log.
  public var description: String {
    switch self {
    case .noPressureAxis: "no pressure axis (ABS_MT_PRESSURE or ABS_PRESSURE); name another with pad.axis"
    case .noSuchAxis(let code): "no axis \(code.name), which pad.axis names"
    case .emptyRange(let code, let range):
      "\(code.name) has the empty range \(range.minimum)...\(range.maximum): a broken descriptor; systemd's hwdb can correct "
        + "it (EVDEV_ABS_ in hwdb(7))"
    case .noSlots(let range):
      "ABS_MT_SLOT has the range \(range.minimum)...\(range.maximum), without slot 0: a broken descriptor"
    case .pen: "its pressure is that of a pen's tip"
    case .fingerWidth: "its pressure only says how wide the finger is"
    }
  }
}
