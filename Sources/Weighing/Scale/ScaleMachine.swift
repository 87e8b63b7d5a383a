/// The scale: frames, requests and time go in, effects come out.
///
/// ```
///              pad lost                    ┌───────────────┐   press ends
///   ┌─────────┐◄──────── any state         │   pressing    │◄──────► empty, settling, stable
///   │ offline │                            └───────────────┘   press begins
///   └─────────┘────┐ pad found
///                  ▼     a load                   rests for time_ms
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
///
/// A frame allocates nothing once all buffers have grown. For this, the caller passes the same array of effects each time,
/// emptied with its capacity kept, and keeps no part of a frame. Keeping a part is safe and costs a buffer.
public struct ScaleMachine: Sendable {
  /// What the configuration says.
  public internal(set) var settings: ScaleSettings

  var pad: Pad?
  /// Replaced for every pad; unused before the first one.
  var filter = LoadFilter(fullScale: .zero)
  var stability: StabilityDetector
  var rounding = DivisionRounding()
  /// Rounds the gross that is held against the capacity.
  var grossRounding = DivisionRounding()
  /// When the topics `live` and `reading` publish.
  var live = ReadingThrottle()
  var readings = ReadingThrottle()
  var plate = Plate()
  var overloadGuard = OverloadGuard()
  var rebaselining = RebaseliningDetector()
  var padWarning: PadWarning?
  /// The state that survives a restart, as it was stored last.
  var stored = ScaleMemory()
  /// The pad to which tare and plate belong; `nil` before the first.
  var owner: String?
  /// Whether a tare is dropped if the pad turns out to be empty.
  var dropsTareIfEmpty = false
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
  /// The highest epoch that an earlier run may have published; the next change goes above it.
  var highestEarlierEpoch = 0
  var presence = Presence.unknown
  var presses = Presses()
  var quickActions: [QuickAction]
  var waiting: [Waiting] = []
  /// What presses came to and which fingers press, empty between two inputs: kept for their memory.
  var outcomes: [Presses.Outcome] = []
  var touches: [Presses.Touch] = []
  /// The contacts of the last report. Their memory is reused when the report is no longer referenced.
  var reportedContacts: [ContactsReport.Entry] = []
  /// How many records are on their way to the journal.
  var recording = 0
  /// The reading of `now`.
  public internal(set) var reading: Reading
  /// When the machine next wants `advance(to:)`; `nil` before its first reading.
  public private(set) var nextDeadline: Instant?
  /// When the reading is next to be worked out; the topic `reading` alone only repeats it.
  private var updateDeadline: Instant?

  /// A pad and what follows from it. An object that never changes, so that looking at it copies nothing.
  final class Pad: Sendable {
    let axis: LoadAxis
    let calibration: Calibration
    let weighsInZones: Bool
    let description: PadDescription
    /// What the calibration makes of the end of the axis.
    let fullMass: Grams

    init(axis: LoadAxis, calibration: Calibration, weighsInZones: Bool, description: PadDescription) {
      self.axis = axis
      self.calibration = calibration
      self.weighsInZones = weighsInZones
      self.description = description
      fullMass = calibration.mass(at: axis.fullScale)
    }
  }

  /// What is known about a pad.
  enum Presence: Sendable {
    /// Not known yet whether there is one.
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
  ///
  /// What is large and rare lies in a box of its own, so that handing in a frame moves few bytes.
  public enum Input: Hashable, Sendable {
    /// A pad is there.
    indirect case padFound(PadDescription)
    /// The pad is gone, or there has been none from the start, for a reason in words.
    case padLost(String)
    /// The pad reports.
    case frame(Frame)
    /// Somebody wants something.
    indirect case request(ActionRequest)
    /// A key or button that an action is bound to moves.
    case button(ButtonChange)
    /// Somebody wants other quick actions; without a list, those of the configuration.
    indirect case replaceActions([QuickAction]?, ActionRequest)
    /// The journal has dealt with a draft.
    indirect case recorded(RecordOutcome)
    /// The state of an earlier run; to be handed in before anything else.
    indirect case restore(ScaleMemory)
    /// The configuration has changed.
    indirect case settings(ScaleSettings)
    /// The journal has lost these weighings.
    case journalLost(from: Int, to: Int)
    /// Somebody new listens: the reading is to be published again, as soon as the rate allows.
    case refresh
  }

