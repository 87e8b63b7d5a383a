import CLinux
import Glibc
import Linux
import Weighing

/// A device open for writing, and its current light, sound and rumble.
///
/// Events are written without SYN_REPORT: they reach the device immediately, and a report from here could split a frame
/// of the pad. See Documentation/input/input.rst of the kernel.
struct FeedbackDevice: ~Copyable {
  /// When the sound ends; `nil` if there is none.
  private(set) var silence: Instant?

  private let descriptor: Descriptor
  private let path: String
  private var means: FeedbackMeans
  private var isLit = false
  /// The effect ids assigned by the device.
  private var effects: [Feedback: UInt16] = [:]

  /// Takes a writable descriptor.
  init(_ descriptor: consuming Descriptor, path: String, means: FeedbackMeans) {
    self.descriptor = descriptor
    self.path = path
    self.means = means
  }

  /// Starts light, sound and rumble for the state of a press; the light stays on until the press, or the request of a
  /// client, has ended. A target that is reached has no light: it would not go out.
  ///
  /// - Throws: `EvdevError`; a means that failed is not used again, the others are.
  mutating func show(_ feedback: Feedback) throws(EvdevError) {
    switch feedback {
    case .selected, .confirmed:
      try light(true)
      try sound(feedback)
      try shake(feedback)
    case .reached:
      try sound(feedback)
      try shake(feedback)
    case .asking:
      try light(true)
      try quiet()
    case .ended:
      // A failing light must not leave the sound on.
      var failure: EvdevError?
      do throws(EvdevError) { try light(false) } catch { failure = error }
      try quiet()
      if let failure { throw failure }
    }
  }

  /// Ends the sound when it is due.
  mutating func hush() throws(EvdevError) { if let silence, silence <= .now() { try quiet() } }

  private mutating func light(_ on: Bool) throws(EvdevError) {
    guard let code = means.light, isLit != on else { return }
    do throws(EvdevError) {
      try write(.led, code, on ? 1 : 0)
      isLit = on
    } catch {
      means.light = nil
      throw error
    }
  }

  private mutating func sound(_ feedback: Feedback) throws(EvdevError) {
    guard means.sound != nil, let beep = Beep(feedback) else { return }
    try sound(hertz: beep.hertz)
    silence = .now() + beep.length
  }

  private mutating func quiet() throws(EvdevError) {
    guard silence != nil else { return }
    silence = nil
    try sound(hertz: 0)
  }

  /// Starts a sound of a pitch if the device can choose one, or ends it with 0.
  private mutating func sound(hertz: Int32) throws(EvdevError) {
    guard let sound = means.sound else { return }
    do throws(EvdevError) {
      switch sound {
      case .tone: try write(.sound, UInt16(SND_TONE), hertz)
      case .bell: try write(.sound, UInt16(SND_BELL), hertz == 0 ? 0 : 1)
      }
    } catch {
      means.sound = nil
      throw error
    }
  }

  private mutating func shake(_ feedback: Feedback) throws(EvdevError) {
    guard let shake = means.shake, var effect = ff_effect(feedback, shake) else { return }
    do throws(EvdevError) {
      if effects[feedback] == nil {
        guard ioctl(descriptor.number, grampad_EVIOCSFF, &effect) >= 0 else {
          throw EvdevError(errno: errno, path: path, doing: "uploading the rumble effect")
        }
        effects[feedback] = UInt16(bitPattern: effect.id)
      }
      if let number = effects[feedback] { try write(.forceFeedback, number, 1) }
    } catch {
      means.shake = nil
      throw error
    }
  }

  /// Writes one event. See write(2).
  private func write(_ type: EventType, _ code: UInt16, _ value: Int32) throws(EvdevError) {
    var event = input_event()
    event.type = type.rawValue
    event.code = code
    event.value = value
    let size = MemoryLayout<input_event>.size
    let written = Glibc.write(descriptor.number, &event, size)
    guard written == size else {
      throw EvdevError(errno: written < 0 ? errno : EIO, path: path, doing: "writing an event")
    }
  }
}
