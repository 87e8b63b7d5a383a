/// A load at rest, to which force can be added.
struct RestingLoad: Sendable {
  /// The load to commit.
  var latch: Latch
  /// The room above the load; `nil` if it is too small for a press.
  private(set) var room: PressRoom?
  /// The gross for which the room was measured.
  private var measured: Grams

  /// Makes a load that has come to rest and measures the room above it.
  init(_ latch: Latch, limit: Grams, _ context: PressRecognizer.Context) {
    self.latch = latch
    measured = latch.gross
    room = PressRoom(
      headroom: limit - latch.gross, full: context.confirm.full, motion: context.motion, noise: context.noise)
  }

  /// The same load as measured now. The room is measured again only when the load has moved, so that noise has no
  /// effect.
  func following(_ latch: Latch, limit: Grams, _ context: PressRecognizer.Context) -> RestingLoad {
    guard (latch.gross - measured).magnitude <= context.motion else { return RestingLoad(latch, limit: limit, context) }
    var same = self
    same.latch = latch
    return same
  }
}

/// The force of a press that is added to a load.
struct PressRoom: Hashable, Sendable {
  /// The force that fills the ring.
  let full: Grams
  /// The press has ended when the force is within this distance of the load.
  let slack: Grams

  /// Measures the room for presses on a load; `nil` if it is too small.
  ///
  /// A press has ended within a twentieth of its full force, or within what a load at rest may move (`motion`, in both
  /// directions) or appear to move (five standard deviations of a frame). The room is too small under an eighth of the
  /// configured force, and under two and a half times that movement. Chosen; the tests for noisy pads verify it.
  init?(headroom: Grams, full configured: Grams, motion: Grams, noise: Grams) {
    let still = max(2 * motion.value, 5 * noise.value)
    full = min(configured, headroom)
    guard full.value >= max(configured.value / 8, 2.5 * still) else { return nil }
    slack = Grams(max(still, full.value / 20))
  }

  /// The least added force that is a press.
  var minimum: Grams { slack + slack }
}

/// A press of added force: its amount and its times.
///
/// Between two samples of a slow converter the force may rise from nothing to a full press. The times of a press are
/// therefore those at which the force crosses a level between two samples, and the last sample counts until the next.
struct AddedForce: Sendable {
  /// The gross of the load without the press.
  let base: Grams
  /// The force that the press needs.
  let room: PressRoom
  /// Whether the press can be confirmed; not if it follows one that was too short.
  let isConfirmable: Bool
  /// Whether it has been above the threshold for the dwell time; the press then remains confirmed.
  var hasDwelt = false
  /// Whether it has reached half of its full force. Less is a touch.
  private(set) var isHard = false
  /// Whether it is at least that half now; otherwise the finger was lifted, whatever remains.
  private(set) var isHeld = false
  /// When it fell under that half, and the least force since.
  private var dip: (since: Instant, lowest: ForceSample)?
  /// When the force returned to that of the load.
  private(set) var backSince: Instant?
  /// When the intention rose above the threshold.
  private var aboveSince: Instant?
  private var isAbove = false
  /// Whether it is no single wrong sample: on a pad that delivers each sample, two in a row were above the threshold.
  private(set) var isCertain: Bool
  /// Whether the pad delivers each sample, so that silence says nothing.
  private let deliversEverySample: Bool
  /// The number of samples in which force was added, one after the other until it is shown, and of those above the threshold since it was passed.
  private var (raised, above) = (0, 0)
  /// When the force began to rise.
  private let since: Instant
  private let period: Interval
  private var steadiness: SteadyForce

  /// The sample period with which presses are evaluated: zero on a pad with more than 33 samples per second, where the
  /// times of the frames are those of the force.
  static func period(_ measured: Interval) -> Interval { measured < shortestPeriod ? .zero : measured }

  private static let shortestPeriod = Interval.milliseconds(30)

  /// Makes a press that has just begun.
  init(base: Grams, room: PressRoom, isConfirmable: Bool, _ context: PressRecognizer.Context) {
    self.base = base
    self.room = room
    self.isConfirmable = isConfirmable
    since = context.now
    period = context.period
    deliversEverySample = context.deliversEverySample
    isCertain = !context.deliversEverySample
    steadiness = context.steadiness(full: room.full)
  }

