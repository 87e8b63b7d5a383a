/// Predicts what the load will be after the dead time of a stop.
///
/// The model is a line through the last samples: `load(now) + flow × dead time`. How many samples is decided by what the last
/// seconds show. Each window (a time for the level, one for the slope) states its variance from the noise; and each is tested
/// with every new block on what it would have predicted a dead time ago. A window that was wrong by more than noise explains has
/// that excess as a variance, too. The window with the least sum predicts: a long one on a steady flow, the mean of many pulses
/// for a flow that pulses, a short one for a flow that fades.
///
/// The bound: on a steady flow the standard deviation of the result is `σ √(4 / n) (1 + 1.5 D / T)` for `n` samples of the noise
/// `σ` in `T` seconds, together with the flow times the spread of the dead time `D`: 0.02 g for 2 g/s, D = 0.3 s, 0.03 g, ten
/// samples a second and T = 3 s.
struct StopPredictor: Sendable {
  /// The seconds of the level and of the slope of a prediction.
  private struct Window: Sendable {
    var level: Double
    var slope: Double
  }

  private static let windows = [0.5, 1, 2, 4, 8].flatMap { slope in
    [Window(level: slope, slope: slope)] + (slope > 0.5 ? [Window(level: 0.25, slope: slope)] : [])
  }

  private var history = FlowHistory()
  /// The mean squared error of the tests of each window, and what noise explains of it.
  private var errors = [(error: Double, noise: Double, count: Double)](repeating: (0, 0, 0), count: windows.count)
  /// The first block of the flow; `nil` while nothing flows.
  private var start: Int?
  private var chosen = windows.count - 1
  /// The newest block and the one before it.
  private(set) var newest: Block?
  private var previous: Block?
  /// A block far from the flow, until the next one shows whether it is a single one.
  private var held: Block?
  /// How often the load was another one, or was touched.
  private(set) var jumps = 0
  /// When it last jumped.
  private var jumped: Instant?
  private var restBegan: Instant?
  private let deadTime: Double
  private let learned: LearnedStop?
  private let defaultDeadTime: Double
  private let target: Double

  /// The fewest blocks and seconds of a line.
  private static let fewestBlocks = 4
  private static let shortest = 0.3
  /// A block further from the flow than this many standard deviations, and than the mass of this many seconds of flow and a
  /// gram, is a single wrong one or a jump. A stream arrives in lumps.
  private static let wrong = 6.0
  private static let lump = 0.3
  /// A jump by more grams than this is another load or a hand, after which a flow has to show itself again.
  private static let otherLoad = 4.0
  /// How long, in seconds, a flow has lasted at least when the flow meter no longer knows that nothing flows.
  private static let delay = 0.25
  /// How long after a jump a hand may move the load.
  private static let patience = Interval.milliseconds(600)
  /// How many tests a window remembers.
  private static let memory = 24.0
  /// The flow rests after this time without one.
  private static let rest = Interval.seconds(1)
  /// The largest correction of the default dead time, as a fraction of the target.
  private static let largestCorrection = 0.2

  /// Makes a predictor.
  ///
  /// - Parameters:
  ///   - deadTime: The dead time until one is learned.
  ///   - target: The mass that is dosed.
  init(deadTime: Interval, learned: LearnedStop?, target: Grams) {
    defaultDeadTime = deadTime.seconds
    self.learned = learned
    self.deadTime = max(learned?.deadTime ?? deadTime.seconds, 0.05)
    self.target = target.value
  }

  /// The load is another one.
  mutating func restart() { self = StopPredictor(copyOf: self) }

  private init(copyOf other: StopPredictor) {
    (deadTime, learned, defaultDeadTime) = (other.deadTime, other.learned, other.defaultDeadTime)
    (target, jumps, jumped) = (other.target, other.jumps + 1, other.jumped)
  }

  // MARK: Samples

