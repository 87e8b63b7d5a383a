/// The scale: frames, requests and time go in, effects come out.
///
/// ```
///              pad lost                    ┌───────────────┐   nobody presses
///   ┌─────────┐◄──────── any state         │   pressing    │◄──────► empty, settling, stable
///   │ offline │                            └───────────────┘   somebody presses
///   └─────────┘────┐ pad found
///                  ▼     something presses        rests for time_ms
///              ┌───────┐ ───────────────► ┌──────────┐ ──────────► ┌────────┐
///              │ empty │                  │ settling │             │ stable │
///              └───────┘ ◄─────────────── └──────────┘ ◄────────── └────────┘
///                  ▲      released (any)      ▲   │       moves        │
///                  │                          │   ▼                    ▼
///                  └────────────────────── ┌───────────────────────────────┐  any axis at its maximum, or the
///                                          │           overload            │  gross at or past the capacity
///                                          └───────────────────────────────┘
/// ```
///
/// The machine is a value and does nothing by itself. Every rule of time is a deadline: `nextDeadline` says when it
/// wants to be called again, and calling it earlier, later or more often changes nothing but when its effects are seen.
public struct ScaleMachine: Sendable {
  /// What the configuration says.
  public internal(set) var settings: ScaleSettings

  var pad: Pad?
  /// Made anew for every pad; before the first it has nothing to do.
  var filter = LoadFilter(fullScale: .zero)
  var stability: StabilityDetector
  var rounding = DivisionRounding()
  /// Rounds the gross that is held against the capacity.
  var grossRounding = DivisionRounding()
  var live = LiveLane()
  var plate = Plate()
  var now: Instant

  /// When the reading is to be worked out although nothing has happened since.
  var updateDue: Instant?
  /// The load of the last frame, in counts, and whether an axis was at its end.
  var raw = RawForce.zero
  var axisAtEnd = false
  var pressedZones = 0
  /// What lies on the pad, unrounded; `nil` when nothing does or when it is more than the scale can tell.
  var gross: Grams?
  /// The noise of one frame of it, one standard deviation.
  var noise = Grams.zero
  /// The gross that was last announced as settled, while its load lies there.
  var announced: Grams?
  var wasOverloaded = false

  var tare = Grams.zero
  /// Counts the changes of tare and zero.
  public internal(set) var tareEpoch = 0
  var presence = Presence.unknown
  var presses = Presses()
  var quickActions: [QuickAction]
  var waiting: [Waiting] = []
  /// How many records are on their way to the journal.
  var recording = 0
  /// The reading of `now`.
  public internal(set) var reading: Reading

  struct Pad: Sendable {
    var axis: LoadAxis
    var calibration: Calibration
    var weighsInZones: Bool
    var description: PadDescription
  }

  /// What is known of a pad.
  enum Presence: Sendable {
    /// Nobody has said yet whether there is one.
    case unknown
    /// There has been none since the start.
    case expected
    /// There is one, or there has been.
    case seen
  }

  /// Makes a scale without a pad.
  public init(settings: ScaleSettings, at time: Instant) {
    self.settings = settings
    quickActions = settings.quickActions
    now = time
    stability = StabilityDetector(limit: settings.motion, time: settings.stableTime)
    let nothing = DisplayedMass(steps: 0, division: settings.division)
    reading = Reading(
      time: time, state: .offline, gross: nothing, tare: nothing, net: nil, highResolution: nil, uncertainty: nil,
      isStable: false, isInsideZero: false, isOverloaded: false, isUnderloaded: false, raw: .zero, force: 0,
      calibration: nil, tareEpoch: 0, capacity: settings.capacity)
  }

  /// Where grams come from; `nil` without a pad.
  public var calibration: Calibration.Origin? { pad?.calibration.origin }

  /// What can happen to the scale.
  public enum Input: Hashable, Sendable {
    /// A pad is there.
    case padFound(PadDescription)
    /// The pad is gone, or there has been none from the start, for a reason in words.
    case padLost(String)
    /// The pad reports.
    case frame(Frame)
    /// Somebody wants something.
    case request(ActionRequest)
    /// A key or button that an action is bound to moves.
    case button(ButtonChange)
    /// Somebody wants other quick actions; without a list, those of the configuration.
    case replaceActions([QuickAction]?, ActionRequest)
    /// The journal has dealt with a draft.
    case recorded(RecordOutcome)
    /// The configuration has changed.
    case settings(ScaleSettings)
    /// Somebody new listens: the reading is to be published again.
    case refresh
  }

  /// Takes what happened at a moment; returns what is to be done about it.
  ///
  /// A moment before one that was already handed in counts as that one.
  public mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    // What comes due at the very moment of the input sees the input: a reading of t has the frame of t in it.
    var effects = advance(to: Instant(nanoseconds: time.nanoseconds - 1))
    now = max(time, now)
    switch input {
    case .frame(let frame): take(frame, &effects)
    case .padFound(let description):
      find(description, &effects)
      return effects
    case .padLost(let reason): lose(reason, &effects)
    case .request(let request):
      take(request, &effects)
      update(&effects)
    case .button(let change):
      observe(change, &effects)
      update(&effects)
    case .replaceActions(let list, let request): replaceActions(list, request, &effects)
    case .recorded(let outcome): take(outcome, &effects)
    case .settings(let settings): adopt(settings, &effects)
    case .refresh:
      live.forget()
      update(&effects)
    }
    return effects + advance(to: time)
  }

  /// Lets time pass; returns what came due.
  public mutating func advance(to time: Instant) -> [Effect] {
    var effects: [Effect] = []
    while let due = nextDeadline, due <= time {
      now = max(due, now)
      filter.advance(to: now)
      update(&effects)
    }
    now = max(time, now)
    return effects
  }

  /// When the machine next wants `advance(to:)`; `nil` before its first reading.
  public var nextDeadline: Instant? {
    var earliest = live.nextDeadline(interval: settings.liveInterval, heartbeat: settings.heartbeat)
    func consider(_ instant: Instant?) {
      if let instant, instant < earliest ?? instant + Interval(nanoseconds: 1) { earliest = instant }
    }
    consider(filter.nextDeadline)
    consider(stability.nextDeadline(after: now))
    consider(waitingDeadline)
    consider(presses.nextDeadline(settings.confirm, interval: settings.liveInterval))
    consider(updateDue)
    return earliest
  }

  /// Whether nothing is left to come but heartbeats: every change is published, nothing is about to settle or time out.
  public var isAtRest: Bool {
    waiting.isEmpty && recording == 0 && updateDue == nil && !live.hasUnpublishedChange
      && presses.nextDeadline(settings.confirm, interval: settings.liveInterval) == nil
      && (filter.isIdle || reading.isStable || reading.state == .empty)
  }

  /// Makes an event of now.
  func event(_ kind: ScaleEvent.Kind) -> ScaleEvent {
    ScaleEvent(kind: kind, time: now, tareEpoch: tareEpoch)
  }
}
