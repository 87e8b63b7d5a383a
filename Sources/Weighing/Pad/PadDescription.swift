/// The description of a device: its name, its ids and its capabilities.
public struct PadDescription: Hashable, Sendable {
  /// The name from the driver; `""` if there is none.
  public var name: String
  /// Bus, vendor, product and version, as in `struct input_id`.
  public var id: PadIdentity
  /// The serial number or a similar text that distinguishes devices of the same kind; `""` if there is none.
  public var unique: String
  /// The absolute axes with their ranges.
  public var axes: [AxisCode: AxisRange]
  /// The keys and buttons.
  public var keys: Set<KeyCode>
  /// The INPUT_PROP_ bits.
  public var properties: Set<UInt16>
  /// The other codes that the device supports, by type: lights, sounds, relative axes.
  public var otherCodes: [EventType: Set<UInt16>]
  /// Whether the device delivers each sample, repeated values included, as a load-cell converter does.
  ///
  /// evdev drops repeated values, so the silence of an evdev pad is a load at rest. The silence of a converter is missing
  /// data. If this is `false`, the filter looks at the arrivals themselves: a recording of a converter is an evdev
  /// recording too (`PadSampling.deliversEverySample`).
  public var deliversEverySample: Bool

  /// Makes a description.
  public init(
    name: String, id: PadIdentity = PadIdentity(), unique: String = "", axes: [AxisCode: AxisRange] = [:],
    keys: Set<KeyCode> = [], properties: Set<UInt16> = [], otherCodes: [EventType: Set<UInt16>] = [:],
    deliversEverySample: Bool = false
  ) {
    (self.name, self.id, self.unique, self.axes, self.keys) = (name, id, unique, axes, keys)
    (self.properties, self.otherCodes, self.deliversEverySample) = (properties, otherCodes, deliversEverySample)
  }
}

/// The four numbers with which the kernel identifies a kind of device (`struct input_id`).
public struct PadIdentity: Hashable, Sendable {
  /// The bus: 0x03 USB, 0x05 Bluetooth, 0x18 I2C ...
  public var bus: UInt16
  /// The vendor.
  public var vendor: UInt16
  /// The product number of the vendor.
  public var product: UInt16
  /// The version of the product or of its driver.
  public var version: UInt16

  /// Makes an identity.
  public init(bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0) {
    (self.bus, self.vendor, self.product, self.version) = (bus, vendor, product, version)
  }
}

/// The range of an absolute axis (`struct input_absinfo`, without the current value).
public struct AxisRange: Hashable, Sendable {
  /// The smallest value.
  public var minimum: Int32
  /// The largest value.
  public var maximum: Int32
  /// The noise that the kernel filters out, in counts.
  public var fuzz: Int32
  /// The dead zone of a joystick, in counts.
  public var flat: Int32
  /// Counts per millimetre, or per gram for a pressure axis; 0 if the driver does not report it.
  public var resolution: Int32

  /// Makes a range.
  public init(minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0) {
    (self.minimum, self.maximum, self.fuzz, self.flat, self.resolution) = (minimum, maximum, fuzz, flat, resolution)
  }
}