  /// Takes what happened at a moment; returns what is to be done about it.
  ///
  /// A moment before one that was already handed in counts as that one.
  public mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    var effects: [Effect] = []
    handle(input, at: time, into: &effects)
    return effects
  }

  /// Takes what happened at a moment; appends what is to be done about it.
  ///
  /// A moment before one that was already handed in counts as that one.
  public mutating func handle(_ input: Input, at time: Instant, into effects: inout [Effect]) {
    // What comes due at the very moment of the input sees the input: a reading of t has the frame of t in it.
    advance(to: Instant(nanoseconds: time.nanoseconds - 1), into: &effects)
    now = max(time, now)
    switch input {
    case .frame(let frame): take(frame, &effects)
    case .padFound(let description):
      find(description, &effects)
      return schedule()
    case .padLost(let reason): lose(reason, &effects)
    case .request(let request):
      take(request, &effects)
      update(&effects)
    case .button(let change):
      observe(change, &effects)
      update(&effects)
    case .replaceActions(let list, let request): replaceActions(list, request, &effects)
    case .recorded(let outcome): take(outcome, &effects)
    case .restore(let memory): restore(memory, &effects)
    case .settings(let settings): adopt(settings, &effects)
    case .journalLost(let from, let to): effects.append(.event(event(.journalLoss(from: from, to: to))))
    case .refresh:
      live.renew()
      readings.renew()
      // Before anything is known of a pad and of the last run there is no reading to publish.
      if presence != .unknown { update(&effects) }
    }
    schedule()
    advance(to: time, into: &effects)
  }

  /// Lets time pass; returns what came due.
  public mutating func advance(to time: Instant) -> [Effect] {
    var effects: [Effect] = []
    advance(to: time, into: &effects)
    return effects
  }

  /// Lets time pass; appends what came due.
  public mutating func advance(to time: Instant, into effects: inout [Effect]) {
    while let due = nextDeadline, due <= time {
      now = max(due, now)
      filter.advance(to: now)
      if let updateDeadline, updateDeadline <= now { update(&effects) } else { publishHeldReading(&effects) }
      schedule()
    }
    now = max(time, now)
    assert(isScheduled)
  }

  private var isScheduled: Bool {
    var copy = self
    copy.schedule()
    return copy.nextDeadline == nextDeadline
  }

  /// Works out `nextDeadline`; to be called after every change. That only time passes does not change it before it is due.
  private mutating func schedule() {
    var earliest = live.nextDeadline(settings.livePace)
    func consider(_ instant: Instant?) {
      if let instant, instant < earliest ?? instant + Interval(nanoseconds: 1) { earliest = instant }
    }
    consider(filter.nextDeadline)
    consider(stability.nextDeadline(after: now))
    if !waiting.isEmpty { consider(waitingDeadline) }
    if !presses.isQuiet { consider(presses.nextDeadline(settings.confirm, interval: settings.liveInterval)) }
    consider(updateDue)
    consider(overloadGuard.deadline)
    consider(rebaselining.nextDeadline)
    updateDeadline = earliest
    consider(readings.nextDeadline(settings.readingPace))
    nextDeadline = earliest
  }

  /// Whether nothing is left to come but heartbeats: every change is published, nothing is about to settle or time out.
  public var isAtRest: Bool {
    waiting.isEmpty && recording == 0 && updateDue == nil && overloadGuard.deadline == nil
      && rebaselining.nextDeadline == nil
      && !live.hasUnpublishedChange
      && !readings.hasUnpublishedChange
      && presses.nextDeadline(settings.confirm, interval: settings.liveInterval) == nil
      && (filter.isIdle || reading.isStable || rebaselining.isSuspect || reading.state == .empty)
  }

  /// Makes an event of now.
  func event(_ kind: ScaleEvent.Kind) -> ScaleEvent {
    ScaleEvent(kind: kind, time: now, tareEpoch: tareEpoch)
  }
}