  /// Evaluates the force of a frame.
  ///
  /// - Parameters:
  ///   - previous: The frame before.
  ///   - counts: The force in counts; `nil` at the end of the axis.
  ///   - threshold: The intention above which a press is `selected`.
  ///   - isAbove: Whether the force is above it.
  mutating func observe(
    _ force: ForceSample, after previous: ForceSample?, counts: Double?, threshold: Double, isAbove: Bool
  ) {
    steadiness.observe(counts, at: force.time)
    let added = force.gross - base
    let least = threshold * room.full.value
    isCertain = isCertain || (self.isAbove && isAbove)
    self.isAbove = isAbove
    if added.value > room.slack.value { raised += 1 } else if !isSeen { raised = 0 }
    if isAbove {
      above += 1
      aboveSince = aboveSince ?? force.crossing(base + Grams(least), after: previous, period: period)
    } else if !hasDwelt, added.value < Self.tremor * least {
      aboveSince = nil
      above = 0
    }
    backSince = added.magnitude <= room.slack ? backSince ?? force.time : nil
    isHeld = added.value >= room.full.value / 2
    if isHeld {
      isHard = true
      // A single wrong sample.
      if let since = dip?.since, force.time < since + Self.back { dip = nil }
    } else if isHard, force.gross < dip?.lowest.gross ?? base + room.full {
      dip = (dip?.since ?? force.time, force)
    }
  }

  /// When the press ended if a frame belongs to a second one, although the force was not seen to be back in between: it
  /// has fallen under half of the full force and rises again by a quarter of it.
  func end(before force: ForceSample) -> Instant? {
    guard let dip, dip.since + Self.back <= force.time else { return nil }
    return (force.gross - dip.lowest.gross).value > room.full.value / 4 ? dip.lowest.time : nil
  }

  /// When the press changes its state if the force remains the same.
  func nextDeadline(_ confirm: ScaleSettings.Confirm) -> Instant? {
    if let backSince { return backSince + Self.back }
    guard isSeen else { return nil }
    guard let aboveSince else { return since + Self.longestRise }
    let confirmed = aboveSince + confirm.dwell
    if isAwaitingDwell { return !deliversEverySample || above >= Self.fewestAbove ? confirmed : nil }
    let end = confirmed + Self.longestConfirmed
    guard hasDwelt else { return end }
    return min(max(steadiness.deadline(after: Self.longestSteady + period) ?? end, confirmed), end)
  }

  /// Why a press whose time is over is a load.
  func failure(at time: Instant) -> PressFailure {
    let steady = Self.longestSteady + period
    return steadiness.isObject(after: steady, at: time)
      ? .tooSteady(for: steadiness.required(steady)) : .tooLong(Self.longestConfirmed)
  }

  /// Whether it is shown as a press: a single sample may be a wrong one.
  var isSeen: Bool { !deliversEverySample || raised > 1 }

  /// Whether the press is confirmed once it has been above the threshold for the dwell time.
  var isAwaitingDwell: Bool { isAbove && isConfirmable && !hasDwelt }

  /// The least number of samples above the threshold of a press on a pad that delivers each sample. Source: the
  /// specification of the scale.
  private static let fewestAbove = 3

  /// The load may move for this time before the force counts as a press: a fingertip that is put down moves it a
  /// little. Chosen: four samples of a converter with 9 samples per second.
  static let longestOnset = Interval.milliseconds(500)
  /// The longest time in which a press rises past the threshold; a slower rise is a pour or a load. Chosen: three times
  /// the slowest rise of the tests.
  private static let longestRise = Interval.milliseconds(2000)
  /// A press that has been above the threshold remains there while its force is above this part of it. Chosen: a hand
  /// that trembles by 8 % (one standard deviation) is rarely below it.
  private static let tremor = 0.8

  /// A press that is not released within this time of its confirmation is a load: users do not hold a full ring for
  /// that long, and the weight of a load should not be delayed further. Chosen, not measured.
  static let longestConfirmed = Interval.milliseconds(2000)
  /// A force that remains the same for this time and a sample is a load. Chosen: a little longer than the longest press of
  /// the tests that holds its force exactly (1.9 s); a finger cannot do so for a second.
  private static let longestSteady = Interval.milliseconds(2000)
  /// How long the force has to be back at the load: a load that is lifted only passes through the level of a smaller
  /// one. Chosen.
  static let back = Interval.milliseconds(50)
}

