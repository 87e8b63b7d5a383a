import Recordings

/// A series of doses by one contender.
///
/// Each dose: the vessel is put on the empty plate, rests and is tared, the source is switched on until the contender
/// stops it, the load comes to rest, and the vessel is taken off.
struct DoseRun {
  /// The results less the target in grams, by dose; `nil` for a dose whose source was exhausted before.
  private(set) var errors: [Double?] = []
  /// How long each dose took, from the start of the source to the last command that stops it, in seconds.
  private(set) var durations: [Double] = []
  /// The doses that were never stopped.
  private(set) var missed = 0

  private let condition: DoseCondition
  private var doser: any Doser
  /// The start of the running dose on the clock of the series.
  private var base = 0.0

  private static let vessel = 100.0
  /// The times within a dose, in seconds: the vessel is put down and tared, the target set, the source switched on.
  private static let hand = 0.3
  private static let (placed, tared, aimed, begun) = (1.5, 4.0, 5.0, 5.5)
  /// The empty plate before the first dose.
  private static let lead = 3.0
  /// How long the load rests after the last stop.
  private static let rest = 6.0
  /// How long corrections may take.
  private static let patience = 60.0

  /// Runs a series.
  init(_ condition: DoseCondition, _ doser: any Doser, seed: UInt64) {
    (self.condition, self.doser) = (condition, doser)
    for number in 0..<DoseCondition.doses { dose(number, seed: condition.seed(seed, dose: number)) }
  }

  private mutating func dose(_ number: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let deviation = condition.hasSpread ? min(max(random.gaussian(), -3), 3) : 0
    let deadTime = condition.deadTime * (1 + DoseCondition.deadTimeSpread * deviation)
    var plant = DosePlant(DoseSource(condition, number: number, seed: random.next()), deadTime: deadTime)
    if var oracle = doser as? OracleDoser {
      oracle.see(plant, seed: random.next())
      doser = oracle
    } else {
      _ = random.next()
    }
    var earlier = random.gaussian()
    let shift = number == 0 ? Self.lead : 0
    var steps: [(time: Double, step: Step)] = [
      (shift + Self.tared, .tare), (shift + Self.aimed, .aim), (shift + Self.begun, .begin),
    ]
    let begun = shift + Self.begun
    let limit = begun + (plant.source.exhausted.map { $0 + deadTime + 3 } ?? plant.source.length + Self.patience)
    var resting = (sum: 0.0, count: 0.0)
    var index = 0
    while true {
      let time = Double(index) / condition.rate
      while let next = steps.first, next.time <= time {
        steps.removeFirst()
        perform(next.step, &plant, at: base + next.time)
      }
      if let (command, moment) = doser.advance(to: base + time - 1e-9) { perform(command, &plant, at: moment) }
      let fresh = random.gaussian()
      let error = condition.isAveraged ? (fresh + earlier) / 2.squareRoot() : fresh
      earlier = fresh
      let placed = Self.vessel * min(max((time - shift - Self.placed) / Self.hand, 0), 1)
      let gross = placed + plant.mass(at: base + time) + condition.noise * error
      // The tare of the peers: the mean over the rest before the target is set.
      if time > shift + Self.aimed - 2.5, time < shift + Self.aimed {
        resting = (resting.sum + gross, resting.count + 1)
      }
      let net = gross - resting.sum / max(resting.count, 1)
      if let command = doser.process(DoseSample(time: base + time, gross: gross, net: net)) {
        perform(command, &plant, at: base + time)
      }
      index += 1
      let isOver =
        steps.isEmpty && doser.isDone && plant.isStopped && base + time > plant.stopped + deadTime + Self.rest
      if isOver || time > limit { break }
    }
    let end = base + Double(index) / condition.rate
    if plant.source.exhausted == nil {
      if !plant.isStopped { missed += 1 }
      errors.append(plant.total - condition.target)
      durations.append((plant.isStopped ? plant.stopped : end) - base - begun)
    } else {
      errors.append(nil)
    }
    doser.end(at: end)
    base = end
  }

  private enum Step { case tare, aim, begin }

  private mutating func perform(_ step: Step, _ plant: inout DosePlant, at time: Double) {
    switch step {
    case .tare: doser.tare(at: time)
    case .aim: doser.aim(at: condition.target, at: time)
    case .begin:
      plant.switchOn(at: time)
      doser.begin(at: time)
    }
  }

  private func perform(_ command: PlantCommand, _ plant: inout DosePlant, at time: Double) {
    switch command {
    case .stop: plant.switchOff(at: time)
    case .pulse(let length):
      plant.switchOn(at: time)
      plant.switchOff(at: time + length)
    }
  }
}
