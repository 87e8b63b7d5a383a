/// The request to act that is shown, and the press that grants it.
///
/// ```
///            ask          a press that was begun for it, or Allow
///   ┌──────┐ ──► ┌─────────┐ ────────────────────────────────────────► granted
///   │ idle │     │ pending │
///   └──────┘     └─────────┘ ────────────────────────────────────────► refused
///                   Refuse, 60 s, the client has gone, pairing is off
/// ```
/// What is granted or refused is idle again. The press belongs to the request that was pending when it began: one that began
/// earlier, or for another request, grants nothing.
struct Pairing: Sendable {
  /// How long a request can be granted. Chosen: a user has time to walk to the scale; more would keep others waiting.
  static let patience = Interval.seconds(60)
  /// A press that begins earlier after the request was shown was not meant for it. Chosen: no one reads a name and decides within a
  /// second; with more, a user who presses at once has to press twice.
  static let reactionTime = Interval.seconds(1)

  /// The request that is shown.
  private(set) var pending: PairingRequest?
  /// When the pending request expires; `nil` without one. Each frame asks for it, so it is stored.
  private(set) var deadline: Instant?
  private var shownAt = Instant(nanoseconds: 0)

  /// Shows a request; returns the one that it replaces.
  mutating func ask(_ request: PairingRequest, at now: Instant) -> PairingRequest? {
    defer { (pending, deadline, shownAt) = (request, now + Self.patience, now) }
    return pending
  }

  /// The request that a press is meant for if it begins now.
  func request(forPressAt now: Instant) -> UInt64? {
    deadline != nil && now - shownAt >= Self.reactionTime ? pending?.id : nil
  }

  /// Ends the pending request if it is this one, or any for `nil`; returns it, `nil` if it is not pending any longer.
  mutating func end(_ id: UInt64?) -> PairingRequest? {
    guard id == nil || id == pending?.id else { return nil }
    deadline = nil
    return pending.take()
  }

  /// Ends the pending request if its time is over; returns it.
  mutating func expire(at now: Instant) -> PairingRequest? {
    guard let deadline, deadline <= now else { return nil }
    return end(nil)
  }
}

extension ScaleMachine {
  /// Processes what happens to requests to act.
  mutating func pair(_ input: PairingInput, _ effects: inout [Effect]) {
    switch input {
    case .ask(let request):
      if let former = pairing.ask(request, at: now) { report(former, .refused(.withdrawn), &effects) }
      report(request, .requested, &effects)
      effects.append(.feedback(.asking, at: now))
    case .end(let id, let progress): if let request = pairing.end(id) { end(request, progress, &effects) }
    }
  }

  /// Grants the request that a press was begun for; a press whose request has ended meanwhile was not meant to record anything.
  mutating func pair(_ id: UInt64, by source: ActionSource, _ effects: inout [Effect]) {
    if let request = pairing.end(id) { return end(request, .granted, &effects) }
    reject(PairingRequest.action, source, .requestOver, &effects)
  }

  /// Ends a request whose time is over.
  mutating func expirePairing(_ effects: inout [Effect]) {
    if let request = pairing.expire(at: now) { end(request, .refused(.timedOut), &effects) }
  }

  private func end(_ request: PairingRequest, _ progress: PairingProgress, _ effects: inout [Effect]) {
    report(request, progress, &effects)
    // A press that is signalled ends that itself.
    if !presses.isSignalled { effects.append(.feedback(.ended, at: now)) }
  }

  private func report(_ request: PairingRequest, _ progress: PairingProgress, _ effects: inout [Effect]) {
    effects.append(weigher.event(.pairing(request, progress), at: now))
  }
}