/// A confirmed press that was held for too long: a load, unless the force goes after all.
struct OverduePress: Sendable {
  /// What a frame shows.
  enum Finding {
    /// The force is still there.
    case held
    /// It is a load: it stays, or tare or zero were set with it.
    case load
    /// The force is gone.
    case released
  }

  /// The action that the press was shown for.
  let action: String
  /// Why it has fired nothing.
  let failure: PressFailure
  /// The gross under which the force is gone, and the state of tare and zero in which this holds.
  private let level: Grams
  private let tareEpoch: Int
  private let until: Instant
  /// The number of samples under that level, one after the other.
  private var samplesBelow = 0

  /// Makes an overdue press of one whose time is over.
  init(_ press: Press, _ force: AddedForce, _ context: PressRecognizer.Context) {
    action = press.action
    failure = force.failure(at: context.now)
    level = force.base + Grams(force.room.full.value / 2)
    tareEpoch = context.reading.tareEpoch
    until = press.since + context.confirm.timeout
  }

  /// Evaluates the force of a frame.
  mutating func observe(_ gross: Grams, _ context: PressRecognizer.Context) -> Finding {
    guard context.now <= until, context.reading.tareEpoch == tareEpoch else { return .load }
    samplesBelow = gross < level ? samplesBelow + 1 : 0
    // A single sample of a converter may be a wrong one.
    return samplesBelow > (context.isConverter ? 1 : 0) ? .released : .held
  }
}

/// The force on the pad in a frame: the load and the press on it.
struct ForceSample: Sendable {
  /// The gross with the press in it.
  var gross: Grams
  /// The time of the frame.
  var time: Instant

  /// When the force crossed a level, if it changed evenly since the frame before.
  ///
  /// evdev drops repeated values, so that a change since an earlier frame took place within the last sample period. With
  /// a period of zero, the level is crossed at the time of the frame.
  func crossing(_ level: Grams, after previous: ForceSample?, period: Interval) -> Instant {
    guard let previous, previous.gross != gross else { return time }
    let part = (level - previous.gross).value / (gross - previous.gross).value
    // The times of samples jitter.
    let longest = period.seconds * 1.5
    return time + .seconds(-min((time - previous.time).seconds, longest) * min(max(1 - part, 0), 1))
  }
}

/// One or two presses of added force, confirmed and released.
///
/// One press waits for a second one, two wait for the load to come to rest; both fire as soon as the load is lifted.
struct ReleasedPress: Sendable {
  /// The action: `commit` after one press, `tare` after two; `nil` if one of them was too short, so that the presses fire
  /// nothing.
  var action: Action?
  /// The load before the press.
  var latch: Latch?
  /// The request to act that one press was begun for.
  var pairing: UInt64?
  /// The latest time at which it fires.
  var until: Instant
  /// Whether the latched load is on the pad, according to the last reading before it was lifted.
  var isInPlace = false
  /// When the load began to be lifted.
  var leavingSince: Instant?
  /// The range in which the load comes to rest if what followed the press was a second one, held too long; anywhere else
  /// it was a load.
  var secondPress: ClosedRange<Grams>?

  /// The name of the action; `nil` if the presses fire nothing.
  var name: String? { action.map { pairing == nil ? $0.rawValue : PairingRequest.action } }

  /// Whether the latched load was on the pad until it was lifted, and the lift is still in progress. A load that has
  /// been lower for longer than a lift takes is a different load.
  func isLeaving(at time: Instant) -> Bool {
    guard isInPlace, let leavingSince else { return false }
    return time <= leavingSince + Self.longestLift
  }

  /// The longest time of a lift from the first lower frame. Chosen: a hand needs 100 ms, and a converter with 9 samples
  /// per second needs 111 ms for the second frame.
  static let longestLift = Interval.milliseconds(200)
  /// The longest time in which a load that followed the press comes to rest. Chosen: that of a request.
  static let longestRest = Interval.milliseconds(2000)
}
