/// An evdev event: a change of an axis, key or light of a device.
///
/// It contains the same numbers as the kernel's `struct input_event`; see linux/input.h.
public struct InputEvent: Hashable, Sendable {
  /// The time stamp of the kernel in the clock of the device (CLOCK_MONOTONIC on the appliance).
  public var time: Instant
  /// `EV_SYN`, `EV_KEY`, `EV_ABS` ...
  public var type: EventType
  /// The code within the type: `SYN_REPORT`, `BTN_TOUCH`, `ABS_PRESSURE` ...
  public var code: UInt16
  /// The new value.
  public var value: Int32

  /// Makes an event.
  @inlinable
  public init(time: Instant, type: EventType, code: UInt16, value: Int32) {
    (self.time, self.type, self.code, self.value) = (time, type, code, value)
  }
}

/// The type of an evdev event; numbers from linux/input-event-codes.h.
public struct EventType: RawRepresentable, Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt16

  /// Makes a type from the kernel's number.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Separates and resynchronises frames.
  public static let synchronization = EventType(rawValue: 0x00)
  /// Keys and buttons, touch among them.
  public static let key = EventType(rawValue: 0x01)
  /// Relative movement.
  public static let relative = EventType(rawValue: 0x02)
  /// Absolute axes.
  public static let absolute = EventType(rawValue: 0x03)
  /// Miscellaneous values: scan codes, time stamps.
  public static let miscellaneous = EventType(rawValue: 0x04)
  /// Lights.
  public static let led = EventType(rawValue: 0x11)
  /// Bells and tones.
  public static let sound = EventType(rawValue: 0x12)
  /// Rumble.
  public static let forceFeedback = EventType(rawValue: 0x15)
}

/// Codes of `EV_SYN`.
public enum SynchronizationCode {
  /// The end of a frame.
  public static let report: UInt16 = 0
  /// The end of one contact of a protocol A pad.
  public static let multitouchReport: UInt16 = 2
  /// The kernel's buffer overran; what follows up to the next report is incomplete.
  public static let dropped: UInt16 = 3
}

/// The code of an absolute axis; numbers and names from linux/input-event-codes.h.
public struct AxisCode: RawRepresentable, Hashable, Comparable, Sendable {
  /// The kernel's number, 0...0x3f.
  public var rawValue: UInt16

  /// Makes an axis from the kernel's number.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The lower code first.
  @inlinable
  public static func < (a: AxisCode, b: AxisCode) -> Bool { a.rawValue < b.rawValue }

  /// ABS_X
  public static let x = AxisCode(rawValue: 0x00)
  /// ABS_Y
  public static let y = AxisCode(rawValue: 0x01)
  /// ABS_HAT0X
  public static let hat0X = AxisCode(rawValue: 0x10)
  /// ABS_HAT0Y
  public static let hat0Y = AxisCode(rawValue: 0x11)
  /// ABS_HAT1X
  public static let hat1X = AxisCode(rawValue: 0x12)
  /// ABS_HAT1Y
  public static let hat1Y = AxisCode(rawValue: 0x13)
  /// ABS_PRESSURE
  public static let pressure = AxisCode(rawValue: 0x18)
  /// ABS_MT_SLOT
  public static let slot = AxisCode(rawValue: 0x2f)
  /// The longer axis of a contact (ABS_MT_TOUCH_MAJOR).
  public static let touchMajor = AxisCode(rawValue: 0x30)
  /// ABS_MT_POSITION_X
  public static let multitouchX = AxisCode(rawValue: 0x35)
  /// ABS_MT_POSITION_Y
  public static let multitouchY = AxisCode(rawValue: 0x36)
  /// ABS_MT_TRACKING_ID
  public static let trackingID = AxisCode(rawValue: 0x39)
  /// ABS_MT_PRESSURE
  public static let multitouchPressure = AxisCode(rawValue: 0x3a)

  /// Whether the axis describes one of several contacts (ABS_MT_TOUCH_MAJOR to ABS_MT_TOOL_Y).
  @inlinable
  public var isMultitouch: Bool { (0x30...0x3d).contains(rawValue) }
}

/// The code of a key or button; numbers and names from linux/input-event-codes.h.
public struct KeyCode: RawRepresentable, Hashable, Comparable, Sendable {
  /// The kernel's number, 0...0x2ff.
  public var rawValue: UInt16

  /// Makes a key from the kernel's number.
  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The lower code first.
  @inlinable
  public static func < (a: KeyCode, b: KeyCode) -> Bool { a.rawValue < b.rawValue }

  /// BTN_TOOL_PEN
  public static let toolPen = KeyCode(rawValue: 0x140)
  /// BTN_TOOL_FINGER
  public static let toolFinger = KeyCode(rawValue: 0x145)
  /// BTN_TOUCH
  public static let touch = KeyCode(rawValue: 0x14a)
}
