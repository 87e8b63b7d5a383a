import CLinux
import Weighing

extension ff_effect {
  /// A short vibration when a press is hard enough, a stronger one when it is confirmed. Strength and duration are
  /// design decisions.
  init?(_ feedback: Feedback, _ shake: FeedbackMeans.Shake) {
    let isStrong: Bool
    switch feedback {
    case .selected: isStrong = false
    case .confirmed, .reached: isStrong = true
    case .ended, .asking: return nil
    }
    self.init()
    id = -1  // the kernel picks one
    switch shake {
    case .rumble:
      type = UInt16(FF_RUMBLE)
      replay.length = isStrong ? 120 : 50
      u.rumble.weak_magnitude = isStrong ? 0xc000 : 0x6000
      u.rumble.strong_magnitude = isStrong ? 0xc000 : 0
    case .click:
      type = FeedbackMeans.haptic
      // `struct ff_haptic_effect` begins with the HID usage; the intensity in percent is its fourth 16-bit number.
      withUnsafeMutableBytes(of: &u) { bytes in
        bytes.storeBytes(of: FeedbackMeans.clickUsage, toByteOffset: 0, as: UInt16.self)
        bytes.storeBytes(of: isStrong ? 100 : 50, toByteOffset: 6, as: UInt16.self)
      }
    }
  }
}
