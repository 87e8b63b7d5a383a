import Recordings

/// The bound: an oracle that knows the source, but neither the dead time nor the drip of the dose, nor how the flow
/// fluctuates after the stop.
struct OracleDoser: Doser {
  private let condition: DoseCondition
  private var plant: DosePlant?
  private var target = Double.infinity
  private var began = Double.infinity
  private var stopped: Double?
  /// The error of the estimated mass, in standard deviations.
  private var error = 0.0

  private static let step = 0.002
  /// How long the load rests before a dose, in seconds.
  private static let rest = 3.2

  init(_ condition: DoseCondition) { self.condition = condition }

  var isDone: Bool { stopped != nil }

  /// Shows it the source of the next dose.
  mutating func see(_ plant: DosePlant, seed: UInt64) {
    self.plant = plant
    var random = SplitMix64(seed: seed)
    error = random.gaussian()
  }

  mutating func aim(at target: Double, at time: Double) { (self.target, began, stopped) = (target, .infinity, nil) }

  mutating func begin(at time: Double) {
    began = time
    plant?.switchOn(at: time)
  }

  mutating func advance(to time: Double) -> (command: PlantCommand, time: Double)? {
    guard let plant, stopped == nil, began < time else { return nil }
    for moment in stride(from: max(time - 1 / condition.rate, began), to: time, by: Self.step)
    where predicted(plant, at: moment) >= target {
      stopped = moment
      return (.stop, moment)
    }
    return nil
  }

  mutating func process(_ sample: DoseSample) -> PlantCommand? { nil }

  /// The mass that it expects in the end if it stops now.
  private func predicted(_ plant: DosePlant, at time: Double) -> Double {
    let running = plant.runningTime(at: time)
    let later = running + condition.deadTime - max(began + plant.deadTime - time, 0)
    guard later > 0 else { return 0 }
    // A line through n samples is known at its end to 2 / √n of their noise; averaged noise counts half of them.
    let samples = max(running * condition.rate, 1) / (condition.isAveraged ? 2 : 1)
    let rest = Self.rest * condition.rate / (condition.isAveraged ? 2 : 1)
    let spread = condition.noise * (min(4 / samples, 1) + 1 / rest).squareRoot()
    let source = plant.source
    return source.mass(after: running) + spread * error + source.trend(after: later) - source.trend(after: running)
      + source.flow(after: later) * source.meanDrip + source.meanClump
  }
}
