/// The pad that a calibration was made on, as far as a device tells itself.
public struct CalibratedPad: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Bus, maker, product and version.
  public var id: PadIdentity
  /// The serial number or similar; empty if the device states none.
  public var unique: String
  /// The axis that was read.
  public var axis: AxisCode
  /// The ends of its range.
  public var minimum: Int32
  /// The ends of its range.
  public var maximum: Int32

  /// Makes an identity.
  public init(name: String, id: PadIdentity, unique: String, axis: AxisCode, minimum: Int32, maximum: Int32) {
    self.name = name
    self.id = id
    self.unique = unique
    self.axis = axis
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The identity of a pad by its axis; its names as they can be written on one line.
  public init(_ pad: PadDescription, axis: LoadAxis) {
    self.init(
      name: Self.plain(pad.name), id: pad.id, unique: Self.plain(pad.unique), axis: axis.code,
      minimum: axis.range.minimum,
      maximum: axis.range.maximum)
  }

  /// How far a calibration of one pad goes for another.
  public enum Match: Hashable, Sendable {
    /// It is the same pad, or one that cannot be told from it.
    case same
    /// It is a pad like it: counts mean about the same. In words, what differs.
    case alike(String)
    /// Its counts are another unit: the calibration says nothing of it. In words, what differs.
    case foreign(String)
  }

  /// How far a calibration of this pad goes for another.
  public func match(_ other: CalibratedPad) -> Match {
    if axis != other.axis || minimum != other.minimum || maximum != other.maximum {
      return .foreign("it has \(other.range), not \(range)")
    }
    if (id.vendor, id.product) != (other.id.vendor, other.id.product) {
      return .foreign("it is \(other.title), not \(title)")
    }
    if unique != other.unique && !unique.isEmpty && !other.unique.isEmpty {
      return .alike("it has the serial number \(other.unique), not \(unique)")
    }
    return name == other.name ? .same : .alike("it is called \(other.name), not \(name)")
  }

  /// A name without control characters, of 256 bytes at most; drivers give any bytes.
  private static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars where plain.utf8.count < 252 {
      plain.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar)
    }
    return plain.allSatisfy(\.isWhitespace) ? "" : plain
  }

  private var range: String { "\(axis.name) \(minimum)...\(maximum)" }

  private var title: String { "\(name) (\(HexadecimalText.fixed(id.vendor)):\(HexadecimalText.fixed(id.product)))" }
}

extension ScaleSettings {
  /// How a pad is weighed: by the curve, unless it was made on a pad that counts in another unit.
  func calibration(of pad: PadDescription, axis: LoadAxis) -> Calibration {
    var curve = curve
    if case .foreign = curvePad?.match(CalibratedPad(pad, axis: axis)) { curve = nil }
    return Calibration(curve: curve, axis: axis, capacity: capacity)
  }
}
