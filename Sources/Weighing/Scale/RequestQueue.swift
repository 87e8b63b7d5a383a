/// A request that is not answered yet.
struct QueuedRequest: Sendable {
  /// The request.
  var request: ActionRequest
  /// The action that its name stands for.
  var action: Action
  /// The label of the request or of the quick action.
  var label: String?
  /// What else the action needs.
  var parameters: ActionArguments
  /// The target that is set when the action has been performed.
  var target: Target?
  /// The press that has fired it; `nil` for a command.
  var press: FiredPress?
  /// How long it waits for the load to come to rest, or for a pad.
  var deadline: Instant

  /// The load before the press, unless tare or zero have changed since.
  func latch(tareEpoch: Int) -> Latch? {
    guard let latch = press?.latch, latch.reading.tareEpoch == tareEpoch else { return nil }
    return latch
  }
}

/// A press that has fired.
struct FiredPress: Sendable {
  /// When it began.
  var since: Instant
  /// The load before it; `nil` if no load was at rest, or a different one was on the pad when the press fired.
  var latch: Latch?
  /// Whether `latch` was compared with the load on the pad; also if it was there until it was lifted or the pad was lost, so
  /// that there is nothing left to check.
  var isLatchChecked: Bool
  /// The request to act that it grants; `nil` for a press that performs its action.
  var pairing: UInt64?
}

/// The requests that wait for an answer, in the order of arrival, and the records that wait for the journal.
///
/// ```
///   append ──► waiting ── load at rest, or no load needed ──► perform ──► result
///                 │                                              │
///                 │  expired, no pad, overload,                  │ commit, void, relabel
///                 │  not at rest until its deadline, ...         ▼
///                 └─────────────► reject ◄── journal full ── recording ── recorded ──► result
/// ```
///
/// A request is only decided when all earlier ones are. One for the timer and the stop of a dose concern no load and
/// precede those that wait for one: a timer that starts late remains wrong, and an output that is on fills on. A stop
/// rejects the doses that wait, too; so does a pad that replaces another one, whose load they were meant for.
struct RequestQueue: Sendable {
  /// What to do with the first request.
  enum Decision {
    case perform(QueuedRequest)
    case reject(QueuedRequest, Rejection)
  }

  /// The state of the scale on which a decision depends.
  struct Conditions {
    var now: Instant
    var presence: PadPresence
    /// Whether there is a pad whose counts can be weighed.
    var hasPad: Bool
    var reading: Reading
    /// The gross of the reading, unrounded; `nil` without a load and in overload.
    var gross: Grams?
    var tare: Grams
    /// The least magnitude of a net that can be committed.
    var minimum: Grams
    /// Whether the load is at rest and no press distorts it.
    var isSettled: Bool
    /// Whether nothing touches a bare pad, so that zero can be set at once.
    var isBare: Bool
    /// Whether the newest frame agrees with the reading.
    var frameAgreesWithReading: Bool
  }

  private var queue: [QueuedRequest] = []
  private var recordCount = 0

  /// The maximum number of records in flight to a journal whose disk hangs.
  static let maximumRecordsInFlight = 64

  /// Whether no request waits.
  var isEmpty: Bool { @inline(__always) get { queue.isEmpty } }

  /// Whether no request waits and no record is in flight.
  var isIdle: Bool { queue.isEmpty && recordCount == 0 }

  /// Appends a request, or inserts it before those that wait for the load.
  mutating func append(_ request: QueuedRequest) {
    let place = request.isUrgent ? queue.firstIndex { !$0.isUrgent } : nil
    queue.insert(request, at: place ?? queue.count)
  }

  /// Removes the doses that wait; returns them.
  mutating func removeDoses() -> [QueuedRequest] {
    defer { queue.removeAll(where: \.startsDose) }
    return queue.filter(\.startsDose)
  }

