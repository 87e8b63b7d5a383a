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
/// until it has lasted: as long as a hand takes to put something down, and longer if it is faster than a pour. A flow
/// that changes remains known: real pours splash and pulse.
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
  private var scatter = FlowScatter()
  /// The variance of the noise of one sample, without the scatter.
  private var quietVariance = 0.0
  /// The last change: the first block of the window before it, whether that was at rest, and the number of blocks when
  /// it was found.
  private var change: (window: Int, isStill: Bool, count: Int)?
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
  /// The least noise in grams: a scale that reports tenths scatters by as much (0.1 / √12).
  private static let leastNoise = 0.03
  /// A bend within a block that changes it by less than this number of standard deviations cannot be told from noise.
  private static let blur = 1.5
  /// The number of further blocks after which a change is where it was found.
  private static let revision = 3
  /// A jump by more grams than this is another load, which ends the rest before a flow.
  private static let otherLoad = 1.0
  /// How far a stream that splashes is from a steady one, as a time: it arrives in lumps, the larger the faster it is.
  /// Recorded pours scatter by 0.03 to 0.1 s.
  private static let lump = 0.07
  /// The same for the largest lump that is no other load.
  private static let largestLump = 0.5
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

  /// Whether there is nothing to forget.
  var isEmpty: Bool { @inline(__always) get { history.count == 0 } }

  /// Forgets the load.
  mutating func restart() {
    history.removeAll()
    window = 0
    beginning = .unknown
    began = nil
    restBegan = nil
    change = nil
    scatter.restart()
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
    let time = (block.end - history.origin).seconds
    window = max(window, history.oldest)
    while history.begin(of: window) < time - Self.longest, window < history.count - 1 { window += 1 }
    let line = history.line(from: window)
    quietVariance = max(noise.variance(inMeanOf: line.weight), Self.leastNoise * Self.leastNoise)
    let variance = scatter.append(block, mass: mass, noise: quietVariance)
    findChange(line, (mass, block.weight), variance)
    judge(variance, at: time)
    pour.follow(
      PourDetector.Flow(rate: rate, since: window, variance: variance, restBegan: restBegan), history, at: block.end)
  }

  // MARK: Evaluation

  /// Begins the window again where the movement of the load has changed.
  private mutating func findChange(_ line: FlowLine, _ newest: (mass: Double, weight: Double), _ variance: Double) {
    let lump = phase == .flowing ? Self.lump * (rate ?? 0) : 0
    let uneven = max(variance, lump * lump * line.weight / Double(max(line.blocks, 1)))
    let isCertain = phase == .still && isSlope(line, variance, over: Self.certain)
    let threshold = phase == .flowing ? Self.ratioInFlow : isCertain ? Self.ratioIfCertain : Self.ratioAtRest
    // While a load rests, two of three blocks are so near their mean that there is nothing to search for.
    let distance = newest.mass - line.mass
    if phase != .still || distance * distance * newest.weight > variance,
      let change = history.likeliestChange(
        from: window, isStill: phase == .still, variance: uneven, threshold: threshold), isCredible(change, variance)
    {
      beginWindow(at: change, uneven)
    } else {
      moveWindow(uneven)
    }
  }

  private func spread(_ line: FlowLine, _ variance: Double) -> Double {
    line.blocks >= 8 ? max(variance, line.residual / Double(line.blocks - 2)) : variance
  }

  private func isSlope(_ line: FlowLine, _ variance: Double, over certainty: Double) -> Bool {
    line.blocks > 2 && line.slope.magnitude > certainty * line.slopeDeviation(variance: spread(line, variance))
  }

  private mutating func beginWindow(at change: FlowChange, _ variance: Double) {
    let (old, new) = (history.line(from: window, to: change.split), history.line(from: change.split))
    let time = history.begin(of: change.split)
    let isFast = isSteep(new) || phase == .unknown && isSteep(old)
    let isOther =
      isFast
      || change.isJump
        && (new.mass(at: time) - old.mass(at: time)).magnitude > Self.otherLoad + Self.largestLump
          * (rate ?? 0).magnitude
    self.change = (window, phase == .still, history.count)
    switch phase {
    case .unknown: if isOther { beginning = .jump }
    case .still: beginning = isOther || change.isJump ? .jump : .start
    case .flowing: beginning = isOther ? .jump : .bend
    }
    if isOther { scatter.restart() }
    if isOther, (new.mass - old.mass).magnitude > Self.otherLoad { restBegan = nil }
    if phase != .unknown || isOther { began = history.origin + .seconds(time) }
    window = start(after: change, variance)
    if beginning != .bend { phase = .unknown }
  }

  /// Moves the begin of the window if the newest blocks show that the last change came later than it seemed.
  private mutating func moveWindow(_ variance: Double) {
    guard let last = change, history.count - last.count <= Self.revision, last.window >= history.oldest,
      let change = history.likeliestChange(
        from: last.window, isStill: last.isStill, variance: variance, threshold: Self.ratioInFlow)
    else { return }
    let first = start(after: change, variance)
    guard first > window, first < history.count else { return }
    window = first
    if beginning != .jump { began = history.origin + .seconds(history.begin(of: change.split)) }
  }

  /// Whether a change is one: a flow that seems to begin has to be a flow by itself.
  private func isCredible(_ change: FlowChange, _ variance: Double) -> Bool {
    change.isJump || phase != .still
      || isSlope(history.line(from: start(after: change, variance)), variance, over: Self.significant)
  }

  /// The first block after a change. The one in which a line bends belongs to neither side, unless that cannot be told
  /// from the noise.
  private func start(after change: FlowChange, _ variance: Double) -> Int {
    if change.isJump { return change.split }
    let new = history.line(from: change.split)
    let step = new.slope * (new.time - history.begin(of: change.split)) * 2 / Double(new.blocks)
    let weight = new.weight / Double(new.blocks)
    return step * step * weight < Self.blur * Self.blur * variance ? change.split : change.split + 1
  }

  private func isSteep(_ line: FlowLine) -> Bool {
    line.slope.magnitude - 2 * line.slopeDeviation(variance: quietVariance) > Self.steep
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
        isSteep(line)
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
