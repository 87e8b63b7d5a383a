/// Measures how fast the load grows or shrinks: the slope of a line through a window that grows while the line explains
/// it.
///
/// ```
///                 a change of slope or a jump: the window restarts there
///        ┌──────────────────────────────────────────────────────────────────┐
///        ▼          old enough                significant slope             │
///   ┌─────────┐ ─────────────────► ┌───────┐ ─────────────────► ┌─────────┐ │
///   │ unknown │                    │ still │                    │ flowing │─┤
///   └─────────┘ ◄───────────┐      └───────┘ ◄───────────────── └─────────┘ │
///     no load, gap, overload└──────────┴───────────────────────────────────-┘
/// ```
///
/// Samples are averaged in blocks (`FlowSampler`), so that the cost of a line does not grow with the rate of the pad. A
/// change of the load is found by its likelihood (`FlowHistory.likeliestChange`). A new movement is unknown
/// until it has lasted: as long as a hand takes to put something down, and longer if it is faster than a pour.
struct FlowMeter: Sendable {
  /// What the meter knows.
  enum Phase: Sendable {
    /// There are too few samples since the load has changed.
    case unknown
    /// The load does not flow.
    case still
    /// The load flows.
    case flowing
  }

  /// How the window began.
  enum Beginning: Sendable {
    /// Nothing is known about the time before it.
    case unknown
    /// A load at rest began to move without a jump.
    case start
    /// A flow changed or ended without a jump.
    case bend
    /// The load jumped.
    case jump
  }

  private var history = FlowHistory()
  /// The first block of the window.
  private var window = 0
  private var beginning = Beginning.unknown
  /// When the window began.
  private var began: Instant?
  /// The first block of the rest before a flow.
  private var restBegan: Int?
  private(set) var phase = Phase.unknown
  /// The flow in grams per second; `nil` while it is unknown.
  private(set) var rate: Double?
  private(set) var pour = PourDetector()

  /// The longest window, in seconds.
  private static let longest = 4.0
  /// How long a movement lasts before it is known: a pour that begins at rest; any other; and one that is faster than a
  /// pour, such as a cup that is put down slowly.
  private static let patienceAtStart = 0.3
  private static let patience = 0.6
  private static let patienceIfSteep = 2.0
  /// The fastest flow that is taken for a pour at once, in grams per second: a kettle pours about 10.
  static let steep = 12.0
  /// A jump by more grams than this is another load, which ends the rest before a flow.
  private static let otherLoad = 1.0
  /// The number of standard deviations from which on a slope is a flow, at rest and in a flow.
  private static let certain = 3.0
  private static let significant = 2.5
  /// The same for three blocks alone.
  private static let evident = 8.0
  /// The likelihood ratios at which a change is certain, at rest, in a flow, and if the slope of the whole window is
  /// certain already.
  private static let ratioAtRest = 18.0
  private static let ratioInFlow = 18.0
  private static let ratioIfCertain = 9.0

  /// Whether nothing flows, as far as is known, and no pour goes on.
  var isSettled: Bool { @inline(__always) get { rate == 0 && pour.state == .none } }

  /// Forgets the load.
  mutating func restart() {
    history.removeAll()
    window = 0
    beginning = .unknown
    began = nil
    restBegan = nil
    phase = .unknown
    rate = nil
    pour.loseLoad()
  }

  /// Appends a block of samples.
  ///
  /// - Parameters:
  ///   - mass: Their mean in grams.
  ///   - noise: The noise of one of them in grams.
  mutating func append(_ block: FlowBlock, mass: Double, noise: SampleNoise) {
    history.append(weight: block.weight, centre: block.centre, mass: mass, begin: block.begin)
    evaluate((mass, block.weight), noise, at: block.end)
  }

  // MARK: Evaluation

  private mutating func evaluate(_ newest: (mass: Double, weight: Double), _ noise: SampleNoise, at now: Instant) {
    let time = (now - history.origin).seconds
    window = max(window, history.oldest)
    while history.begin(of: window) < time - Self.longest, window < history.count - 1 { window += 1 }

    let before = history.line(from: window)
    let variance = noise.variance(inMeanOf: before.weight)
    let isCertain = phase == .still && isSlope(before, variance, over: Self.certain)
    let threshold = phase == .flowing ? Self.ratioInFlow : isCertain ? Self.ratioIfCertain : Self.ratioAtRest
    // While a load rests, two of three blocks are so near their mean that there is nothing to search for.
    let distance = newest.mass - before.mass
    if phase != .still || distance * distance * newest.weight > variance,
      let change = history.likeliestChange(
        from: window, isStill: phase == .still, variance: variance, threshold: threshold), isCredible(change, variance)
    {
      beginWindow(at: change, variance)
    }
    judge(variance, at: time)
    pour.follow(
      PourDetector.Flow(rate: rate, since: window, variance: variance, restBegan: restBegan), history, at: now)
  }

  private func spread(_ line: FlowLine, _ variance: Double) -> Double {
    line.blocks >= 8 ? max(variance, line.residual / Double(line.blocks - 2)) : variance
  }

  private func isSlope(_ line: FlowLine, _ variance: Double, over certainty: Double) -> Bool {
    line.blocks > 2 && line.slope.magnitude > certainty * line.slopeDeviation(variance: spread(line, variance))
  }

  private mutating func beginWindow(at change: FlowChange, _ variance: Double) {
    let isJump = change.isJump || isSteep(history.line(from: change.split), variance)
    switch phase {
    case .unknown: if isJump || isSteep(history.line(from: window, to: change.split), variance) { beginning = .jump }
    case .still: beginning = isJump ? .jump : .start
    case .flowing: beginning = isJump ? .jump : .bend
    }
    if isJump,
      (history.line(from: change.split).mass - history.line(from: window, to: change.split).mass).magnitude
        > Self.otherLoad
    {
      restBegan = nil
    }
    began = history.origin + .seconds(history.begin(of: change.split))
    // The block in which the line bends belongs to neither side.
    window = change.isJump ? change.split : change.split + 1
    if beginning != .bend { phase = .unknown }
  }

  /// Whether a change is one: a flow that seems to begin has to be a flow by itself.
  private func isCredible(_ change: FlowChange, _ variance: Double) -> Bool {
    change.isJump || phase != .still
      || isSlope(history.line(from: change.split + 1), variance, over: Self.significant)
  }

  private func isSteep(_ line: FlowLine, _ variance: Double) -> Bool {
    line.slope.magnitude - 2 * line.slopeDeviation(variance: variance) > Self.steep
  }

  private mutating func judge(_ variance: Double, at time: Double) {
    var line = history.line(from: window)
    let age = time - (began.map { ($0 - history.origin).seconds } ?? history.begin(of: window))
    if beginning == .bend, age < Self.patienceAtStart {
      var first = window
      while first > history.oldest, history.begin(of: first) > time - Self.patienceAtStart { first -= 1 }
      line = history.line(from: first)
    } else {
      let patience =
        isSteep(line, variance)
        ? Self.patienceIfSteep : beginning == .start || beginning == .bend ? Self.patienceAtStart : Self.patience
      guard age >= patience, line.blocks >= 4 || isSlope(line, variance, over: Self.evident) else {
        rate = nil
        return
      }
    }
    let certainty = phase == .still ? Self.certain : Self.significant
    if isSlope(line, variance, over: certainty) {
      phase = .flowing
      rate = line.slope
    } else {
      // A rest goes on if a suspected flow turns out to be none.
      if restBegan == nil || phase == .flowing && pour.isUnderWay { restBegan = window }
      phase = .still
      rate = 0
    }
  }
}