  /// Gives all requests time until a new deadline: the load on a pad that has just been connected has to come to rest.
  mutating func extendDeadlines(to deadline: Instant) {
    for index in queue.indices { queue[index].deadline = deadline }
  }

  /// When the first request has to be decided even if nothing happens before.
  func nextDeadline(_ presence: PadPresence) -> Instant? {
    guard let first = queue.first else { return nil }
    var earliest = EarliestInstant()
    if presence != .unknown || !first.needsPad { earliest.include(first.deadline) }
    earliest.include(first.request.expiry)
    return earliest.instant
  }

  // MARK: Decisions

  /// Compares the loads latched by presses that have just fired with the load on the pad.
  mutating func checkLatches(_ conditions: Conditions) {
    for index in queue.indices {
      guard let press = queue[index].press, !press.isLatchChecked else { continue }
      queue[index].press?.isLatchChecked = true
      let isOnPad =
        if let latch = press.latch, let gross = conditions.gross, conditions.frameAgreesWithReading {
          latch.holds(for: gross)
        } else { false }
      if !isOnPad { queue[index].press?.latch = nil }
    }
  }

  /// Decides on the first request and removes it; `nil` if it has to wait, or none is left.
  mutating func next(_ conditions: Conditions) -> Decision? {
    guard let first = queue.first else { return nil }
    switch Self.readiness(of: first, conditions) {
    case .waiting: return nil
    case .ready:
      queue.removeFirst()
      return .perform(first)
    case .rejected(let rejection):
      queue.removeFirst()
      return .reject(first, rejection)
    }
  }

  /// Rejects and removes the first request if it is for a dose that cannot start whatever the load does; a load that moves does not
  /// delay the answer.
  mutating func rejectDose(_ rejection: (Dose) -> Rejection?) -> Decision? {
    guard let first = queue.first, case .dose(.start(let dose)) = first.parameters, let reason = rejection(dose) else {
      return nil
    }
    queue.removeFirst()
    return .reject(first, reason)
  }

  private enum Readiness {
    case ready
    case waiting
    case rejected(Rejection)
  }

  private static func readiness(of entry: QueuedRequest, _ conditions: Conditions) -> Readiness {
    if let expiry = entry.request.expiry, expiry <= conditions.now { return .rejected(.expired) }
    switch entry.action {
    case .void, .timer: return .ready
    case .relabel: return entry.label == nil ? .rejected(.badPayload) : .ready
    case .clearTare: return conditions.tare == .zero ? .rejected(.noTare) : .ready
    case .tare, .zero, .commit, .target, .count, .container, .dose: if !entry.needsPad { return .ready }
    }
    let latch = entry.latch(tareEpoch: conditions.reading.tareEpoch)
    if !conditions.hasPad {
      // A released press that only waited for a second one when the pad was unplugged is confirmed.
      if entry.action == .commit, let latch, conditions.isEnough(latch.reading) { return .ready }
      return isPadExpected(entry, conditions) ? .waiting : .rejected(.padMissing)
    }
    if conditions.reading.isOverloaded { return .rejected(.overload) }
    // In the frame in which the load changes, the reading is still that of the old load.
    let isCurrent = conditions.frameAgreesWithReading
    let ifAbsent = isCurrent || conditions.now >= entry.deadline ? Readiness.rejected(.empty) : .waiting
    switch entry.action {
    case .tare, .container:
      // A tare that is given needs no load.
      if case .tare = entry.parameters { return .ready }
      guard let gross = conditions.gross, gross > .zero else { return ifAbsent }
      if latch != nil { return .ready }
    case .count:
      guard let net = conditions.reading.highResolution, net > .zero else { return ifAbsent }
      // The uncertainty of the piece mass needs that of a stable reading.
      if conditions.reading.isStable, isCurrent { return .ready }
      return conditions.now >= entry.deadline ? .rejected(.unstable) : .waiting
    case .commit:
      if let latch { return conditions.isEnough(latch.reading) ? .ready : .rejected(.belowMinimum) }
      guard conditions.gross != nil else { return ifAbsent }
      // A record needs the certainty of a stable reading, which takes longer for a very small load.
      if conditions.reading.isStable, isCurrent {
        return conditions.isEnough(conditions.reading) ? .ready : .rejected(.belowMinimum)
      }
      return conditions.now >= entry.deadline ? .rejected(.unstable) : .waiting
    case .zero: if conditions.isBare { return .ready }
    case .dose: if conditions.isBare { return ifAbsent }
    case .clearTare, .void, .relabel, .timer, .target: break
    }
    if conditions.isSettled, isCurrent { return .ready }
    return conditions.now >= entry.deadline ? .rejected(.unstable) : .waiting
  }

