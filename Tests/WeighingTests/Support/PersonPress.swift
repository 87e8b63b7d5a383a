import Recordings

/// A press by a person on a plate: the force rises, trembles and falls. Times in seconds, forces in grams.
struct PersonPress {
  /// How the force varies while the finger presses, by 8 %.
  enum Tremor: CaseIterable {
    /// A sine of 8 to 12 Hz.
    case regular
    /// A normal distribution, independent from sample to sample.
    case random
    /// A first-order process with a time constant of 0.25 s.
    case slow
    /// Not at all.
    case absent
  }

  /// When the force begins to rise.
  var start: Double
  /// The time from then until the force is gone.
  var length: Double
  /// The mean force.
  var force: Double
  /// The times in which the force rises and falls.
  var rise: Double
  var fall: Double

  /// When the force is gone.
  var end: Double { start + length }

  /// Makes a press of any force that fills the ring.
  init(at start: Double, for length: Double, using random: inout SplitMix64) {
    self.start = start
    self.length = length
    force = .random(in: 195...260, using: &random)
    rise = .random(in: 0.08...0.2, using: &random)
    fall = .random(in: 0.05...0.15, using: &random)
  }

  /// The force without tremor.
  func force(at time: Double) -> Double {
    guard time > start, time < end else { return 0 }
    return force * min(Self.eased((time - start) / rise), Self.eased((end - time) / fall))
  }

  private static func eased(_ part: Double) -> Double {
    let part = min(max(part, 0), 1)
    return part * part * (3 - 2 * part)
  }
}

/// The variation of a force as a share of it.
struct TremorSource {
  private let tremor: PersonPress.Tremor
  private let frequency: Double
  private let phase: Double
  private var slow: Double
  private var last = 0.0

  private static let share = 0.08

  init(_ tremor: PersonPress.Tremor, using random: inout SplitMix64) {
    self.tremor = tremor
    frequency = .random(in: 8...12, using: &random)
    phase = random.unit()
    slow = random.gaussian()
  }

  /// The variation at a moment that is not before the last one.
  mutating func next(at time: Double, using random: inout SplitMix64) -> Double {
    defer { last = time }
    switch tremor {
    case .absent: return 0
    case .random: return Self.share * random.gaussian()
    case .slow:
      let kept = max(1 - (time - last) / 0.25, 0)
      slow = kept * slow + (1 - kept * kept).squareRoot() * random.gaussian()
      return Self.share * slow
    case .regular:
      // Two parabolas are a sine within 6 %.
      let turn = (frequency * time + phase).truncatingRemainder(dividingBy: 1)
      return Self.share * (turn < 0.5 ? 16 * turn * (0.5 - turn) : -16 * (turn - 0.5) * (1 - turn))
    }
  }
}
