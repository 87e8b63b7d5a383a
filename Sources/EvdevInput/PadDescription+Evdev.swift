import CEvdev
import CLinux
import Weighing

extension PadDescription {
  /// Reads a device's description from libevdev.
  ///
  /// `otherCodes` has an entry for every type of the device, even if it is empty; the entry of EV_SYN holds the types
  /// themselves, like the result of EVIOCGBIT(0) and evemu's `B: 00` line.
  init(reading device: OpaquePointer) {
    self.init(
      name: libevdev_get_name(device).map { String(cString: $0) } ?? "",
      id: PadIdentity(
        bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device)),
        vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
        product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)),
        version: UInt16(truncatingIfNeeded: libevdev_get_id_version(device))),
      unique: libevdev_get_uniq(device).map { String(cString: $0) } ?? "")
    for property in 0..<UInt32(INPUT_PROP_CNT) where libevdev_has_property(device, property) != 0 {
      properties.insert(UInt16(property))
    }
    var types: Set<UInt16> = [EventType.synchronization.rawValue]
    for number in 1..<UInt32(EV_CNT) where libevdev_has_event_type(device, number) != 0 {
      let type = EventType(rawValue: UInt16(number))
      types.insert(type.rawValue)
      let codes = Self.codes(of: number, device)
      switch type {
      case .key:
        keys = Set(codes.map { KeyCode(rawValue: $0) })
      case .absolute:
        for code in codes { axes[AxisCode(rawValue: code)] = Self.range(of: code, device) }
      default:  // not an enum of ours: a type is any number
        otherCodes[type] = codes
      }
    }
    otherCodes[.synchronization] = types
  }

  private static func codes(of type: UInt32, _ device: OpaquePointer) -> Set<UInt16> {
    let last = libevdev_event_type_get_max(type)
    guard last >= 0 else { return [] }
    return Set((0...UInt32(last)).filter { libevdev_has_event_code(device, type, $0) != 0 }.map { UInt16($0) })
  }

  private static func range(of code: UInt16, _ device: OpaquePointer) -> AxisRange? {
    guard let info = libevdev_get_abs_info(device, UInt32(code))?.pointee else { return nil }
    return AxisRange(
      minimum: info.minimum, maximum: info.maximum, fuzz: info.fuzz, flat: info.flat, resolution: info.resolution)
  }
}
