import EventLoop
import MQTTLink
import Messages
import Synchronization
import Weighing

/// Converts what the appliance publishes into messages and passes them to the link.
///
/// May be called on any thread; never waits. It keeps the newest message of every retained topic, so that a link to
/// another broker publishes all of them first.
final class Publisher: Sendable {
  private struct State: Sendable {
    var composer: MessageComposer
    var health: Health
    var published: Health?
    /// Whether health is held back and, once connected, until when at most.
    var holdsHealth = false
    var heldUntil: Instant?
    var link: MQTTLink?
    var retained: [String: Message] = [:]
    /// The newest reading published.
    var reading: Reading?
    /// The newest weighing that is not voided, as last published; `nil` while the journal has not been read.
    var lastWeighing: LastWeighing?
    /// Buffer for the effects being published; empty between two calls, kept to reuse its memory.
    var messages: [Message] = []
  }

  private enum LastWeighing: Sendable {
    /// All weighings are voided, or there are none.
    case none
    case some(RecordedWeighing)

    init(_ record: RecordedWeighing?) { self = record.map(Self.some) ?? .none }

    var record: RecordedWeighing? {
      switch self {
      case .none: nil
      case .some(let record): record
      }
    }
  }

  private let state: Mutex<State>
  private let onMessage: @Sendable (Message) -> Void
  private let onHealth: @Sendable (Health) -> Void

  /// Makes a publisher that keeps retained messages until it has a link.
  ///
  /// - Parameters:
  ///   - onMessage: Called with every message, with or without a link; must not wait.
  ///   - onHealth: Called with the health whenever it changes; must not wait.
  init(
    topics: Topics, heartbeat: Interval, onMessage: @escaping @Sendable (Message) -> Void = { _ in },
    onHealth: @escaping @Sendable (Health) -> Void = { _ in }
  ) {
    self.onMessage = onMessage
    self.onHealth = onHealth
    let health = Health(
      pad: .missing("not looked for yet"), broker: .disconnected("not connected yet"), calibration: nil,
      journal: .unavailable("not opened yet"), configurationFault: nil, version: Version.text)
    let composer = MessageComposer(topics: topics, heartbeat: heartbeat, clock: .recorded)
    state = Mutex(State(composer: composer, health: health))
  }

  /// The message with which a broker reports that the appliance is gone; also the will.
  var farewell: Message { state.withLock { $0.composer.availability(false) } }

  /// Publishes through another link from now on, starting with all retained messages.
  func use(_ link: MQTTLink?) {
    state.withLock { state in
      state.link = link
      guard let link else { return }
      send([state.composer.availability(true)], &state)
      for (_, message) in state.retained { link.publish(message) }
    }
  }

  /// Publishes a message; a retained one again on each connection.
  func publish(_ message: Message) {
    state.withLock { state in send([message], &state) }
  }

  /// Publishes a message with a token; see `MQTTLink.publish(_:token:)`.
  func send(_ message: Message, token: UInt64) -> Admission {
    state.withLock { $0.link }?.publish(message, token: token) ?? .notConnected
  }

  /// Publishes the quick actions at the start.
  func publish(_ actions: [QuickAction]) {
    state.withLock { state in send([state.composer.actions(actions)], &state) }
  }

  /// Publishes the newest weighing that was not voided when the appliance started, unless something was recorded since.
  /// If there is none, a weighing that the broker still retains is cleared.
  func publish(last record: RecordedWeighing?) {
    state.withLock { state in
      guard state.lastWeighing == nil else { return }
      state.lastWeighing = LastWeighing(record)
      sendLate(&state)
    }
  }

  /// The connection is established: weighings made before are historical on it.
  func noteConnection() {
    state.withLock { state in
      sendLate(&state)
      if state.holdsHealth, state.heldUntil == nil { state.heldUntil = .now() + Self.longestHold }
    }
  }

  /// Holds health back until `releaseHealth`, so that the broker's retained value can be read first.
  func holdHealth() { state.withLock { $0.holdsHealth = true } }

  /// Publishes health, now and whenever it changes.
  func releaseHealth() { state.withLock { release(&$0) } }

