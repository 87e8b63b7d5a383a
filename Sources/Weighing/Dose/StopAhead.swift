/// Stops once ahead of a target, and learns from what arrives after that.
///
/// ```
///               the load will have reached the target           at rest, touched, or 10 s later
///   ┌──────────┐ ──────────────────────────────────► ┌──────────┐ ─────────────────────────────► ┌──────┐
///   │ watching │                                     │ settling │                                │ over │
///   └──────────┘                                     └──────────┘                                └──────┘
///       ▲                                           net back at zero                                   │
///       └──────────────────────────────────────────────────────────────────────────────────────────────┘
/// ```
struct StopAhead: Sendable {
  /// The moment of a stop.
  struct Stop: Sendable {
    var time: Instant
    /// The load at that moment and the mass that was expected to arrive, in grams; the flow in grams per second.
    var mass: Double
    var arriving: Double
    var flow: Double
    /// Whether the load was pressed or changed by hand since, so that nothing can be learned.
    var isTouched = false
    /// Since when it has been at rest.
    var restBegan: Instant?
  }

  enum Phase: Sendable {
    case watching
    case settling(Stop)
    case over
  }

  /// What is known of the scale at a moment.
  struct Scale {
    var now: Instant
    /// The load under a net of zero, in grams.
    var base: Double
    /// The net at rest; `nil` while it is not certain.
    var net: Grams?
    /// Whether nothing flows.
    var isAtRest: Bool
    var isAtZero: Bool
    /// Whether a press hides the load.
    var isPressed: Bool
    /// The time between two samples.
    var period: Interval
  }

  /// What has happened.
  enum Outcome {
    case stopped(Stop)
    /// The result and what it teaches; `nil` for nothing that is certain.
    case rested(Grams?, LearnedStop.Sample?)
  }

  let target: Target
  let label: String
  /// Whether a load beyond the target stops it, however it came there.
  let isDose: Bool
  private(set) var phase = Phase.watching
  private(set) var predictor: StopPredictor
  /// When the load will have reached the target after the dead time.
  private var due: Instant?
  private var seen = (generation: -1, count: 0)
  /// The heaviest load since the start, from which a loss counts; that of a dose is known from its start on.
  private var peak: Double
  /// Whether the prediction was below the target since the load last jumped, and how often it had jumped then.
  private var wasBelow = false
  private var jumps = 0

  /// How long after a stop the load may take to come to rest, and how long it rests until the result counts: drips fall
  /// once a second. Chosen.
  static let settling = Interval.seconds(10)
  private static let rest = Interval.milliseconds(1200)
  /// For how long after the newest sample a line is extended; at least two sample periods.
  private static let reach = Interval.milliseconds(150)
  /// A load that loses more than this, in grams, and than six standard deviations was lifted.
  private static let loss = 2.0

  /// Watches a target.
  ///
  /// - Parameter load: The load at the start of a dose; `nil` for a target by itself.
  init(_ target: Target, label: String, learned: LearnedStop?, deadTime: Interval, load: Grams?, isReached: Bool) {
    (self.target, self.label, isDose) = (target, label, load != nil)
    peak = load?.value ?? -.infinity
    predictor = StopPredictor(deadTime: deadTime, learned: learned, target: target.mass)
    if isReached { phase = .over }
  }

  /// Uses what was learned since.
  mutating func relearn(_ learned: LearnedStop?, deadTime: Interval) {
    predictor = StopPredictor(deadTime: deadTime, learned: learned, target: target.mass)
    seen = (-1, 0)
  }

  /// When it has something to do if no frame arrives before.
  var deadline: Instant? {
    switch phase {
    case .watching: due
    case .settling(let stop):
      min(stop.time + Self.settling, stop.restBegan.map { $0 + Self.rest } ?? stop.time + Self.settling)
    case .over: nil
    }
  }

  /// Whether the load has lost more than noise.
  var isLifted: Bool {
    guard let recent = predictor.recent, let newest = predictor.newest else { return false }
    let noise = (newest.variance / newest.weight).squareRoot()
    return recent.high < peak - max(Self.loss, 6 * noise)
  }

