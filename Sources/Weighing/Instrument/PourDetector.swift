/// Finds when a pour began and when it ended, each dated back to the moment at which the load bent.
///
/// ```
///             flow from rest        lasted long enough          little flow
///   ┌──────┐ ──────────────► ┌───────────┐ ────────► ┌─────────┐ ────────► ┌────────┐
///   │ none │                 │ beginning │           │ pouring │           │ ending │
///   └──────┘ ◄────────────── └───────────┘           └─────────┘ ◄──────── └────────┘
///       ▲       no flow                                          flow again    │ remains so
///       └──────────────────────────────────────────────────────────────────────┘
/// ```
struct PourDetector: Sendable {
  /// What the meter knows about the flow.
  struct Flow {
    /// In grams per second; `nil` while it is unknown.
    var rate: Double?
    /// The first block of its window.
    var since: Int
    /// The variance of one sample.
    var variance: Double
    /// The first block of the rest before it.
    var restBegan: Int?
  }

  enum State: Sendable, Equatable {
    case none
    case beginning
    case pouring
    case ending
  }

  private(set) var state = State.none
  /// When the last pour began.
  private(set) var began = Instant(nanoseconds: 0)
  /// When it ended; `nil` while it goes on.
  private(set) var ended: Instant?
  /// The number of pours that began.
  private(set) var count = 0

  private var seen = Instant(nanoseconds: 0)
  private var lastFlow = Instant(nanoseconds: 0)
  private var strongest = 0.0
  /// One standard deviation of the begin, and the age of the flow at which it is dated again, in seconds.
  private var accuracy = 0.0
  private var refinement = 0.0
  private var resumed: Instant?
  /// When the flow became little.
  private var faded = Instant(nanoseconds: 0)

  /// The least flow of a pour in grams per second, and as a share of its strongest flow: less is dripping.
  private static let least = 0.1
  private static let drip = 0.1
  /// How long a flow lasts until it is a pour, and how long until its begin is taken as it is.
  private static let shortest = 1.2
  private static let longest = 4.0
  private static let accuracy = 0.1
  /// How long little flow is the end.
  static let pause = 3.0
  /// How long before the flow was seen to be little its end is searched for.
  private static let delay = 4.5
  /// How long the flow has to last again for the end not to count.
  private static let resumption = 0.7
  private static let certainty = 5.0
  /// From this multiple of the variance of the noise on, the flow has changed.
  private static let unsteady = 2.0
  private static let longestRefinement = 20.0

  /// Whether a pour has begun and not ended.
  var isUnderWay: Bool { state == .pouring || state == .ending }

  /// The load is lost: a pour ends with it.
  mutating func loseLoad() {
    switch state {
    case .none: break
    case .beginning: state = .none
    case .pouring: finish(at: lastFlow)
    case .ending: finish(at: faded)
    }
  }

  private mutating func finish(at time: Instant) {
    ended = time
    state = .none
    resumed = nil
  }

  /// Evaluates the flow.
  mutating func follow(_ flow: Flow, _ history: FlowHistory, at now: Instant) {
    guard let rate = flow.rate else { return }
    switch state {
    case .none:
      guard rate >= Self.least else { return }
      state = .beginning
      seen = history.origin + .seconds(history.begin(of: flow.since))
    case .beginning: if rate < Self.least { state = .none }
    case .pouring:
      if rate >= max(Self.least, strongest * Self.drip) {
        lastFlow = now
        refine(flow, history, at: now)
      } else {
        state = .ending
        faded = now
      }
    case .ending:
      if rate < max(Self.least, strongest * Self.drip) {
        resumed = nil
        if (now - faded).seconds >= Self.pause { finish(at: end(history)) }
      } else if let resumed, (now - resumed).seconds >= Self.resumption {
        state = .pouring
        self.resumed = nil
        lastFlow = now
      } else if resumed == nil {
        resumed = now
      }
    }
    if state == .beginning { begin(flow, history, at: now) }
    if state == .pouring { strongest = max(strongest, rate) }
  }

  private mutating func begin(_ flow: Flow, _ history: FlowHistory, at now: Instant) {
    guard (now - seen).seconds >= Self.shortest - 0.5 else { return }
    let onset = onset(flow, history)
    let time = onset?.time ?? seen
    let age = (now - time).seconds
    guard age >= Self.shortest, age >= Self.longest || (onset?.deviation ?? .infinity) <= Self.accuracy else { return }
    guard let rate = flow.rate,
      rate > Self.certainty * history.line(from: flow.since).slopeDeviation(variance: flow.variance)
    else { return }
    state = .pouring
    began = time
    accuracy = onset?.deviation ?? 0
    refinement = age * 1.4
    ended = nil
    count += 1
    lastFlow = now
    strongest = rate
  }

  /// Dates the begin again when 40 % more of the flow has been seen.
  private mutating func refine(_ flow: Flow, _ history: FlowHistory, at now: Instant) {
    let age = (now - began).seconds
    guard age >= refinement, age <= Self.longestRefinement else { return }
    refinement *= 1.4
    guard let onset = onset(flow, history), onset.isSteady, onset.deviation < accuracy else { return }
    began = onset.time
    accuracy = onset.deviation
  }

  /// The moment at which the load at rest began to flow, one standard deviation in seconds, and whether the flow has
  /// been steady since then.
  private func onset(_ flow: Flow, _ history: FlowHistory) -> (time: Instant, deviation: Double, isSteady: Bool)? {
    guard let rest = flow.restBegan else { return nil }
    var start = max(rest, history.oldest)
    let earliest = (seen - history.origin).seconds - 6
    while history.begin(of: start) < earliest, start < flow.since - 2 { start += 1 }
    guard let split = history.likeliestTurn(from: start, isStart: true) else { return nil }
    let (old, new) = (history.line(from: start, to: split), history.line(from: split))
    guard new.slope > 0 else { return nil }
    let distance = (new.mass - old.mass) / new.slope
    let relative = new.slopeDeviation(variance: flow.variance) * distance / new.slope
    let variance = flow.variance * (1 / old.weight + 1 / new.weight) / (new.slope * new.slope) + relative * relative
    return (
      Self.instant(of: new.time - distance, near: split, history), variance.squareRoot(),
      new.residual < Self.unsteady * flow.variance * Double(new.blocks)
    )
  }

  /// The moment at which the flow became a load at rest.
  private func end(_ history: FlowHistory) -> Instant {
    let earliest = (faded - history.origin).seconds - Self.delay
    var start = history.oldest
    while start < history.count, history.begin(of: start) < earliest { start += 1 }
    guard let split = history.likeliestTurn(from: start, isStart: false) else { return faded }
    let (old, new) = (history.line(from: start, to: split), history.line(from: split))
    guard old.slope > 0 else { return faded }
    return Self.instant(of: old.time + (new.mass - old.mass) / old.slope, near: split, history)
  }

  /// A moment at which two lines meet, at most a block away from the split that was found.
  private static func instant(of time: Double, near split: Int, _ history: FlowHistory) -> Instant {
    let (earliest, latest) = (history.begin(of: split - 1), history.begin(of: split + 1))
    return history.origin + .seconds(min(max(time, earliest), latest))
  }
}
