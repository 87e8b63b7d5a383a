import EventLoop
import MQTTLink
import Messages
import Synchronization
import Weighing

/// Turns what the appliance has to say into messages and hands them to the link.
///
/// May be called on any thread; nothing in it waits. It remembers the newest of every retained topic, so that a link
/// to another broker begins with all of them.
final class Publisher: Sendable {
  private struct State: Sendable {
    var composer: MessageComposer
    var health: Health
    var published: Health?
    /// Whether health is not sent yet, and, once a connection stands, until when at most.
    var holdsHealth = false
    var heldUntil: Instant?
    var link: MQTTLink?
    var retained: [String: Message] = [:]
    /// The newest reading that was told.
    var reading: Reading?
    /// The newest weighing that is not voided, as published last; `nil` while the journal has not been read.
    var lastWeighing: LastWeighing?
    /// What is being sent, empty between two calls: kept for its memory.
    var messages: [Message] = []
  }

  private enum LastWeighing: Sendable {
    /// All weighings are voided, or there has been none.
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

  /// Makes a publisher that remembers until it has a link.
  ///
  /// - Parameters:
  ///   - onMessage: Called with every message, whether there is a link or not; must not wait.
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

  /// The message by which a broker tells that the appliance is gone; also the will.
  var farewell: Message { state.withLock { $0.composer.availability(false) } }

  /// Publishes through another link from now on, beginning with all that is retained.
  func use(_ link: MQTTLink?) {
    state.withLock { state in
      state.link = link
      guard let link else { return }
      send([state.composer.availability(true)], &state)
      for (_, message) in state.retained { link.publish(message) }
    }
  }

  /// Publishes a message that is ready to be sent; a retained one again at each connection.
  func publish(_ message: Message) {
    state.withLock { state in send([message], &state) }
  }

  /// Hands a message to the link under a token, see `MQTTLink.publish(_:token:)`.
  func send(_ message: Message, token: UInt64) -> Admission {
    state.withLock { $0.link }?.publish(message, token: token) ?? .notConnected
  }

  /// Publishes the quick actions of the start.
  func publish(_ actions: [QuickAction]) {
    state.withLock { state in send([state.composer.actions(actions)], &state) }
  }

  /// Publishes the newest weighing that was not voided when the appliance started, unless something has been recorded
  /// since. Without one, a weighing that the broker still keeps is cleared.
  func publish(last record: RecordedWeighing?) {
    state.withLock { state in
      guard state.lastWeighing == nil else { return }
      state.lastWeighing = LastWeighing(record)
      sendLate(&state)
    }
  }

  /// A connection stands: what was weighed before is late on it.
  func noteConnection() {
    state.withLock { state in
      sendLate(&state)
      if state.holdsHealth, state.heldUntil == nil { state.heldUntil = .now() + Self.longestHold }
    }
  }

  /// Keeps health from the broker until `releaseHealth`, so that what the broker has retained can be read first.
  func holdHealth() { state.withLock { $0.holdsHealth = true } }

  /// Sends health, and from now on whenever it changes.
  func releaseHealth() { state.withLock { release(&$0) } }

  /// A disk that hangs keeps the journal from comparing; health says so after this time.
  private static let longestHold = Interval.seconds(10)

  /// What is to be subscribed to while health is held.
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

  /// Composes the messages of an effect that is published by other means; the page gets them at once.
  func compose(_ effect: Effect) -> [Message] {
    state.withLock { state in
      state.composer.clock = WallClock(offset: Instant.wallOffset())
      let messages = state.composer.messages(for: effect)
      messages.forEach(onMessage)
      return messages
    }
  }

  /// Publishes what an effect stands for.
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

  /// Answers whoever has asked.
  func publish(_ result: ActionResult, to caller: Caller) {
    state.withLock { state in
      state.composer.clock = WallClock(offset: Instant.wallOffset())
      state.reading = result.reading
      send([state.composer.answer(result, to: caller)], &state)
    }
  }

  /// Answers a command that is refused before the scale decides on it; drops and counts the answer if there is no room.
  func refuse(_ command: Command, _ reason: Command.Refusal, within allowance: CommandDesk.Allowance) {
    state.withLock { state in
      guard state.link?.hasRoom(below: allowance.backlog) ?? true else { return }
      state.composer.clock = WallClock(offset: Instant.wallOffset())
      let messages = state.composer.refusal(of: command, reason, reading: state.reading, at: .now())
      send(allowance.hasEvent ? messages : messages.suffix(1), &state)
    }
  }

  /// How many events and answers wait to be sent.
  var backlog: Int { state.withLock { $0.link }?.backlog ?? 0 }

  /// Publishes the health if `change` changes it.
  func updateHealth(_ change: (inout Health) -> Void) {
    state.withLock { state in
      change(&state.health)
      sendHealth(&state)
    }
  }

  /// Adopts another heartbeat, after a reload.
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
    // First of all, since somebody waits for them.
    state.link?.publish(messages)
    for message in messages {
      onMessage(message)
      if message.delivery == .retained { state.retained[message.topic] = message.payload.isEmpty ? nil : message }
    }
  }
}
