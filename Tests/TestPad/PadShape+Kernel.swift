import CEvdev
import Glibc

extension PadShape {
  /// Creates the uinput device, which the caller owns.
  ///
  /// `libevdev_uinput_create_from_device(3)` with its own descriptor of /dev/uinput.
  func plugIn() throws(PadError) -> OpaquePointer {
    guard let device = libevdev_new() else { throw PadError("out of memory") }
    defer { libevdev_free(device) }
    libevdev_set_name(device, name)
    libevdev_set_id_bustype(device, BUS_VIRTUAL)
    libevdev_set_id_vendor(device, vendor)
    libevdev_set_id_product(device, product)
    libevdev_set_id_version(device, 1)
    switch kind {
    case .multitouch, .single, .plain: libevdev_enable_property(device, UInt32(INPUT_PROP_POINTER))
    case .board: break
    case .keys, .keyboard: libevdev_enable_event_type(device, UInt32(EV_REP))
    }
    for key in keys { libevdev_enable_event_code(device, UInt32(EV_KEY), key, nil) }
    if led { libevdev_enable_event_code(device, UInt32(EV_LED), UInt32(LED_MISC), nil) }
    if let sound { libevdev_enable_event_code(device, UInt32(EV_SND), sound, nil) }
    if rumble { libevdev_enable_event_code(device, UInt32(EV_FF), UInt32(FF_RUMBLE), nil) }
    for (code, axis) in axes {
      var range = input_absinfo(
        value: axis.minimum, minimum: axis.minimum, maximum: axis.maximum, fuzz: kind == .board ? 2 : 0,
        flat: kind == .board ? 4 : 0, resolution: axis.resolution)
      libevdev_enable_event_code(device, UInt32(EV_ABS), code, &range)
    }
    var made: OpaquePointer?
    let result = libevdev_uinput_create_from_device(device, Int32(LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue), &made)
    guard result == 0, let made else { throw PadError("/dev/uinput", code: -result) }
    return made
  }

  /// The axes of a board: top right, bottom right, top left, bottom left.
  static let corners = [ABS_HAT0X, ABS_HAT0Y, ABS_HAT1X, ABS_HAT1Y]

  /// Every axis of the pad, by its code.
  private var axes: [(UInt32, Axis)] {
    var axes: [(UInt32, Axis)] = []
    guard !kind.isKeyboard else { return axes }
    if kind == .board {
      return Self.corners.map { (UInt32($0), Axis(minimum: 0, maximum: 65_535, resolution: 0)) }
    }
    if let x { axes.append((UInt32(ABS_X), x)) }
    if let y { axes.append((UInt32(ABS_Y), y)) }
    if kind != .plain { axes.append((pressureCode, pressure)) }
    if kind == .multitouch {
      axes.append((UInt32(ABS_MT_SLOT), Axis(minimum: 0, maximum: slots - 1, resolution: 0)))
      if let x { axes.append((UInt32(ABS_MT_POSITION_X), x)) }
      if let y { axes.append((UInt32(ABS_MT_POSITION_Y), y)) }
      axes.append((UInt32(ABS_MT_TRACKING_ID), Axis(minimum: 0, maximum: 65535, resolution: 0)))
      axes.append((UInt32(ABS_MT_PRESSURE), pressure))
    }
    return axes
  }
}
