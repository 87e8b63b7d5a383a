import Languages
import Linux
import MQTTLink
import Messages
import Weighing

/// Converts what the appliance publishes into messages and passes them to the link.
///
/// May be called on any thread; never waits. Messages are composed under a lock and delivered without it, in the same
/// order. It keeps the newest message of every retained topic, so that a link to another broker publishes all of them
/// first.
final class Publisher: Sendable {
  private let output: OrderedOutput<PublisherState, PublisherOutput>

  /// Makes a publisher that keeps retained messages until it has a link.
  ///
  /// - Parameters:
  ///   - healthInterval: The time after which health is published again without a change. A collector that has missed the
  ///     last one, for example because the node of a cluster that had it has failed, then learns the highest number.
  ///   - onMessage: Called with every message, with or without a link; must not wait.
  ///   - onHealth: Called with the health whenever it changes; must not wait.
  ///   - clock: The monotonic clock.
  ///   - wallOffset: The offset of the time of day from it.
  init(
    topics: Topics, heartbeat: Interval, healthInterval: Interval = .seconds(300),
    onMessage: @escaping @Sendable (Message) -> Void = { _ in },
    onHealth: @escaping @Sendable (Health) -> Void = { _ in },
    clock: @escaping @Sendable () -> Instant = Instant.now,
    wallOffset: @escaping @Sendable () -> Interval = Instant.wallOffset
  ) {
    let health = Health(
      pad: .missing(Sentence(.padNotSearched)), broker: .disconnected(Sentence(.linkNotYet)), calibration: nil,
      journal: .unavailable(Sentence(.journalNotYet)), configurationError: nil, version: Version.text)
    let composer = MessageComposer(topics: topics, heartbeat: heartbeat, clock: .recorded)
    let state = PublisherState(
      composer: composer, health: health, published: health, nextHealth: clock() + healthInterval,
      healthInterval: healthInterval, clock: clock, wallOffset: wallOffset)
    output = OrderedOutput(state, empty: PublisherOutput()) { output in
      output.send()
      output.messages.forEach(onMessage)
      output.health.forEach(onHealth)
      output.removeAll()
    }
  }

  /// Changes the state and sends the messages that the change has composed, and health if it has changed.
  private func update(_ change: (inout PublisherState, inout PublisherOutput) -> Void) {
    output.update { state, output in
      change(&state, &output)
      state.composeHealth(into: &output)
      // Without a link, output that is still pending goes to the link of its time.
      if let link = state.link { output.link = link }
    }
  }

  // MARK: - Messages

  /// Publishes a message; a retained one again on each connection.
  func publish(_ message: Message) { update { state, output in state.append([message], to: &output) } }

  /// Publishes a message with a token; see `MQTTLink.publish(_:token:)`.
  func publish(_ message: Message, token: UInt64) -> Admission {
    output.read(\.link)?.publish(message, token: token) ?? .notConnected
  }

  /// Publishes the quick actions and the containers of the configuration at the start.
  func publish(_ actions: [QuickAction], _ containers: [Container]) {
    update { state, output in
      state.append([state.composer.actions(actions), state.composer.containers(containers)], to: &output)
    }
  }

  /// Publishes the messages of an effect.
  func publish(_ effect: Effect) {
    update { state, output in
      let first = output.messages.count
      state.compose(effect, into: &output.messages)
      state.retain(output.messages[first...])
      switch effect {
      case .lastWeighing(let record, _, _): state.lastWeighing = PublisherState.LastWeighing(record)
      case .padWarning(let warning, _): state.health.padWarning = warning
      case .sampling(let report, _): state.health.sampling = report
      case .live(let reading):
        state.reading = reading
        let origin = reading.calibration?.rawValue
        if state.health.calibration != origin { state.health.calibration = origin }
      case .reading, .settled, .contacts, .event, .result, .gesture, .control, .feedback, .record, .weighing, .actions,
        .memory, .containers, .containerChange, .pendingLabel, .output, .learnedStops, .learnedStopChange:
        break
      }
      if state.holdsHealth, let until = state.heldUntil, until <= state.clock() { state.releaseHealth(into: &output) }
    }
  }

  /// Returns the messages of an effect, which the caller publishes with a token; `onMessage` gets them immediately.
  func messages(for effect: Effect) -> [Message] {
    output.update { state, output in
      let first = output.messages.count
      state.compose(effect, into: &output.messages)
      output.localIndices.formUnion(first..<output.messages.count)
      return Array(output.messages[first...])
    }
  }

  /// Answers a request.
  ///
  /// - Parameter caller: The client that sent the request; `nil` if it did not come over MQTT.
  func publish(_ result: ActionResult, to caller: Caller?) {
    update { state, output in
      state.setClock()
      state.reading = result.reading
      state.append([state.composer.answer(result, to: caller)], to: &output)
    }
  }

