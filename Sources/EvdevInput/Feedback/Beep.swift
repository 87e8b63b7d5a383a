import Weighing

/// A short sound. Its values are design decisions: clearly audible from a small buzzer, and an octave apart.
struct Beep {
  /// The pitch in hertz.
  let hertz: Int32
  /// The duration.
  let length: Interval

  /// The sound of a feedback; `nil` for a silent one.
  init?(_ feedback: Feedback) {
    switch feedback {
    case .selected: (hertz, length) = (1000, .milliseconds(60))
    case .confirmed: (hertz, length) = (2000, .milliseconds(120))
    case .reached: (hertz, length) = (1500, .milliseconds(400))
    // A client that asks must not be able to make a noise.
    case .ended, .asking: return nil
    }
  }
}
