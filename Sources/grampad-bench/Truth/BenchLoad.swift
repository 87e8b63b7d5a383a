import Recordings
import Weighing

/// What happens to the load in a trial, and when it is at rest.
struct BenchLoad {
  enum Kind: String, CaseIterable {
    /// Put down by a hand within 60...300 ms.
    case step
    /// Put down slowly, within 1...3 s.
    case ramp
    /// A cup of 50 g into which 1 g/s drips.
    case drip
    /// Stirred in with up to 8 g, after it lay still for a second.
    case stirring
    /// Put down on a table that shakes with 2 g at 13...23 Hz.
    case vibration
  }

  var kind: Kind
  var script: LoadScript
  var mass: Double
  /// Since when the load lies still for good, from the start of the script.
  var rest: Interval
  /// While this lasts the load is shaken or dripped into.
  var disturbance: ClosedRange<Interval>?
  var end: Interval

  init(_ kind: Kind, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var script = LoadScript()
    self.kind = kind
    mass = 10 + 340 * random.unit()
    // Apart from the pad's own raster of samples.
    let start = Interval.seconds(0.1 + 0.05 * random.unit())
    switch kind {
    case .step, .ramp:
      let hand = Interval.seconds(kind == .step ? 0.06 + 0.24 * random.unit() : 1 + 2 * random.unit())
      script.place(Grams(mass), at: start, over: hand, speed: 0)
      rest = start + hand
    case .drip:
      mass = 58
      let cup = script.place(Grams(50), at: start, over: .milliseconds(150), speed: 0)
      script.drip(1, into: cup, at: .seconds(2), for: .seconds(8))
      rest = .seconds(10)
      disturbance = .seconds(4)...(.seconds(10))
    case .stirring:
      let cup = script.place(Grams(mass), at: start, over: .milliseconds(150), speed: 0)
      script.stir(cup, at: .seconds(1.3), for: .seconds(3), amplitude: Grams(8), frequency: 1.5 + 2.5 * random.unit())
      rest = .seconds(4.3)
      disturbance = .seconds(1.5)...(.seconds(4.1))
    case .vibration:
      let cup = script.place(Grams(mass), at: start, over: .milliseconds(150), speed: 0)
      script.stir(cup, at: start, for: .seconds(4), amplitude: Grams(2), frequency: 13 + 10 * random.unit())
      rest = start + .seconds(4)
      disturbance = start + .seconds(1)...start + .seconds(3)
    }
    end = rest + .seconds(3)
    self.script = script
  }
}
