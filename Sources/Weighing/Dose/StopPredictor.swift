/// Predicts what the load will be after the dead time of a stop: its mass now, and what flows in that time.
///
/// Both come from filters with several assumptions about the flow: a steady flow is a line through its last seconds then, lumps and
/// pulses are averaged over, and a flow that fades is followed.
///
/// The bound: on a steady flow, noise of `σ` in `n` samples during `T` seconds leaves a standard deviation of
/// `σ √(4 / n) (1 + 1.5 D / T)`, to which the flow times the spread of the dead time `D` adds. For 2 g/s, D = 0.3 s, 0.03 g, ten
/// samples a second and T = 3 s, noise leaves 0.013 g at least, and 0.017 g after these filters.
struct StopPredictor: Sendable {
  private var history = FlowHistory()
  /// The first block of the flow; `nil` while nothing flows.
  private var start: Int?
  private var filters: FlowFilters?
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
    history.append(weight: block.weight, centre: block.time, mass: block.mass, begin: block.time)
    (previous, newest) = (newest, block)
    if !isStill {
      restBegan = nil
      if start == nil { start = index(at: seconds(block.time) - Self.delay) }
    } else if let restBegan {
      if block.time - restBegan >= Self.rest { (start, filters) = (nil, nil) }
    } else {
      restBegan = block.time
    }
    follow(block)
  }

  /// Passes a block to the filters; when the flow has just been noticed, also those since its start.
  private mutating func follow(_ block: Block) {
    guard let start else { return }
    for index in (filters == nil ? max(start, history.oldest) : history.count - 1)..<history.count {
      let line = history.line(from: index, to: index + 1)
      let (time, variance) = (history.origin + .seconds(line.time), block.variance / line.weight)
      filters?.observe(line.mass, variance: variance, at: time)
      if filters == nil {
        filters = FlowFilters(mass: line.mass, variance: variance, usualFlow: learned?.usualFlow?.mean, at: time)
      }
    }
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

  // MARK: Prediction

  /// The load at a moment; `nil` while no flow is known.
  func estimate(at now: Instant) -> Estimate? {
    guard let newest, jumped.map({ newest.time >= $0 + Self.patience }) ?? true else { return nil }
    guard let start, let filters, history.count - start >= Self.fewestBlocks,
      seconds(newest.time) - history.begin(of: max(start, history.oldest)) >= Self.shortest
    else { return nil }
    let forecast = filters.forecast(from: now, during: deadTime)
    let flow = combined(forecast.rise / deadTime, forecast.variance / (deadTime * deadTime))
    return Estimate(mass: forecast.mass, slope: forecast.flow, flow: flow, arriving: arriving(flow))
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
