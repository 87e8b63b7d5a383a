import Linux
import Messages
import Weighing

@testable import Appliance
@testable import Journal

/// The front ends through which people act on a scale.
///
/// ```
///   client, model ─► broker ─► CommandReceiver ─┐                    ┌─► MessageComposer ─► broker ─► client, model
///   page ─► DashboardService ───────────────────┼─► scale ─► result ─┼─► payload of the response ─► page
///   terminal ─► SICSSession ────────────────────┘                    └─► line ─► terminal
/// ```
/// What they are told is compared with the journal at the end of the life. `Run` is what ends with the program.
final class SimulatedViews: SimulatedBroker.Client, @unchecked Sendable {
  /// Who acts, and is told the outcome.
  enum View: String, CaseIterable {
    case client, model, page
  }

  /// What a scale does for its front ends.
  struct Scale {
    /// Handles an input.
    var submit: (ScaleMachine.Input) -> Void
    /// Passes a message to the link.
    var publish: (Message) -> Void
    var isConnected: () -> Bool
    /// The offset of the time of day.
    var offset: @Sendable () -> Interval
  }

  /// The front ends of one run of the program.
  private final class Run {
    let scale: Scale
    let pending: PendingRequests
    let commands: CommandReceiver
    let page: DashboardService
    let terminal: SimulatedTerminal
    var composer: MessageComposer
    var reading: Reading?
    /// The tare that was told last; `nil` before the first.
    var tare: DisplayedMass?
    /// The commands and the requests of the page that are not answered.
    var openCommands = 0
    var openRequests = 0
    /// The commands whose answer has not arrived.
    var awaited: Set<String> = []

    init(
      _ scale: Scale, _ pending: PendingRequests, _ commands: CommandReceiver, _ page: DashboardService,
      _ terminal: SimulatedTerminal, _ composer: MessageComposer
    ) {
      (self.scale, self.pending, self.commands, self.page) = (scale, pending, commands, page)
      (self.terminal, self.composer) = (terminal, composer)
    }
  }

  private unowned let world: World
  private let topics: Topics
  private let model: SimulatedModel
  private var run: Run?
  private var told = ToldAnswers()
  private var lastNumber = 0
  private var name: String { topics.id }
  private var responseTopic: String { topics(.result) + "/person" }

  init(_ topics: Topics, in world: World) {
    (self.topics, self.world) = (topics, world)
    model = SimulatedModel(topics.id, in: world)
    let resend = topics.command(Command.resendName)
    let answers = responseTopic
    world.broker.subscribe(self, to: "views") { topic in
      topic == answers || topic.hasPrefix(topics.commands) && topic != resend
    }
  }

  /// Whether everybody who waits was answered.
  var isAnswered: Bool {
    guard let run else { return false }
    return run.openCommands == 0 && run.openRequests == 0 && run.awaited.isEmpty && run.terminal.isAnswered
      && model.isAnswered
  }

  // MARK: Life

  /// The program starts.
  func start(_ scale: Scale) {
    let pending = PendingRequests()
    let clock = { @Sendable [unowned self] in world.now }
    let submit = { [unowned self] (input: ScaleMachine.Input) in pass(input, to: scale) }
    run = Run(
      scale, pending, CommandReceiver(topics: topics, pending: pending, clock: clock, backlog: { 0 }),
      DashboardService(
        topics: topics, pending: pending, logger: World.quiet, clock: clock, wallOffset: scale.offset),
      SimulatedTerminal(name, in: world, pending: pending, submit: submit),
      MessageComposer(topics: topics, heartbeat: .zero, clock: .recorded))
  }

  /// The program ends without a word.
  func end() {
    run?.terminal.end()
    run = nil
  }

  /// Somebody acts.
  func act(_ action: Action) {
    // A terminal has no commands for records.
    if world.chance(4) { run?.terminal.send() }
    guard let run else { return }
    lastNumber += 1
    let label = [.commit, .relabel].contains(action) ? "label \(lastNumber)" : nil
    switch View.allCases.randomElement(using: &world.random) ?? .page {
    case .client:
      // Some do not know the format.
      let isWrong = world.chance(16)
      send(action, label: label, id: nil, as: .mqtt, expiry: nil, adding: isWrong ? [UInt8(ascii: "}")] : [])
    case .model:
      let needsID = action == .void || action == .relabel
      if needsID, told.lastWeighing == nil { return request(action, label, of: run) }
      let call = SimulatedModel.Call(action: action, label: label, id: needsID ? told.lastWeighing : nil)
      let correlation = send(
        action, label: label, id: call.id, as: .commandLine, expiry: SimulatedModel.patience, adding: [])
      model.wait(for: correlation, call)
    case .page: request(action, label, of: run)
    }
  }

  private func pass(_ input: ScaleMachine.Input, to scale: Scale) {
    if case .request(let request) = input { told.ask(request) }
    scale.submit(input)
  }

  // MARK: Page