  /// Whether a request waits for a pad: after the start one may still be connected, but a disconnected one is missing.
  private static func isPadExpected(_ entry: QueuedRequest, _ conditions: Conditions) -> Bool {
    switch conditions.presence {
    case .unknown: true
    case .expected: conditions.now < entry.deadline
    case .seen: false
    }
  }

  // MARK: Records

  /// Whether another record can be passed to the journal.
  var hasRoomForRecord: Bool { recordCount < Self.maximumRecordsInFlight }

  /// Counts a record that is passed to the journal.
  mutating func beginRecord() { recordCount += 1 }

  /// Counts the outcome of a record.
  mutating func endRecord() { recordCount = max(recordCount - 1, 0) }
}

extension RequestQueue.Conditions {
  /// Whether a net is large enough to be recorded; what was taken out of a tared container counts like what was put in.
  func isEnough(_ reading: Reading) -> Bool {
    guard let net = reading.net, !reading.isUnderloaded else { return false }
    return net.mass.magnitude >= minimum
  }
}

extension QueuedRequest {
  /// The content of the record that the request asks for; `nil` if the reading has not settled.
  ///
  /// - Parameter reading: The current reading; the one before the press takes precedence.
  func recordKind(_ reading: Reading, tareEpoch: Int) -> WeighingDraft.Kind? {
    switch action {
    case .void: .void(request.reference)
    case .relabel: .relabel(request.reference)
    case .tare, .clearTare, .zero, .commit, .timer, .target, .count, .container, .dose:
      Measurement(latch(tareEpoch: tareEpoch)?.reading ?? reading).map(WeighingDraft.Kind.weighing)
    }
  }
}

extension Measurement {
  /// Makes the measurement of a settled reading; `nil` for a reading without a mass.
  init?(_ reading: Reading) {
    guard let net = reading.net, let calibration = reading.calibration else { return nil }
    self.init(
      gross: reading.gross, tare: reading.tare, net: net, uncertainty: reading.uncertainty,
      pieces: reading.instruments?.count?.pieces, calibration: calibration)
  }
}

extension QueuedRequest {
  /// Whether it starts a dose.
  fileprivate var startsDose: Bool { if case .dose(.start) = parameters { true } else { false } }

  /// Whether it precedes the requests that wait for the load: one for the timer, or the stop of a dose.
  fileprivate var isUrgent: Bool { action == .timer || action == .dose && parameters == .none }

  /// Whether the action concerns the load on the pad.
  var needsPad: Bool {
    switch (action, parameters) {
    case (.tare, _), (.zero, _), (.commit, _): true
    case (.container, .container(.store)), (.count, .count(.sample)), (.dose, .dose(.start)): true
    case (.container, _), (.count, _), (.timer, _), (.target, _), (.dose, _), (.clearTare, _), (.void, _),
      (.relabel, _):
      false
    }
  }
}

extension RequestQueue: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "records in flight are counted": (0...Self.maximumRecordsInFlight).contains(recordCount),
      "requests that wait for nothing come first": !queue.drop(while: \.isUrgent).contains(where: \.isUrgent),
    ]
  }
}
