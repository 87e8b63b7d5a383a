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
/// change of the load is found by its likelihood (`FlowHistory.likeliestChange`). A new movement is unknown until it has
/// lasted: as long as a hand takes to put something down, and longer if it is faster than a pour. A flow that changes
/// remains known: real pours splash and pulse.
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

  private(set) var history = FlowHistory()
  /// The first block of the window.
  private var window = 0
  private var beginning = Beginning.unknown
  /// When the window began.
  private var began: Instant?
  /// The first block of the rest before a flow.
  private var restBegan: Int?
  /// Whether the load has jumped since: to another load, or by the first lump of a flow.
  private var isRestOver = false
  /// Whether a load at rest began to flow, and the flow is too young for its slope to be known without the rest.
  private var hasJustBegun = false
  private(set) var phase = Phase.unknown
  private var scatter = FlowScatter()
  private var noise = FlowVariance()
  /// The variance of the noise of one sample, without the scatter.
  private(set) var quietVariance = 0.0
  /// The last change: the first block of the window before it, whether that was at rest, the first block after it, and
  /// the number of blocks when it was found.
  private var change: (window: Int, isStill: Bool, split: Int, count: Int)?
  /// The change after which the load has moved like a stream that pulses; `nil` if it has not.
  private var stream: FlowStream?
  /// The slope of the flow in grams per second; `nil` while it is unknown.
  private var slope: Double?
  private var splash = FlowSplash()
  private(set) var pour = PourDetector()

  /// The longest window, in seconds: at rest, and of a steady flow, whose end is seen sooner after a long one.
  static let longestRest = 4.0
  private static let longestFlow = 8.0
  /// The longest line that shows how fast the load flows, in seconds.
  private static let longestLine = 4.0
  /// How long, in seconds, a movement lasts before it is known: a pour from rest or a bend, any other, a steep one.
  private static let patienceAtStart = 0.25
  private static let patience = 0.6
  private static let patienceIfSteep = 2.0
  /// The age of a flow, in seconds, from which on the rest before it no longer counts for its slope.
  private static let longestStart = 3.5
  /// The fastest flow that is taken for a pour at once, in grams per second: a kettle pours about 10. A pour that goes on
  /// may become faster by this factor.
  private static let steep = 12.0
  private static let increase = 2.0
  /// The least noise in grams: that of a scale which reports tenths (0.1 / √12).
  private static let leastNoise = 0.03
  /// The number of further blocks after which a change is where it was found.
  private static let revision = 3
  /// A jump by more grams than this is another load, which ends the rest before a flow; in a flow, by more seconds of it.
  private static let otherLoad = 1.0
  private static let longestJump = 0.2
  /// The number of standard deviations from which on a slope is a flow: at rest if the load grows, if it shrinks, and
  /// otherwise. A load that shrinks is known later, as a load that grows is what a scale has to show at once.
  private static let certain = 3.15
  private static let certainIfShrinking = 4.65
  private static let significant = 2.5
  /// The same for a load that begins to grow or to shrink: a small load that is put on is likelier otherwise.
  private static let credible = 2.0
  private static let credibleIfShrinking = 4.0
  /// The same for three blocks alone, and for a young flow that no longer needs the rest before it.
  private static let evident = 8.0
  /// The likelihood ratios, in variances, of a certain change: at rest, in a flow, and if the slope is certain too.
  private static let ratioAtRest = 16.5
  private static let ratioInFlow = 20.0
  private static let ratioIfCertain = 9.0

  /// The flow in grams per second; `nil` while it is unknown.
  var rate: Double? { @inline(__always) get { splash.hidesFlow ? nil : slope } }

  /// Whether nothing flows, as far as is known, and no pour goes on.
  var isSettled: Bool { @inline(__always) get { rate == 0 && pour.state == .none } }

  /// Whether there is nothing to forget.
  var isEmpty: Bool { @inline(__always) get { history.count == 0 } }

  /// Forgets the load.
  mutating func restart() {
    pour.loseLoad(history)
    history.removeAll()
    window = 0
    beginning = .unknown
    hasJustBegun = false
    began = nil
    restBegan = nil
    isRestOver = false
    change = nil
    stream = nil
    scatter.restart()
    noise.restart()
    phase = .unknown
    slope = nil
  }

  /// Appends a block of samples.
  ///
  /// - Parameters:
  ///   - mass: Their mean in grams.
  ///   - new: The noise of one of them in grams.
  mutating func append(_ block: FlowBlock, mass: Double, noise new: FlowNoise) {
    history.append(weight: block.weight, centre: block.centre, mass: mass, begin: block.begin)
    let time = (block.end - history.origin).seconds
    window = max(window, history.oldest)
    window = first(of: phase == .flowing ? Self.longestFlow : Self.longestRest, at: time)
    let line = history.line(from: window)
    quietVariance = max(
      noise.evaluate(new, inMeanOf: line.weight, isStill: phase == .still), Self.leastNoise * Self.leastNoise)
    let variance = scatter.append(block, mass: mass, noise: quietVariance)
    let otherLoad = findChange(line, (mass, block.weight), variance)
    judge(variance, at: time)
    splash.follow(
      phase == .flowing ? flowLine(variance, at: time) : nil,
      age: time - (began.map { ($0 - history.origin).seconds } ?? history.begin(of: window)), variance,
      noise: quietVariance)
    pour.follow(
      PourDetector.Flow(
        rate: slope, since: window, variance: variance, restBegan: restBegan, isRestOver: isRestOver,
        otherLoad: otherLoad), history,
      at: block.end)
  }

  // MARK: Evaluation

  /// Begins the window again where the movement of the load has changed; returns the first block of a load that is
  /// lighter than the one before it.
  private mutating func findChange(
    _ line: FlowLine, _ newest: (mass: Double, weight: Double), _ variance: Double
  ) -> Int? {
    let uneven = phase == .flowing ? FlowSplash.variance(slope ?? 0, line, history, from: window, variance) : variance
    let isCertain = phase == .still && line.isSlope(over: certainty(of: line), variance)
    let threshold = phase == .flowing ? Self.ratioInFlow : isCertain ? Self.ratioIfCertain : Self.ratioAtRest
    // While a load rests, two of three blocks are so near their mean that there is nothing to search for.
    let distance = newest.mass - line.mass
    if phase != .still || distance * distance * newest.weight > variance,
      let change = history.likeliestChange(
        from: window, isStill: phase == .still, variance: uneven, threshold: threshold),
      isCredible(change, variance)
    {
      return beginWindow(at: change, uneven)
    }
    moveWindow(uneven)
    return nil
  }

  private mutating func beginWindow(at change: FlowChange, _ variance: Double) -> Int? {
    let (old, new) = (history.line(from: window, to: change.split), history.line(from: change.split))
    let time = history.begin(of: change.split)
    let jump = (new.mass(at: time) - old.mass(at: time)).magnitude
    let flow = phase == .flowing ? (slope ?? 0).magnitude : 0
    let isFast = isSteep(new, above: Self.increase * flow) || phase == .unknown && isSteep(old)
    let isOther = isFast || change.isJump && jump > max(Self.otherLoad, Self.longestJump * flow)
    self.change = (window, phase == .still, change.split, history.count)
    if phase != .unknown || stream == nil || !FlowStream.isPulse(old, new, jump: jump) {
      stream =
        phase == .flowing && !isOther ? nil : FlowStream(window: window, isStill: phase == .still, split: change.split)
    }
    switch phase {
    case .unknown: if isOther { beginning = .jump }
    case .still: beginning = isOther || change.isJump ? .jump : .start
    case .flowing: beginning = isOther ? .jump : .bend
    }
    hasJustBegun = beginning == .start
    if isOther { scatter.restart() }
    if isOther, (new.mass - old.mass).magnitude > Self.otherLoad { isRestOver = true }
    if phase != .unknown || isOther { began = history.origin + .seconds(time) }
    window = history.firstBlock(after: change, in: window, isStill: phase == .still, variance)
    if beginning != .bend { phase = .unknown }
    // What falls into a cup never makes it lighter.
    return isOther && new.mass < old.mass - Self.otherLoad ? change.split : nil
  }

  /// Moves the start of the window if the newest blocks show that the last change came later than it seemed.
  private mutating func moveWindow(_ variance: Double) {
    guard let last = change, history.count - last.count <= Self.revision, last.window >= history.oldest,
      let change = history.likeliestChange(
        from: last.window, isStill: last.isStill, variance: variance, threshold: Self.ratioInFlow)
    else { return }
    let first = history.firstBlock(after: change, in: last.window, isStill: last.isStill, variance)
    guard first > window, first < history.count else { return }
    window = first
    self.change?.split = change.split
    if beginning != .jump { began = history.origin + .seconds(history.begin(of: change.split)) }
  }

  /// Whether a change is one: a flow that seems to begin has to be a flow by itself.
  private func isCredible(_ change: FlowChange, _ variance: Double) -> Bool {
    change.isJump || phase != .still
      || { $0.isSlope(over: $0.slope < 0 ? Self.credibleIfShrinking : Self.credible, variance) }(
        history.line(from: change.split))
  }

  /// The first block of the window that is not older than a number of seconds.
  private func first(of length: Double, at time: Double) -> Int {
    var first = window
    while history.begin(of: first) < time - length, first < history.count - 1 { first += 1 }
    return first
  }

  /// Whether a line is steeper than a pour, and steeper than another limit.
  private func isSteep(_ line: FlowLine, above limit: Double = 0) -> Bool {
    line.slope.magnitude - 2 * line.slopeDeviation(variance: quietVariance) > max(Self.steep, limit)
  }

  /// The line that shows how fast the load flows.
  private func flowLine(_ variance: Double, at time: Double) -> FlowLine {
    let line = history.line(from: first(of: Self.longestLine, at: time))
    let isUncertain = variance > quietVariance && line.slopeDeviation(variance: variance) > FlowSplash.accuracy
    return isUncertain ? history.line(from: window) : line
  }

  /// The number of standard deviations from which on the slope of a load at rest is a flow.
  private func certainty(of line: FlowLine) -> Double { line.slope < 0 ? Self.certainIfShrinking : Self.certain }

  /// Whether three blocks show a flow, or that the flow before them has ended.
  private func isEvident(_ line: FlowLine, _ variance: Double) -> Bool {
    line.isSlope(over: Self.evident, variance)
      || beginning == .bend && line.blocks == 3
        && (slope ?? 0).magnitude > Self.evident * line.slopeDeviation(variance: variance)
  }

  /// Continues an unknown movement as a flow if it has been a stream since it began.
  private mutating func findStream(_ variance: Double, at time: Double) {
    guard phase == .unknown, let stream, stream.split >= history.oldest else { return }
    let (line, age) = (history.line(from: stream.split), time - history.begin(of: stream.split))
    guard age >= FlowStream.patience, age >= Self.patienceIfSteep || !isSteep(line),
      FlowStream.isStream(line, variance)
    else { return }
    self.stream = nil
    phase = .flowing
    slope = line.slope
    window = stream.split
    beginning = .bend
    began = history.origin + .seconds(history.begin(of: stream.split))
    hasJustBegun = stream.isStill
    change = (stream.window, stream.isStill, stream.split, 0)
  }

  private mutating func judge(_ variance: Double, at time: Double) {
    findStream(variance, at: time)
    var line = phase == .flowing ? flowLine(variance, at: time) : history.line(from: window)
    hasJustBegun =
      hasJustBegun && history.begin(of: window) >= time - Self.longestStart
      && !line.isSlope(over: Self.evident, variance)
    let start = hasJustBegun ? change.flatMap { history.start(after: $0.window, near: $0.split, variance) } : nil
    let age = time - (start?.time ?? began.map { ($0 - history.origin).seconds } ?? history.begin(of: window))
    if beginning == .bend, age < Self.patienceAtStart {
      var first = window
      while first > history.oldest, history.begin(of: first) > time - Self.patienceAtStart { first -= 1 }
      line = history.line(from: first)
    } else {
      let patience =
        isSteep(line, above: pour.isUnderWay ? Self.increase * pour.strongest : 0)
        ? Self.patienceIfSteep : beginning == .start || beginning == .bend ? Self.patienceAtStart : Self.patience
      guard age >= patience, start != nil || line.blocks >= 4 || isEvident(line, variance) else {
        slope = nil
        return
      }
    }
    let certainty = phase == .still ? certainty(of: line) : Self.significant
    if start.map({ $0.certainty > Self.significant }) ?? line.isSlope(over: certainty, variance) {
      phase = .flowing
      slope = start?.slope ?? line.slope
    } else {
      // A rest goes on if a suspected flow turns out to be none.
      if restBegan == nil || isRestOver || phase == .flowing && pour.isUnderWay { restBegan = window }
      isRestOver = false
      phase = .still
      slope = 0
    }
  }
}
