import Weighing

/// Lines that a client gets without asking for each of them: `SIR` and `SR`.
enum SICSStream: Sendable {
  case none
  case repeated(next: Instant)
  /// The last net at rest, `nil` until there is one, and whether the next net at rest is due.
  case onChange(leastGrams: Double?, last: DisplayedMass?, awaitsRest: Bool)

  /// The time between two lines of `SIR`.
  private static let repetition = Interval.milliseconds(100)

  /// Whether it depends on new readings.
  var needsReadings: Bool { if case .onChange = self { true } else { false } }

  /// When the next line is due; `nil` if that depends on readings.
  var nextDeadline: Instant? { if case .repeated(let next) = self { next } else { nil } }

  /// The line that is due now.
  mutating func line(_ reading: Reading?, at now: Instant) -> String? {
    switch self {
    case .none: return nil
    case .repeated(let next):
      guard now >= next else { return nil }
      self = .repeated(next: max(next + Self.repetition, now))
      return SICSAnswer.weight(reading)
    case .onChange(let grams, let last, let awaitsRest):
      guard let reading else { return nil }
      guard let net = reading.net else {
        guard reading.isOverloaded, !awaitsRest else { return nil }
        // Once, and then the next net at rest: the last one is not on the pad any more.
        self = .onChange(leastGrams: grams, last: last, awaitsRest: true)
        return SICSAnswer.weight(reading)
      }
      if awaitsRest, reading.isAtRest, !reading.isUnderloaded {
        self = .onChange(leastGrams: grams, last: net, awaitsRest: false)
        return SICSAnswer.weight(reading)
      }
      guard !awaitsRest, let last, (net.mass - last.mass).magnitude.value >= Self.change(grams, last) else {
        return nil
      }
      self = .onChange(
        leastGrams: grams, last: reading.isAtRest ? net : last, awaitsRest: !reading.isAtRest)
      return SICSAnswer.weight(reading)
    }
  }

  /// The least change that `SR` sends: an eighth of the last net, at least 30 divisions (reference, `SR`).
  private static func change(_ grams: Double?, _ last: DisplayedMass) -> Double {
    grams ?? max(last.mass.magnitude.value / 8, 30 * last.division.step.value)
  }
}
