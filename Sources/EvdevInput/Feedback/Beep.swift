import Weighing

/// A short sound. Its numbers are decisions: well heard from a small buzzer, and an octave apart.
struct Beep {
  /// Its pitch.
  let hertz: Int32
  /// How long it sounds.
  let length: Interval

  /// That of a feedback; `nil` for one that is silent.
  init?(_ feedback: Feedback) {
    switch feedback {
    case .selected: (hertz, length) = (1000, .milliseconds(60))
    case .confirmed: (hertz, length) = (2000, .milliseconds(120))
    case .ended: return nil
    }
  }
}