  /// Appends a block of samples.
  ///
  /// - Parameter isStill: Whether the flow meter knows that nothing flows.
  mutating func append(_ block: Block, isStill: Bool) {
    let (distance, limit) = self.distance(of: block)
    guard distance.magnitude > limit else {
      held = nil
      return accept(block, isStill: isStill)
    }
    guard let first = held, (self.distance(of: first).distance > 0) == (distance > 0) else {
      held = block
      return
    }
    held = nil
    if distance.magnitude > max(Self.otherLoad, limit) {
      restart()
      jumped = block.time
    } else {
      accept(first, isStill: false)
    }
    accept(block, isStill: false)
    previous = first
  }

  /// How far a block is from the one before it and the flow between them, and how far it may be.
  private func distance(of block: Block) -> (distance: Double, limit: Double) {
    guard let newest else { return (0, 0) }
    // A flow may end at any moment, or become twice as fast.
    var slope = max(estimate(at: newest.time)?.slope ?? learned?.usualFlow?.mean ?? 0, 0)
    if history.count < 3 * Self.fewestBlocks, let previous, previous.time < newest.time {
      slope = max(slope, (newest.mass - previous.mass) / (newest.time - previous.time).seconds)
    }
    let growth = min(max(block.mass - newest.mass, 0), 2 * slope * (block.time - newest.time).seconds)
    let noise = (block.variance / block.weight + newest.variance / newest.weight).squareRoot()
    return (block.mass - newest.mass - growth, max(Self.wrong * noise, Self.lump * slope + 1))
  }

  private mutating func accept(_ block: Block, isStill: Bool) {
    test(block)
    history.append(weight: block.weight, centre: block.time, mass: block.mass, begin: block.time)
    (previous, newest) = (newest, block)
    if !isStill {
      restBegan = nil
      if start == nil { start = index(at: seconds(block.time) - Self.delay) }
    } else if let restBegan {
      if block.time - restBegan >= Self.rest { endFlow() }
    } else {
      restBegan = block.time
    }
    choose(block)
  }

  private mutating func endFlow() {
    start = nil
    for index in errors.indices { errors[index] = (0, 0, 0) }
  }

  /// Tests each window on a new block.
  private mutating func test(_ block: Block) {
    guard let start else { return }
    let time = seconds(block.time)
    let end = index(at: time - deadTime)
    guard end - start >= Self.fewestBlocks, end < history.count else { return }
    for index in Self.windows.indices {
      guard let (mass, _, variance) = predict(Self.windows[index], to: end, at: time, block.variance) else { continue }
      let error = (block.mass - mass) * (block.mass - mass)
      let share = 1 / min(errors[index].count + 1, Self.memory)
      errors[index].error += share * (error - errors[index].error)
      errors[index].noise += share * (variance + block.variance / block.weight - errors[index].noise)
      errors[index].count += 1
    }
  }

  /// Chooses the window with the least variance.
  private mutating func choose(_ block: Block) {
    var least = Double.infinity
    let time = seconds(block.time) + deadTime
    for index in Self.windows.indices {
      guard let (_, _, variance) = predict(Self.windows[index], to: history.count, at: time, block.variance) else {
        continue
      }
      let sum = variance + misfit(index)
      if sum < least { (least, chosen) = (sum, index) }
    }
  }

  /// The variance of a window beyond noise, if chance does not explain it.
  private func misfit(_ index: Int) -> Double {
    let (error, noise, count) = errors[index]
    guard count > 0 else { return 0 }
    // A test shares most of its samples with the one before: about a quarter of them are independent.
    let chance = 2 * (2 / max(min(count, Self.memory) / 4, 1)).squareRoot()
    return error > noise * (1 + chance) ? error - noise : 0
  }

  // MARK: Lines

  private func seconds(_ time: Instant) -> Double { (time - history.origin).seconds }

