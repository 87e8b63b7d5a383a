/// What the load axis of a pad measures, with the reason.
///
/// A capacitive touchpad measures the area of a finger and reports it as pressure: it does not notice a cup of coffee. Source:
/// Documentation/input/event-codes.rst of the kernel, "many devices converted contact size into pressure".
public enum PadMeasurement: Hashable, Sendable {
  /// The driver reports counts per gram.
  case resolution(Double)
  /// The load cells of a Wii Balance Board.
  case balanceBoard
  /// The kernel marks the device as a pressure pad (INPUT_PROP_PRESSUREPAD).
  case pressurePad
  /// The list of known pads says so.
  case known(KnownPad)
  /// Several axes are added: sensors under a platform.
  case severalAxes
  /// A touchpad or touchscreen that reports pressure without a unit.
  case touchpad
  /// Nothing is known about it.
  case unknown

  /// The quantity that is measured.
  public enum Quantity: String, Hashable, Sendable, CaseIterable {
    /// The force on the pad.
    case force
    /// The area of the contact.
    case area
    /// Not known.
    case unknown
  }

  /// Derives what is measured from the description of a device and its entry in the list of known pads.
  ///
  /// An entry of the list is knowledge about the very model and precedes what the device says about itself, unless the entry
  /// says that the quantity is not known.
  public init(_ pad: PadDescription, axis: LoadAxis, known: KnownPad?) {
    if let known, known.measures != .unknown, axis.isPressure {
      self = .known(known)
    } else if pad.isBalanceBoard, axis.countsPerGram != nil {
      self = .balanceBoard
    } else if let counts = axis.countsPerGram {
      self = .resolution(counts)
    } else if !axis.terms.isEmpty {
      self = .severalAxes
    } else if !axis.isPressure {
      self = .unknown
    } else if pad.properties.contains(Self.pressurePadProperty) {
      self = .pressurePad
    } else if let known {
      self = .known(known)
    } else {
      self = pad.isTouchDevice ? .touchpad : .unknown
    }
  }

  /// The quantity that is measured.
  public var quantity: Quantity {
    switch self {
    case .resolution, .balanceBoard, .pressurePad, .severalAxes: .force
    case .known(let pad): pad.measures
    case .touchpad: .area
    case .unknown: .unknown
    }
  }

  /// INPUT_PROP_PRESSUREPAD of linux/input-event-codes.h since 6.18; older headers do not define it.
  static let pressurePadProperty: UInt16 = 0x07
}

extension PadDescription {
  /// Whether fingers touch it: BTN_TOOL_FINGER, or the size of contacts (ABS_MT_TOUCH_MAJOR), and positions, but no pen.
  fileprivate var isTouchDevice: Bool {
    let hasPositions = [AxisCode.x, .multitouchX].contains { axes[$0] != nil }
    let hasFingers = keys.contains(.toolFinger) || axes[.touchMajor] != nil
    return hasPositions && hasFingers && !keys.contains(.toolPen)
  }
}

extension LoadAxis {
  /// Whether it is a pressure axis.
  package var isPressure: Bool { terms.isEmpty && (code == .pressure || code == .multitouchPressure) }
}