  /// A hung disk prevents the sequence comparison; health is published after this time anyway.
  private static let longestHold = Interval.seconds(10)

  /// The topics to subscribe to while health is held back.
  var filters: [String] { state.withLock { $0.holdsHealth ? [$0.composer.topics(.health)] : [] } }

  private func release(_ state: inout State) {
    guard state.holdsHealth else { return }
    state.holdsHealth = false
    state.link?.unsubscribe(state.composer.topics(.health))
    state.published = nil
    sendHealth(&state)
  }

  private func sendLate(_ state: inout State) {
    guard let last = state.lastWeighing else { return }
    send([state.composer.lastWeighing(last.record, historical: true)], &state)
  }

  /// Composes the messages of an effect that is published by other means; the page receives them immediately.
  func compose(_ effect: Effect) -> [Message] {
    state.withLock { state in
      state.composer.clock = WallClock(offset: Instant.wallOffset())
      let messages = state.composer.messages(for: effect)
      messages.forEach(onMessage)
      return messages
    }
  }

  /// Publishes the messages of an effect.
  func publish(_ effect: Effect) {
    state.withLock { state in
      state.composer.clock = WallClock(offset: Instant.wallOffset())
      state.composer.messages(for: effect, into: &state.messages)
      send(state.messages, &state)
      state.messages.removeAll(keepingCapacity: true)
      if case .lastWeighing(let record, _, _) = effect { state.lastWeighing = LastWeighing(record) }
      if state.holdsHealth, let until = state.heldUntil, until <= .now() { release(&state) }
      if case .padWarning(let warning, _) = effect {
        state.health.padWarning = warning
        sendHealth(&state)
      }
      guard case .live(let reading) = effect else { return }
      state.reading = reading
      if state.health.calibration != reading.calibration?.rawValue {
        state.health.calibration = reading.calibration?.rawValue
        sendHealth(&state)
      }
    }
  }

  /// Answers the caller of a request.
  func publish(_ result: ActionResult, to caller: Caller) {
    state.withLock { state in
      state.composer.clock = WallClock(offset: Instant.wallOffset())
      state.reading = result.reading
      send([state.composer.answer(result, to: caller)], &state)
    }
  }

  /// Answers a command that was rejected before the scale decided on it; drops and counts the answer if the queue is
  /// full.
  func refuse(_ command: Command, _ reason: Command.Refusal, within allowance: CommandDesk.Allowance) {
    state.withLock { state in
      guard state.link?.hasRoom(below: allowance.backlog) ?? true else { return }
      state.composer.clock = WallClock(offset: Instant.wallOffset())
      let messages = state.composer.refusal(of: command, reason, reading: state.reading, at: .now())
      send(allowance.hasEvent ? messages : messages.suffix(1), &state)
    }
  }

  /// Number of queued events and answers.
  var backlog: Int { state.withLock { $0.link }?.backlog ?? 0 }

  /// Publishes health if `change` changes it.
  func updateHealth(_ change: (inout Health) -> Void) {
    state.withLock { state in
      change(&state.health)
      sendHealth(&state)
    }
  }

  /// Sets another heartbeat after a reload.
  func setHeartbeat(_ heartbeat: Interval) {
    state.withLock { state in
      state.composer = MessageComposer(
        topics: state.composer.topics, heartbeat: heartbeat, clock: state.composer.clock)
    }
  }

  private func sendHealth(_ state: inout State) {
    guard state.health != state.published else { return }
    state.published = state.health
    onHealth(state.health)
    state.composer.clock = WallClock(offset: Instant.wallOffset())
    let message = state.composer.health(state.health, at: .now())
    if state.holdsHealth { onMessage(message) } else { send([message], &state) }
  }

  private func send(_ messages: [Message], _ state: inout State) {
    if messages.isEmpty { return }
    // Sent first, because a caller is waiting for them.
    state.link?.publish(messages)
    for message in messages {
      onMessage(message)
      if message.delivery == .retained { state.retained[message.topic] = message.payload.isEmpty ? nil : message }
    }
  }
}