  /// The first block that begins at a time or later.
  private func index(at time: Double) -> Int {
    var (low, high) = (history.oldest, history.count)
    while low < high {
      let middle = (low + high) / 2
      if history.begin(of: middle) < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The load at a time, its slope and the variance of the load, from the blocks before one; `nil` for too few.
  private func predict(_ window: Window, to end: Int, at time: Double, _ variance: Double)
    -> (mass: Double, slope: Double, variance: Double)?
  {
    guard let start, end > history.oldest + 1 else { return nil }
    let newest = history.begin(of: end - 1)
    let first = max(index(at: newest - window.slope), start, history.oldest)
    guard end - first >= Self.fewestBlocks, newest - history.begin(of: first) >= Self.shortest - 0.05 else {
      return nil
    }
    let line = history.line(from: first, to: end)
    guard line.timeTime > 0 else { return nil }
    let level =
      window.level == window.slope
      ? line : history.line(from: max(index(at: newest - window.level), first), to: end)
    let distance = time - level.time
    return (
      level.mass + line.slope * distance, line.slope,
      variance * (1 / level.weight + distance * distance / line.timeTime)
    )
  }

  // MARK: Prediction

  /// The load at a moment; `nil` while no flow is known.
  func estimate(at now: Instant) -> Estimate? {
    guard let newest, jumped.map({ newest.time >= $0 + Self.patience }) ?? true else { return nil }
    let time = seconds(now)
    guard let (mass, slope, variance) = predict(Self.windows[chosen], to: history.count, at: time, newest.variance),
      let later = predict(Self.windows[chosen], to: history.count, at: time + deadTime, newest.variance)
    else { return nil }
    // The variance of the mean flow during the dead time.
    let flow = combined(slope, (max(later.variance - variance, 0) + misfit(chosen)) / (deadTime * deadTime))
    return Estimate(mass: mass, slope: slope, flow: flow, arriving: arriving(flow))
  }

  /// The measured flow and that of earlier doses, each with the weight of its certainty; a flow that differs counts alone.
  private func combined(_ flow: Double, _ variance: Double) -> Double {
    guard let earlier = learned?.usualFlow else { return flow }
    let other = earlier.deviation * earlier.deviation
    let distance = flow - earlier.mean
    guard distance * distance < 9 * (variance + other), variance + other > 0 else { return flow }
    return (flow * other + earlier.mean * variance) / (variance + other)
  }

  /// The mass that arrives after a stop: that of the default dead time, corrected by at most a fifth of the target.
  private func arriving(_ flow: Double) -> Double {
    let flow = max(flow, 0)
    let correction = ((learned?.deadTime ?? defaultDeadTime) - defaultDeadTime) * flow
    let limit = Self.largestCorrection * target
    return max(defaultDeadTime * flow + min(max(correction, -limit), limit), 0)
  }

  /// The lighter and the heavier one of the newest two blocks; `nil` without them.
  var recent: (low: Double, high: Double)? {
    guard let newest, let previous else { return nil }
    return (min(newest.mass, previous.mass), max(newest.mass, previous.mass))
  }

  /// The slope of the last seconds and its standard deviation; `nil` for too few blocks.
  func slope(over seconds: Double) -> (slope: Double, deviation: Double)? {
    guard let newest else { return nil }
    guard let line = line(over: seconds) else { return nil }
    return (line.slope, line.slopeDeviation(variance: newest.variance))
  }

  /// The mean load of the last seconds and its standard deviation; `nil` for too few blocks.
  func mean(over seconds: Double) -> (mass: Double, deviation: Double)? {
    guard let newest, let line = line(over: seconds) else { return nil }
    return (line.mass, (newest.variance / line.weight).squareRoot())
  }

  /// The line through the last seconds, and through a few blocks at least.
  private func line(over seconds: Double) -> FlowLine? {
    guard let newest, history.count - history.oldest >= Self.fewestBlocks else { return nil }
    let first = min(index(at: self.seconds(newest.time) - seconds), history.count - Self.fewestBlocks)
    return history.line(from: max(first, history.oldest))
  }

  /// When the load will reach a mass after the dead time; `nil` if it does not rise, or faster than a stream.
  func stop(at mass: Double, fastest: Double) -> Instant? {
    guard let newest, let estimate = estimate(at: newest.time), 0 < estimate.slope, estimate.slope <= fastest else {
      return nil
    }
    let missing = mass - estimate.mass - estimate.arriving
    guard missing > 0 else { return newest.time }
    let wait = missing / estimate.slope
    return wait < 3600 ? newest.time + .seconds(wait) : nil
  }
}
