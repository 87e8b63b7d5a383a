/// The axis that measures the load, and how to interpret its values.
public struct LoadAxis: Hashable, Sendable {
  /// How contacts are distinguished.
  public enum Kind: Hashable, Sendable {
    /// Protocol B: one value per slot, valid until it changes (ABS_MT_SLOT).
    case slots
    /// Protocol A: every frame lists its contacts, each ended by SYN_MT_REPORT.
    case listed
    /// One contact while BTN_TOUCH is down; on a device without this key, while the pressure is above its minimum.
    case touch(hasTouchKey: Bool)
    /// Only the axis is evaluated, whatever else the device reports (`pad.axis`).
    case plain
  }

  /// The axis.
  public var code: AxisCode
  /// The range of the axis.
  public var range: AxisRange
  /// How contacts are distinguished.
  public var kind: Kind
  /// The offset to subtract from every value: the minimum of the axis if the configuration names it, otherwise 0.
  public var offset: Int32

  /// Makes a load axis.
  public init(code: AxisCode, range: AxisRange, kind: Kind, offset: Int32) {
    self.code = code
    self.range = range
    self.kind = kind
    self.offset = offset
  }

  /// The raw value at the end of the range, less the offset.
  public var fullScale: RawForce { RawForce(Int(range.maximum) - Int(offset)) }

  /// The counts per gram that the driver reports; `nil` if it reports none, or the axis is not a pressure axis.
  ///
  /// Source: Documentation/input/event-codes.rst and linux/input.h of the kernel, "for pressure, units per gram".
  public var countsPerGram: Double? {
    guard code == .pressure || code == .multitouchPressure, range.resolution > 0 else { return nil }
    return Double(range.resolution)
  }
}

/// The axis that the configuration selects (`pad.axis`).
public enum AxisChoice: Hashable, Sendable {
  /// ABS_MT_PRESSURE, else ABS_PRESSURE.
  case automatic
  /// The named axis, less its minimum.
  case named(AxisCode)
}

/// Why a device is not suitable for weighing.
public enum UnsuitablePadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device has no pressure axis.
  case noPressureAxis
  /// The device does not have the axis that the configuration names.
  case noSuchAxis(AxisCode)
  /// The range of the axis is empty, so its values have no meaning.
  case emptyRange(AxisCode, AxisRange)
  /// The range of ABS_MT_SLOT does not include slot 0, so the device cannot report contacts.
  case noSlots(AxisRange)
  /// The device reports the pressure of the tip of a pen.
  case pen
  /// The driver derives the pressure from the width of the finger.
  case fingerWidth

  /// The reason as text, for `devices` and the log.
  public var description: String {
    switch self {
    case .noPressureAxis: "no pressure axis (ABS_MT_PRESSURE or ABS_PRESSURE); specify another axis with pad.axis"
    case .noSuchAxis(let code): "the device has no axis \(code.name); correct pad.axis"
    case .emptyRange(let code, let range):
      "\(code.name) has the empty range \(range.minimum)...\(range.maximum): a broken descriptor; systemd's hwdb can correct "
        + "it (EVDEV_ABS_ in hwdb(7))"
    case .noSlots(let range):
      "ABS_MT_SLOT has the range \(range.minimum)...\(range.maximum), without slot 0: a broken descriptor"
    case .pen: "it measures the pressure of a pen tip"
    case .fingerWidth: "its pressure axis measures the width of the finger"
    }
  }
}
