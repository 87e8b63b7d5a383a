import Testing
import Weighing

@testable import EvdevInput

/// Facts about devices from public descriptions: which of them `auto` selects, and what it would select without knowing what
/// they measure.
///
/// Sources: the descriptions of whot/evemu-devices; systemd's pull request 41132 (Goodix), whose range is the corrected one; the
/// kernel's hid-magicmouse.c (Apple).
@Suite struct PublicTouchpadTests {
  struct Device {
    var name: String
    var id: PadIdentity
    /// The ends of ABS_MT_PRESSURE and ABS_PRESSURE.
    var contacts: Int32?
    var single: Int32?
    var hasSize = false
    var keys: Set<KeyCode> = [.touch, .toolFinger]
    var properties: Set<UInt16> = [0]
    var resolution: Int32 = 0

    var description: PadDescription {
      var axes: [AxisCode: AxisRange] = [:]
      for code in [AxisCode.x, .y, .multitouchX, .multitouchY] { axes[code] = AxisRange(minimum: 0, maximum: 4000) }
      axes[.multitouchPressure] = contacts.map { AxisRange(minimum: 0, maximum: $0, resolution: resolution) }
      axes[.pressure] = single.map { AxisRange(minimum: 0, maximum: $0) }
      if hasSize { axes[.touchMajor] = AxisRange(minimum: 0, maximum: 2445) }
      return PadDescription(name: name, id: id, axes: axes, keys: keys, properties: properties)
    }
  }

  private static func serial(_ product: UInt16) -> PadIdentity { PadIdentity(bus: 0x11, vendor: 2, product: product) }

  static let synaptics = Device(name: "SynPS/2 Synaptics TouchPad", id: serial(7), contacts: 255, single: 255)
  static let alps = Device(name: "AlpsPS/2 ALPS GlidePoint", id: serial(8), single: 127)
  static let elantech = Device(
    name: "ETPS/2 Elantech Touchpad", id: serial(14), contacts: 255, single: 255, hasSize: true)
  static let cypress = Device(name: "CyPS/2 Cypress Trackpad", id: serial(17), contacts: 255, single: 255)
  static let logitech = Device(
    name: "Logitech Rechargeable Touchpad T650", id: PadIdentity(bus: 3, vendor: 0x46d, product: 0x4101), contacts: 50,
    single: 50)
  static let bcm = Device(
    name: "bcm5974", id: PadIdentity(bus: 3, vendor: 0x5ac, product: 0x249), single: 256, hasSize: true)
  static let wacom = Device(
    name: "Wacom Intuos5 touch M Pen", id: PadIdentity(bus: 3, vendor: 0x56a, product: 0x27), single: 2047,
    keys: [.touch, .toolPen])
  static let goodix = Device(
    name: "GXTP5100:00 27C6:01E9 Touchpad", id: PadIdentity(bus: 0x18, vendor: 0x27c6, product: 0x1e9), single: 255)
  static let apple = Device(
    name: "Apple Inc. Magic Trackpad 2", id: PadIdentity(bus: 3, vendor: 0x5ac, product: 0x265), contacts: 253,
    hasSize: true)
  /// A pad without a key or size of fingers, such as a microcontroller with a force-sensing resistor.
  static let plain = Device(name: "Arduino", id: PadIdentity(bus: 3), single: 1023, keys: [.touch])

  static let known = [
    KnownPad(vendor: 0x27c6, product: 0x1e9, measures: .force, source: "libinput"),
    KnownPad(vendor: 0x5ac, product: 0x265, measures: .force, source: "LinuxMagicForce"),
  ]

  @Test(arguments: [
    (synaptics, PadMeasurement.Quantity.area), (alps, .area), (elantech, .area), (cypress, .area), (logitech, .area),
    (bcm, .area), (wacom, .unknown), (goodix, .force), (apple, .force), (plain, .unknown),
  ]) func whatTheyMeasure(_ device: Device, _ quantity: PadMeasurement.Quantity) throws {
    let measurement = try #require(Self.entry(device, at: 1).measurement)
    #expect(measurement.quantity == quantity, "\(device.name)")
    #expect((measurement.reason == nil) == (quantity == .unknown))
  }

  private static func entry(_ device: Device, at number: Int, known: [KnownPad] = known) -> DeviceSurvey.Entry {
    let pad = device.description
    var entry = DeviceSurvey.Entry(path: "/dev/input/event\(number)", finding: DeviceSurvey.Finding(pad))
    entry.known = known.first { $0.matches(pad) }
    return entry
  }

  private static func chosen(_ devices: [Device], known: [KnownPad]) -> String? {
    let entries = devices.enumerated().map { entry($1, at: $0, known: known) }
    guard case .chosen(let entry, _) = DeviceSurvey(entries: entries).choose(.automatic) else { return nil }
    return entry.description?.name
  }

  /// A laptop with one touchpad and something better; `before` is what the order by contacts, range and node selected.
  @Test(arguments: [
    ([synaptics, goodix], synaptics, goodix), ([elantech, apple], elantech, apple),
    ([logitech, plain], logitech, plain),
    ([alps, plain], plain, plain), ([cypress, goodix, apple], cypress, apple), ([bcm, wacom, alps], alps, alps),
  ]) func theOrderOfAuto(_ devices: [Device], _ before: Device, _ after: Device) {
    #expect(Self.oldOrder(devices) == before.name)
    for devices in [devices, devices.reversed()] { #expect(Self.chosen(devices, known: Self.known) == after.name) }
  }

  private static func oldOrder(_ devices: [Device]) -> String? {
    let ranked = devices.enumerated().compactMap { index, device -> (key: [Int], name: String)? in
      guard device.description.misgiving == nil, let end = device.contacts ?? device.single else { return nil }
      return ([device.contacts == nil ? 0 : 1, Int(end), -index], device.name)
    }
    return ranked.max { $0.key.lexicographicallyPrecedes($1.key) }?.name
  }

  /// What the kernel says decides without the list; a list that denies the force of a model decides against it.
  @Test func theKernelsWordAndTheList() {
    var stated = Self.logitech
    stated.resolution = 2
    #expect(Self.chosen([Self.synaptics, stated], known: []) == stated.name)
    var marked = Self.logitech
    marked.properties = [7]
    #expect(Self.chosen([Self.synaptics, marked], known: []) == marked.name)
    let denied = KnownPad(name: marked.name, measures: .area, source: "a test")
    #expect(Self.chosen([Self.synaptics, marked], known: [denied]) == Self.synaptics.name)
  }
}