  private func request(_ action: Action, _ label: String?, of run: Run) {
    let payload = Command.payload(correlation: nil, label: label, source: .dashboard)
    guard let asked = try? ActionRequest(name: action.rawValue, payload: payload, source: .dashboard) else {
      return world.violation("\(name): the page refuses \(action)")
    }
    run.openRequests += 1
    run.page.perform(
      asked, { [unowned self] payload in pageIsAnswered(payload) }, send: { pass($0, to: run.scale) })
  }

  private func pageIsAnswered(_ payload: [UInt8]?) {
    guard let run else { return world.violation("\(name): the page is answered after the end") }
    run.openRequests -= 1
    world.reached(payload == nil ? "page refused" : "page answered")
    if let payload { tell(.page, payload) }
  }

  private func tell(_ view: View, _ payload: [UInt8]) {
    guard let fault = told.tell(view, payload) else { return }
    world.violation("\(name): the \(view) is told \(fault): \(String(decoding: payload, as: UTF8.self))")
  }

  // MARK: MQTT

  @discardableResult
  private func send(
    _ action: Action, label: String?, id: String?, as source: ActionSource, expiry: Interval?, adding rest: [UInt8]
  ) -> String {
    let correlation = "\(source.rawValue) \(lastNumber)"
    let payload = Command.payload(
      correlation: correlation, label: label, reference: WeighingReference(id: id), source: source)
    var message = Message(
      topic: topics.command(action.rawValue), payload: payload + rest, delivery: .assured, expiry: expiry)
    (message.responseTopic, message.correlation) = (responseTopic, Array(correlation.utf8))
    world.broker.publish(message)
    return correlation
  }

  func receive(_ message: IncomingMessage) {
    let correlation = String(decoding: message.correlation ?? [], as: UTF8.self)
    if message.topic == responseTopic { return receiveAnswer(message.payload, to: correlation) }
    // The scale is subscribed while it is connected.
    guard let run, run.scale.isConnected() else { return }
    switch run.commands.receive(message) {
    case .none, .resend: world.violation("\(name): \(message.topic) is no action")
    case .input(let input):
      run.openCommands += 1
      run.awaited.insert(correlation)
      pass(input, to: run.scale)
    case .rejected(let command, let reason, _):
      world.reached("command rejected")
      run.awaited.insert(correlation)
      run.scale.publish(
        run.composer.rejection(of: command, reason, reading: run.reading, at: world.now)[1])
    }
  }

  /// An answer has arrived, maybe one that came before or from before a crash.
  private func receiveAnswer(_ payload: [UInt8], to correlation: String) {
    let isModel = correlation.hasPrefix(ActionSource.commandLine.rawValue)
    world.reached(isModel ? "model answered" : "client answered")
    run?.awaited.remove(correlation)
    tell(isModel ? .model : .client, payload)
    if isModel { model.finish(correlation, payload) }
  }

  // MARK: Effects

  /// Passes on an effect of the scale, in the order of `EffectRouter`.
  func handle(_ effect: Effect) {
    guard let run else { return }
    switch effect {
    case .result(let result):
      update(result.reading, of: run)
      told.decide(result)
      if result.rejection == nil { run.tare = tare(after: result) ?? run.tare }
      guard let recipient = run.pending.remove(result.request) else {
        return world.violation("\(name): an answer without a request: \(result.request)")
      }
      if let caller = recipient.caller {
        run.openCommands -= 1
        run.composer.clock = WallClock(offset: run.scale.offset())
        run.scale.publish(run.composer.answer(result, to: caller))
      }
      run.page.handle(effect)
      recipient.deliver(result)
    case .record(let draft):
      if case .weighing(let measurement) = draft.kind, let tare = run.tare, measurement.tare != tare {
        world.violation("\(name): the tare \(tare) was told, \(measurement.tare) is recorded")
      }
    case .live(let reading), .settled(let reading), .reading(let reading): update(reading, of: run)
    case .event(let event):
      // The scale may clear the tare by itself; an answer follows its event.
      if case .tareCleared = event.kind { run.tare = nil }
    case .weighing: run.page.handle(effect)
    default: break
    }
  }

  private func update(_ reading: Reading, of run: Run) {
    run.reading = reading
    run.terminal.update(reading)
  }

  /// The tare that an answer tells, if the action has changed it.
  private func tare(after result: ActionResult) -> DisplayedMass? {
    switch Action(rawValue: result.request.name) {
    case .tare, .clearTare, .zero: result.reading.tare
    default: nil
    }
  }

  /// The journal has read the weighings of earlier runs.
  func addHistory(_ entries: [HistoryEntry]) { run?.page.addHistory(entries) }

  // MARK: Checks

  /// Compares what was told, and what the page shows, with the journal.
  func check(_ entries: [HistoryEntry], lost: RangeSet<Int>) {
    var faults = told.faults(in: entries, lost: lost)
    if let run, let fault = ToldAnswers.fault(in: run.page.recent, entries, lost: lost) { faults.append(fault) }
    for fault in faults { world.violation("\(name): \(fault)") }
  }
}