  /// Answers a request for records.
  func publish(_ answer: ResendAnswer) {
    update { state, output in
      state.setClock()
      state.append([state.composer.answer(answer.result, to: answer.caller)], to: &output)
    }
  }

  /// Answers a command that was rejected before the scale decided on it; drops and counts the answer if the queue is
  /// full.
  func reject(_ command: Command, _ reason: CommandError, within allowance: CommandAdmission.Allowance) {
    guard output.read(\.link)?.hasRoom(below: allowance.backlog) ?? true else { return }
    update { state, output in
      state.setClock()
      let messages = state.composer.rejection(of: command, reason, reading: state.reading, at: state.clock())
      state.append(allowance.hasEvent ? messages : messages.suffix(1), to: &output)
    }
  }

  /// Publishes the newest weighing that is not voided, unless it is the last one published: at the start, and after the journal has
  /// reversed one by itself. If there is none, a weighing that the broker still retains is cleared.
  func publish(last record: RecordedWeighing?) {
    update { state, output in
      if let last = state.lastWeighing, last.record?.id == record?.id { return }
      state.lastWeighing = PublisherState.LastWeighing(record)
      state.composeLastWeighing(into: &output)
    }
  }

  /// Sets another heartbeat after a reload.
  func setHeartbeat(_ heartbeat: Interval) {
    update { state, _ in state.composer.setHeartbeat(heartbeat) }
  }

  // MARK: - Outputs

  /// Sets the outputs that doses switch, and switches off those that are not among them in the same form: now, and on the next
  /// connection, as this one may end before the broker has the message.
  func setOutputs(_ outputs: [OutputSwitch]) {
    update { state, output in
      let former = state.composer.outputs.missing(from: outputs)
      output.messages += former.offMessages
      state.formerOutputs = (state.formerOutputs + former).missing(from: outputs)
      state.composer.outputs = outputs
    }
  }

  /// Switches all outputs off, whatever became of them since the last connection.
  func switchOutputsOff() {
    update { state, output in
      output.messages += (state.formerOutputs + state.composer.outputs).offMessages
      if state.isConnected { state.formerOutputs = [] }
    }
  }

  /// The outputs that doses switch.
  var outputs: [OutputSwitch] { output.read(\.composer.outputs) }

  // MARK: - Connection

  /// The message with which a broker reports that the appliance is offline; also the will.
  var offlineMessage: Message { output.update { state, _ in state.composer.availability(false) } }

  /// Publishes through another link from now on, starting with all retained messages.
  func use(_ link: MQTTLink?) {
    update { state, output in
      state.link = link
      guard link != nil else { return }
      state.append([state.composer.availability(true)], to: &output)
      output.repeatedMessages = Array(state.retained.values)
    }
  }

  /// Publishes all retained messages again, for Home Assistant at its start: not every broker retains them for clients on
  /// other nodes of its cluster.
  func repeatRetained() {
    update { state, output in
      if state.link != nil { output.repeatedMessages = state.retained.values.filter { !$0.payload.isEmpty } }
    }
  }

  /// The topics to subscribe to on every connection.
  var availabilityFilter: String { output.read { $0.composer.topics(.availability) } }

  /// Publishes `online` again if a message says otherwise.
  ///
  /// A broker publishes the will when it notices that a connection has ended. If the broker hung, or was cut off, that may be
  /// long after the appliance has connected to another node of the cluster.
  func correctAvailability(_ message: IncomingMessage) {
    guard message.topic == availabilityFilter else { return }
    update { state, output in
      let online = state.composer.availability(true)
      guard state.link != nil, message.payload != online.payload else { return }
      state.append([online], to: &output)
    }
  }

  /// Publishes the last weighing as historical on a new connection, and limits how long health is held back.
  func beginConnection() {
    update { state, output in
      state.composeLastWeighing(into: &output)
      if state.holdsHealth, state.heldUntil == nil { state.heldUntil = state.clock() + Self.longestHold }
    }
  }

  /// Number of queued events and answers.
  var backlog: Int { output.read(\.link)?.backlog ?? 0 }

  // MARK: - Health

  /// A hung disk prevents the sequence comparison; health is published after this time anyway.
  private static let longestHold = Interval.seconds(10)

  /// Publishes health if `change` changes it.
  func updateHealth(_ change: (inout Health) -> Void) { update { state, _ in change(&state.health) } }

  /// Holds health back until `releaseHealth`, so that the broker's retained value can be read first.
  func holdHealth() { update { state, _ in state.holdsHealth = true } }

  /// Publishes health, now and whenever it changes.
  func releaseHealth() { update { state, output in state.releaseHealth(into: &output) } }

  /// The topics to subscribe to while health is held back.
  var filters: [String] { output.read { $0.holdsHealth ? [$0.composer.topics(.health)] : [] } }
}
