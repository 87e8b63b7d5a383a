/// The identity of the pad on which a calibration was made, as reported by the device.
public struct CalibratedPad: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Bus, vendor, product and version.
  public var id: PadIdentity
  /// The serial number or a similar text; `""` if there is none.
  public var unique: String
  /// The axes that were measured; more than one if they are added.
  public var axes: [AxisCode]
  /// The lower end of their range, of several the largest one.
  public var minimum: Int32
  /// The upper end of that range.
  public var maximum: Int32

  /// Makes an identity.
  public init(name: String, id: PadIdentity, unique: String, axes: [AxisCode], minimum: Int32, maximum: Int32) {
    (self.name, self.id, self.unique) = (name, id, unique)
    (self.axes, self.minimum, self.maximum) = (axes, minimum, maximum)
  }

  /// Makes the identity of a pad and its axis; names are reduced to one line.
  public init(_ pad: PadDescription, axis: LoadAxis) {
    self.init(
      name: Self.plain(pad.name), id: pad.id, unique: Self.plain(pad.unique), axes: axis.codes,
      minimum: axis.range.minimum, maximum: axis.range.maximum)
  }

  /// How well the calibration of one pad applies to another.
  public enum Match: Hashable, Sendable {
    /// It is the same pad, or one that cannot be distinguished from it.
    case same
    /// It is a similar pad whose counts have about the same meaning.
    case alike(Difference)
    /// Its counts have a different unit, so the calibration does not apply.
    case foreign(Difference)
  }

  /// What differs in another pad: what it has, and what this one has.
  public enum Difference: Hashable, Sendable {
    /// The axis and its range.
    case range(String, String)
    /// The model.
    case title(String, String)
    /// The serial number.
    case unique(String, String)
    /// The name.
    case name(String, String)

    /// The same with both texts transformed.
    package func map(_ transform: (String) -> String) -> Difference {
      switch self {
      case .range(let other, let own): .range(transform(other), transform(own))
      case .title(let other, let own): .title(transform(other), transform(own))
      case .unique(let other, let own): .unique(transform(other), transform(own))
      case .name(let other, let own): .name(transform(other), transform(own))
      }
    }
  }

  /// How well a calibration of this pad applies to another.
  public func match(_ other: CalibratedPad) -> Match {
    if axes != other.axes || minimum != other.minimum || maximum != other.maximum {
      return .foreign(.range(other.range, range))
    }
    if (id.vendor, id.product) != (other.id.vendor, other.id.product) { return .foreign(.title(other.title, title)) }
    if unique != other.unique && !unique.isEmpty && !other.unique.isEmpty {
      return .alike(.unique(other.unique, unique))
    }
    return name == other.name ? .same : .alike(.name(other.name, name))
  }

  /// A name without control characters and with at most 256 bytes; drivers may report any bytes.
  private static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars where plain.utf8.count < 252 {
      plain.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar)
    }
    return plain.allSatisfy(\.isWhitespace) ? "" : plain
  }

  /// The axes and the range: `ABS_PRESSURE 0...1023`.
  package var range: String { "\(axes.map(\.name).joined(separator: "+")) \(minimum)...\(maximum)" }

  private var title: String { "\(name) (\(HexadecimalText.fixed(id.vendor)):\(HexadecimalText.fixed(id.product)))" }
}

extension ScaleSettings {
  /// The calibration of a pad: the curve, unless it was made on a pad with a different unit; without one, what is known about
  /// the pad.
  func calibration(of pad: PadDescription, axis: LoadAxis) -> Calibration {
    var curve = curve
    if case .foreign = curvePad?.match(CalibratedPad(pad, axis: axis)) { curve = nil }
    let seed = knownPads.entry(for: pad)?.seed
    return Calibration(
      curve: curve, axis: axis, seed: seed?.applies(to: axis) == true ? seed : nil, capacity: scale.capacity)
  }
}
