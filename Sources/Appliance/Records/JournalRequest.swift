import Journal
import MQTTLink
import Messages
import Weighing

/// What `JournalMachine` is asked to do.
enum JournalRequest: Sendable {
  case record(WeighingDraft)
  case remember(ScaleMemory)
  /// Store a container, or remove it: `nil` for its tare.
  case changeContainer(ContainerName, Grams?, at: Instant)
  /// Store what was learned about stops with a label, or remove it: no samples.
  case changeStop(LearnedStop, at: Instant)
  case audit(AuditEntry, at: Instant)
  case begin(RecordContext, at: Instant)
  case connected(BrokerAddress, BrokerLimits)
  case disconnected(LinkError)
  case subscribed
  case retainedSequence(Int)
  case acknowledged(token: UInt64, ReasonCode)
  case announce(Message)
  case resend(ResendRequest)

  /// A draft, or an entry for the audit trail; `nil` for an effect that the journal does not store.
  init?(_ effect: Effect, at wall: @autoclosure () -> Instant) {
    switch effect {
    case .record(let draft): self = .record(draft)
    case .memory(let memory, _): self = .remember(memory)
    case .containerChange(let name, let tare, _): self = .changeContainer(name, tare, at: wall())
    case .learnedStopChange(let stop, _): self = .changeStop(stop, at: wall())
    case .event(let event):
      guard case .zeroed = event.kind else { return nil }
      self = .audit(.zero, at: wall())
    case .live, .pendingLabel, .output, .learnedStops, .reading, .settled, .contacts, .result, .gesture, .control,
      .feedback, .weighing, .lastWeighing, .actions, .padWarning, .sampling, .containers:
      return nil
    }
  }

  /// What an event of the link means for the delivery.
  init?(_ event: LinkEvent, health: String) {
    switch event {
    case .connected(let broker, _, _, let limits): self = .connected(broker, limits)
    case .disconnected(_, let fault): self = .disconnected(fault)
    case .acknowledged(let token, let reason): self = .acknowledged(token: token, reason)
    case .subscribed(let filter):
      guard filter == health else { return nil }
      self = .subscribed
    case .message(let message):
      guard message.isRetained, message.topic == health else { return nil }
      self = .retainedSequence(Health.journalSequence(in: message.payload) ?? 0)
    case .refused, .dropped, .urgent: return nil
    }
  }
}

/// What `JournalMachine` passes on, on its own thread.
enum JournalOutput: Sendable {
  /// The outcome of a draft.
  case outcome(RecordOutcome)
  /// The newest weighing that is not voided, before anything new is recorded; `nil` if there is none.
  case last(RecordedWeighing?)
  /// The newest weighings that are not voided, newest first: at the start and after each record, for the zone
  /// `history`.
  case standing([RecordedWeighing])
  /// Whether the system clock is synchronised, when that has changed.
  case clock(ClockState)
  /// The state of the scale that was stored last.
  case memory(ScaleMemory)
  /// The containers stored by earlier runs.
  case containers([Container])
  /// What earlier runs have learned about stops.
  case stops([LearnedStop])
  /// The newest records of earlier runs, oldest first; again once the journal has found others.
  case recent([HistoryEntry])
  /// The state of the journal and the highest sequence number it has assigned.
  case health(Health.Journal, Health.Outbox, sequence: Int?)
  /// Weighings were lost, or a rejected one reversed.
  case incident(JournalIncident)
  /// The sequence comparison with the broker is over: health may be published.
  case sequenceCompared
  /// A request for records is carried out or rejected.
  case resent(ResendAnswer)
}
