import CLinux
import Weighing

/// The means of feedback of a device.
struct FeedbackMeans: Hashable, Sendable {
  /// A sound it supports.
  enum Sound: Hashable, Sendable {
    /// Of any pitch (SND_TONE).
    case tone
    /// Of fixed pitch (SND_BELL).
    case bell
  }

  /// A vibration it supports.
  enum Shake: Hashable, Sendable {
    /// The click of a touchpad with a haptic actuator (FF_HAPTIC), the only effect such a pad offers in evdev; since
    /// Linux 6.18 (drivers/hid/hid-haptic.c), for pads that report grams.
    case click
    /// The motors of a gamepad (FF_RUMBLE).
    case rumble
  }

  /// The light's code (LED_MISC ...).
  var light: UInt16?
  /// The sound.
  var sound: Sound?
  /// The vibration.
  var shake: Shake?

  /// Selects the best means of a device.
  init(_ device: PadDescription) {
    let lights = device.otherCodes[.led] ?? []
    light = Self.lights.first(where: lights.contains) ?? lights.min()
    let sounds = device.otherCodes[.sound] ?? []
    sound = sounds.contains(UInt16(SND_TONE)) ? .tone : sounds.contains(UInt16(SND_BELL)) ? .bell : nil
    let effects = device.otherCodes[.forceFeedback] ?? []
    shake = effects.contains(Self.haptic) ? .click : effects.contains(UInt16(FF_RUMBLE)) ? .rumble : nil
  }

  /// Whether the device has no means of feedback.
  var isEmpty: Bool { light == nil && sound == nil && shake == nil }

  /// FF_HAPTIC of linux/input.h since 6.18; older headers do not define it.
  static let haptic: UInt16 = 0x4f

  /// WAVEFORM_CLICK of HID's haptics page (HID Usage Tables 1.4, 23); WAVEFORM_PRESS would end the pad's own clicks.
  static let clickUsage: UInt16 = 0x1003

  /// In order of preference: first LEDs without another meaning, the lock LEDs of a keyboard last.
  private static let lights = [
    LED_MISC, LED_MAIL, LED_SUSPEND, LED_SLEEP, LED_CHARGING, LED_MUTE, LED_COMPOSE, LED_KANA, LED_SCROLLL, LED_CAPSL,
    LED_NUML,
  ].map { UInt16($0) }
}
