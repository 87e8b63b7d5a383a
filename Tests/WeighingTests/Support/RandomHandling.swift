import Recordings

@testable import Weighing

/// What a hand does to a scale without pouring: taps, cups put on and taken off, pushes, and a drift.
struct RandomHandling {
  private var random: SplitMix64
  private var load = 0.0
  private var drift = 0.0

  init(seed: UInt64) { random = SplitMix64(seed: seed &+ 77) }

  /// Handles the scale once and rests.
  mutating func handle(_ scale: inout CellScale) {
    switch random.next() % 5 {
    case 0: push(&scale, force: 5 + 200 * random.unit(), rise: 0.02 + 0.1 * random.unit(), hold: 0.2 * random.unit())
    case 1: push(&scale, force: 5 + 100 * random.unit(), rise: 0.1 + 0.4 * random.unit(), hold: 2 * random.unit())
    case 2: move(&scale, to: 20 + 300 * random.unit(), in: 0.1 + 0.7 * random.unit())
    case 3: move(&scale, to: 0, in: 0.1 + 0.5 * random.unit())
    default: drift = 0.02 * (2 * random.unit() - 1)
    }
    rest(&scale, for: 1 + 5 * random.unit())
  }

  /// Puts another load on, as smoothly as a hand does.
  private mutating func move(_ scale: inout CellScale, to target: Double, in seconds: Double) {
    let (start, begin) = (load, scale.time)
    while scale.time < begin + seconds {
      let share = (scale.time - begin) / seconds
      scale.sample(start + (target - start) * share * share * (3 - 2 * share))
    }
    load = target
  }

  private mutating func push(_ scale: inout CellScale, force: Double, rise: Double, hold: Double) {
    let begin = scale.time
    while scale.time < begin + 2 * rise + hold {
      let time = scale.time - begin
      scale.sample(load + force * max(min(time / rise, 1, (2 * rise + hold - time) / rise), 0))
    }
  }

  private mutating func rest(_ scale: inout CellScale, for seconds: Double) {
    let begin = scale.time
    let start = load
    while scale.time < begin + seconds {
      load = start + drift * (scale.time - begin)
      scale.sample(load)
    }
  }
}
