/// Finds when a pour began and when it ended, each back-dated to the moment at which the slope of the load changed.
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
    /// Whether the load has jumped since that rest.
    var isRestOver = false
    /// The first block of another load, if it has just been noticed.
    var otherLoad: Int?
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
  /// Since when it was steady.
  private var steadySince = Instant(nanoseconds: 0)
  /// The strongest flow of the last pour in grams per second; 0 once nothing flows after it.
  private(set) var strongest = 0.0
  /// One standard deviation of the start, and the age of the flow at which it is dated again, in seconds.
  private var accuracy = 0.0
  private var refinement = 0.0
  /// The first block of the rest before it.
  private var restBegan: Int?
  private var resumed: Instant?
  /// The variance of one sample when the flow was last evaluated.
  private var variance = 0.0
  /// When the flow became little.
  private var faded = Instant(nanoseconds: 0)
  /// The first block of another load: the cup was taken off.
  private var otherLoad: Int?

  /// The least flow of a pour in grams per second, and as a share of its strongest flow, up to a limit: less is dripping,
  /// but a kettle that pours thinly still pours.
  private static let least = 0.1
  private static let drip = 0.1
  private static let largestDrip = 0.5
  /// The seconds until a flow is a pour, until its start is taken as it is, and its deviation in seconds until then.
  private static let shortest = 1.2
  private static let longest = 4.0
  private static let accuracy = 0.1
  /// Little flow for this many seconds is the end.
  private static let pause = 3.0
  /// How many seconds before the flow was seen to be little its end is searched for, or since when it was steady.
  private static let delay = 4.5
  /// How many seconds the flow has to last again for the end not to count.
  private static let resumption = 0.7
  /// How certain the flow is in standard deviations until it is a pour, and how much it has brought in grams.
  private static let certainty = 5.0
  private static let leastMass = 0.4
  /// From this multiple of the variance of the noise on, the flow or the rest before it has changed.
  private static let unsteady = 2.0
  /// By what factor the age of a flow grows until its start is dated again, and the last such age in seconds.
  private static let growth = 1.2
  private static let longestRefinement = 20.0
  /// How much of the rest before it counts, in seconds.
  private static let longestRest = 8.0
  /// How far from where the load jumped, in seconds, the rest and the flow may meet for the jump to be the start.
  private static let meeting = 0.3
  /// A block that is lighter than the one before it by more grams than this belongs to a cup that is taken off.
  private static let lifted = 0.5
  /// How long, in seconds, a flow fades at the end.
  private static let longestFade = 0.5

  /// Whether a pour has begun and not ended.
  var isUnderWay: Bool { state == .pouring || state == .ending }

  /// The least flow with which the pour goes on.
  private var leastFlow: Double { max(Self.least, min(strongest * Self.drip, Self.largestDrip)) }

  /// The load is lost: a pour ends with it.
  mutating func loseLoad(_ history: FlowHistory) {
    switch state {
    case .none: break
    case .beginning: state = .none
    case .pouring: finish(at: lastFlow)
    case .ending: finish(at: end(history, variance))
    }
    strongest = 0
  }

  private mutating func finish(at time: Instant) {
    ended = time
    state = .none
    resumed = nil
  }

  /// Evaluates the flow.
  mutating func follow(_ flow: Flow, _ history: FlowHistory, at now: Instant) {
    if isUnderWay, otherLoad == nil { otherLoad = flow.otherLoad }
    guard let rate = flow.rate else { return }
    variance = flow.variance
    switch state {
    case .none:
      if rate < Self.least { strongest = 0 }
      // What drips after a pour is no other pour.
      guard rate >= leastFlow else { return }
      state = .beginning
      seen = history.origin + .seconds(history.begin(of: flow.since))
    case .beginning: if rate < Self.least { state = .none }
    case .pouring:
      if rate >= leastFlow {
        lastFlow = now
        steadySince = history.origin + .seconds(history.begin(of: flow.since))
        otherLoad = nil
        refine(flow, history, at: now)
      } else {
        state = .ending
        faded = now
      }
    case .ending:
      if rate < leastFlow {
        resumed = nil
        if (now - faded).seconds >= Self.pause { finish(at: end(history, variance)) }
      } else if let resumed, (now - resumed).seconds >= Self.resumption {
        state = .pouring
        self.resumed = nil
        otherLoad = nil
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
    guard let rate = flow.rate, rate * age >= Self.leastMass,
      rate > Self.certainty * history.line(from: flow.since).slopeDeviation(variance: flow.variance)
    else { return }
    state = .pouring
    began = time
    accuracy = onset?.deviation ?? 0
    refinement = age * Self.growth
    restBegan = flow.restBegan
    ended = nil
    otherLoad = nil
    count += 1
    lastFlow = now
    steadySince = seen
    strongest = rate
  }

  /// Dates the start again when more of the flow has been seen.
  private mutating func refine(_ flow: Flow, _ history: FlowHistory, at now: Instant) {
    let age = (now - began).seconds
    // The rest in a pause is not the one before the pour.
    guard age >= refinement, age <= Self.longestRefinement, flow.restBegan == restBegan else { return }
    refinement *= Self.growth
    guard let onset = onset(flow, history), onset.isSteady, onset.deviation < accuracy else { return }
    began = onset.time
    accuracy = onset.deviation
  }

  /// The moment at which the load at rest began to flow, one standard deviation in seconds, and whether the load
  /// rested before and the flow has been steady since then.
  private func onset(_ flow: Flow, _ history: FlowHistory) -> (time: Instant, deviation: Double, isSteady: Bool)? {
    guard let rest = flow.restBegan else { return nil }
    var start = max(rest, history.oldest)
    let earliest = (seen - history.origin).seconds - Self.longestRest
    while history.begin(of: start) < earliest, start < flow.since - 2 { start += 1 }
    guard let split = history.likeliestTurn(from: start, to: history.count, isStart: true) else { return nil }
    let (old, new) = (history.line(from: start, to: split), history.line(from: split))
    guard new.slope > 0 else { return nil }
    let distance = (new.mass - old.mass) / new.slope
    let relative = new.slopeDeviation(variance: flow.variance) * distance / new.slope
    let variance = flow.variance * (1 / old.weight + 1 / new.weight) / (new.slope * new.slope) + relative * relative
    // A load that was put on during the rest does not meet the flow.
    let meeting = new.time - distance
    if flow.isRestOver, (meeting - history.begin(of: split)).magnitude > Self.meeting { return nil }
    return (
      Self.instant(of: meeting, near: split, history), variance.squareRoot(),
      new.residual < Self.unsteady * flow.variance * Double(new.blocks)
        && old.massMass < Self.unsteady * flow.variance * Double(old.blocks)
    )
  }

  /// The moment at which the flow became a load at rest; what was done to that load afterwards does not count.
  private func end(_ history: FlowHistory, _ variance: Double) -> Instant {
    var last = min(otherLoad ?? history.count, history.count)
    while otherLoad != nil, last > history.oldest + 2,
      history.line(from: last - 1, to: last).mass < history.line(from: last - 2, to: last - 1).mass - Self.lifted
    { last -= 1 }
    let earliest = (max(min(faded + .seconds(-Self.delay), steadySince), began) - history.origin).seconds
    var start = history.oldest
    while start < last, history.begin(of: start) < earliest { start += 1 }
    guard let split = history.likeliestTurn(from: start, to: last, isStart: false) else { return faded }
    let (old, new) = (history.line(from: start, to: split), history.line(from: split, to: last))
    guard old.slope > 0 else { return faded }
    var end = Self.instant(of: old.time + (new.mass - old.mass) / old.slope, near: split, history)
    // A flow that fades ends later than a line through its pulses says.
    let latest = end + .seconds(Self.longestFade)
    for index in split..<last - 1 {
      let moment = history.origin + .seconds(history.begin(of: index + 1))
      let block = history.line(from: index, to: index + 1)
      guard moment <= latest, new.mass - block.mass > max(Self.lifted / 2, 4 * (variance / block.weight).squareRoot())
      else {
        break
      }
      end = max(end, moment)
    }
    return end
  }

  /// A moment at which two lines meet, at most a block away from the split that was found.
  private static func instant(of time: Double, near split: Int, _ history: FlowHistory) -> Instant {
    let (earliest, latest) = (history.begin(of: split - 1), history.begin(of: split + 1))
    return history.origin + .seconds(min(max(time, earliest), latest))
  }
}

extension PourDetector: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "a pour under way is counted and has not ended": !isUnderWay || count > 0 && ended == nil,
      "a pour ends after it has begun": ended.map { $0 >= began } ?? true,
      "only the end of a pour is taken back": resumed == nil || state == .ending,
    ]
  }
}