  /// The load is not known.
  mutating func interrupt() {
    due = nil
    if case .settling = phase { phase = .over }
  }

  /// Ends it without an event.
  mutating func end() { (phase, due) = (.over, nil) }

  /// Stops now, for another reason than the load.
  mutating func stop(base: Double, at now: Instant) {
    let estimate = predictor.estimate(at: now)
    let mass = estimate?.mass ?? predictor.newest?.mass ?? base
    phase = .settling(
      Stop(time: now, mass: mass, arriving: estimate?.arriving ?? 0, flow: estimate?.flow ?? 0))
    due = nil
  }

  // MARK: Samples

  /// Passes the new blocks of the flow meter to the predictor.
  mutating func observe(_ meter: FlowMeter, _ scale: Scale) {
    let history = meter.history
    if seen.generation != history.generation {
      if seen.generation >= 0 { predictor.restart() }
      seen = (history.generation, seen.generation < 0 ? history.count : 0)
    }
    defer { seen.count = history.count }
    if scale.isPressed { return }
    var index = max(seen.count, history.oldest)
    guard index < history.count else { return }
    while index < history.count {
      let line = history.line(from: index, to: index + 1)
      predictor.append(
        StopPredictor.Block(
          time: history.origin + .seconds(line.time), mass: line.mass, weight: line.weight,
          variance: meter.quietVariance), isStill: meter.rate == 0)
      index += 1
    }
    if let recent = predictor.recent { peak = max(peak, recent.low) }
  }

  /// Evaluates the load; returns what has happened.
  mutating func evaluate(_ scale: Scale) -> Outcome? {
    switch phase {
    case .watching:
      let mass = target.mass.value + scale.base
      let isBeyond = isDose && (predictor.recent?.low ?? -.infinity) >= mass
      due = predictor.stop(at: mass, fastest: isDose ? .infinity : Output.usualMaximumFlow)
      if jumps != predictor.jumps { (jumps, wasBelow) = (predictor.jumps, false) }
      if let due, let newest = predictor.newest, due > newest.time { wasBelow = true }
      // A load that was put on is no flow that has come to the target.
      if !wasBelow, !isDose { due = nil }
      let limit = max(Self.reach, scale.period * 2)
      // While a press hides the load of a dose, or samples are missing, the flow is assumed to go on.
      if !isDose, let newest = predictor.newest?.time, let time = due, time > newest + limit {
        due = nil
      }
      guard isBeyond || due.map({ $0 <= scale.now }) ?? false else { return nil }
      stop(base: scale.base, at: scale.now)
      if case .settling(let stop) = phase { return .stopped(stop) }
      return nil
    case .settling(var stop):
      if scale.isPressed || isLifted || jumps != predictor.jumps { stop.isTouched = true }
      if !scale.isAtRest || scale.isPressed {
        stop.restBegan = nil
      } else if stop.restBegan == nil {
        stop.restBegan = scale.now
      }
      phase = .settling(stop)
      let isRested = stop.restBegan.map { $0 + Self.rest <= scale.now } ?? false
      guard isRested || stop.time + Self.settling <= scale.now || isLifted else { return nil }
      end()
      return result(of: stop, isRested: isRested, scale)
    case .over:
      if scale.isAtZero, !isDose {
        phase = .watching
        peak = -.infinity
        predictor.restart()
      }
      return nil
    }
  }

  private func result(of stop: Stop, isRested: Bool, _ scale: Scale) -> Outcome {
    // The mean of a load that has just come to rest, or not yet, would include the flow.
    guard isRested, !isLifted, let mass = predictor.mean(over: Self.rest.seconds)?.mass else {
      return .rested(scale.isAtRest && !isLifted ? scale.net : nil, nil)
    }
    let sample = LearnedStop.Sample(flow: stop.flow, arrived: Grams(mass - stop.mass))
    return .rested(
      scale.net ?? Grams(mass - scale.base), !stop.isTouched && LearnedStops.isPlausible(sample) ? sample : nil)
  }
}
