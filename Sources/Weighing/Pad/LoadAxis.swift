/// The axis that measures the load, or several axes that share it, and how to interpret their values.
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
    /// Several axes are added, whatever else the device reports (`pad.axis` with a list).
    case sum
    /// As `sum`; the axes are the corners of a platform in the order of `PlatformCorner`.
    case corners
  }

  /// The axis; of several, the one with the largest range.
  public var code: AxisCode
  /// The range of the axis.
  public var range: AxisRange
  /// How contacts are distinguished.
  public var kind: Kind
  /// The offset to subtract from every value: the minimum of the axis if the configuration names it, otherwise 0.
  public var offset: Int32
  /// All axes that are added, each less its minimum; empty unless there are several.
  public var terms: [Term]
  /// The counts per gram that the driver reports or is known to use; `nil` if unknown.
  ///
  /// A driver reports them as the resolution of a pressure axis. Source: Documentation/input/event-codes.rst and
  /// linux/input.h of the kernel, "for pressure, units per gram".
  public var countsPerGram: Double?

  /// One of several axes.
  public struct Term: Hashable, Sendable {
    /// The axis.
    public var code: AxisCode
    /// Its range.
    public var range: AxisRange

    /// The largest value it adds.
    var span: Int { Int(range.maximum) - Int(range.minimum) }
  }

  /// Makes a load axis.
  public init(code: AxisCode, range: AxisRange, kind: Kind, offset: Int32) {
    (self.code, self.range, self.kind, self.offset) = (code, range, kind, offset)
    terms = []
    let isPressure = code == .pressure || code == .multitouchPressure
    countsPerGram = isPressure && range.resolution > 0 ? Double(range.resolution) : nil
  }

  /// Makes a load axis of several axes; the first of those with the largest range represents them.
  ///
  /// - Precondition: There is at least one term.
  init(terms: [Term], kind: Kind, countsPerGram: Double?) {
    let largest = terms.max { $0.span < $1.span || $0.span == $1.span && $0.code > $1.code } ?? terms[0]
    code = largest.code
    range = largest.range
    self.kind = kind
    offset = largest.range.minimum
    (self.terms, self.countsPerGram) = (terms, countsPerGram)
  }

  /// The raw value at the end of the range of one axis, less the offset.
  public var fullScale: RawForce { RawForce(Int(range.maximum) - Int(offset)) }

  /// The raw value with every axis at the end of its range.
  public var largestSum: RawForce { terms.isEmpty ? fullScale : RawForce(terms.reduce(0) { $0 + $1.span }) }

  /// The codes of the axes.
  public var codes: [AxisCode] { terms.isEmpty ? [code] : terms.map(\.code) }

  /// The names of the axes: `ABS_PRESSURE`, `ABS_X+ABS_Y`.
  public var name: String { codes.map(\.name).joined(separator: "+") }

  /// Whether the raw value of the empty pad may be above zero: the device does not report whether anything touches it.
  public var mayRestAboveZero: Bool {
    switch kind {
    case .slots, .listed, .touch: false
    case .plain, .sum, .corners: true
    }
  }

  /// Whether a plate always rests on the pad, whatever `pad.surface` states.
  public var carriesPlate: Bool { kind == .corners }
}

/// The corners of a platform on four load cells, in the order in which the driver of the Wii Balance Board reports them.
public enum PlatformCorner: Int, CaseIterable, Sendable {
  case topRight, bottomRight, topLeft, bottomLeft
}

/// The axis that the configuration selects (`pad.axis`).
public enum AxisChoice: Hashable, Sendable {
  /// ABS_MT_PRESSURE, else ABS_PRESSURE.
  case automatic
  /// The named axis, less its minimum.
  case named(AxisCode)
  /// The sum of two or more axes, each less its minimum.
  case sum([AxisCode])
}

/// Why a device is not suitable for weighing.
public enum UnsuitablePadError: Error, Hashable, Sendable {
  /// The device has no pressure axis.
  case noPressureAxis
  /// The device does not have the axis that the configuration names; it has these.
  case noSuchAxis(AxisCode, among: [AxisCode])
  /// The range of the axis is empty, so its values have no meaning.
  case emptyRange(AxisCode, AxisRange)
  /// The range of ABS_MT_SLOT does not include slot 0, so the device cannot report contacts.
  case noSlots(AxisRange)
  /// The device reports the pressure of the tip of a pen.
  case pen
  /// The driver derives the pressure from the width of the finger.
  case fingerWidth
}
