import Weighing

@testable import Appliance
@testable import Servers

/// A terminal that speaks MT-SICS with one run of the program: each line that it sends is answered once, in order, with what the
/// scale has decided.
///
/// The rounds are those of `SICSClients`, without its sockets.
final class SimulatedTerminal: @unchecked Sendable {
  private unowned let world: World
  private let name: String
  private let pending: PendingRequests
  private let submit: (ScaleMachine.Input) -> Void
  private var session: SICSSession
  private var budget = SICSBudget()
  private var reading: Reading?
  /// The lines that wait for an answer.
  private var asked: [String] = []
  /// When the next round is due.
  private var due: Instant?
  private var isOver = false

  /// The same as that of `SICSService`.
  private static let patience = Interval.seconds(10)
  private static let lines = ["T", "TI", "TC 500", "TA 12 g", "TAC", "ZI", "S", "SI", "@"]

  init(_ name: String, in world: World, pending: PendingRequests, submit: @escaping (ScaleMachine.Input) -> Void) {
    (self.name, self.world, self.pending, self.submit) = (name, world, pending, submit)
    session = SICSSession(SICSIdentity(id: name, capacity: Grams(1000), division: ScaleSettings().scale.division))
  }

  var isAnswered: Bool { asked.isEmpty }

  /// The program has ended, and with it the connection.
  func end() { isOver = true }

  /// The scale has a new reading.
  func update(_ new: Reading) {
    reading = new
    // The scale is still busy with this reading.
    if session.needsReadings { schedule(at: world.now + .milliseconds(1)) }
  }

  /// Sends a line.
  func send() {
    guard let line = Self.lines.randomElement(using: &world.random) else { return }
    // It overtakes those before it, which are then not answered.
    if line == "@" { asked = [] }
    asked.append(line)
    session.receive(Array("\(line)\r\n".utf8), at: world.now)
    round()
  }

  private func round() {
    guard !isOver else { return }
    let now = world.now
    var lines = 2
    if let order = session.advance(reading, at: now, mayAct: budget.mayAct(at: now), lines: &lines) {
      budget.countAction(at: now)
      pass(order)
    }
    guard !isOver else { return }
    read()
    if session.canAdvance {
      schedule(at: now + .milliseconds(1))
    } else if let next = session.isActionDelayed ? budget.nextAction : session.nextDeadline {
      schedule(at: max(next, now + .milliseconds(1)))
    }
  }

  private func schedule(at time: Instant) {
    if let due, due <= time { return }
    due = time
    world.after(time - world.now) { [self] in
      guard due == time else { return }
      due = nil
      round()
    }
  }

  /// Passes an order to the scale, and its result to the session in a later turn of the loop.
  private func pass(_ order: SICSSession.Order) {
    let decided = { @Sendable [weak self] (result: ActionResult?) in
      guard let self else { return }
      if isOver { return world.violation("\(name): MT-SICS is answered after the end") }
      world.after(.milliseconds(1)) { [self] in
        guard !isOver else { return }
        if let next = session.finish(order.number, result) { pass(next) }
        read(result)
        round()
      }
    }
    guard let identifier = pending.add(decided) else { return decided(nil) }
    var request = ActionRequest(
      action: order.action, parameters: order.parameters, source: .sics, identifier: identifier)
    request.expiry = world.now + Self.patience
    submit(.request(request))
  }

  /// Reads the answers that have arrived.
  private func read(_ result: ActionResult? = nil) {
    guard !session.output.isEmpty else { return }
    let lines = String(decoding: session.output, as: UTF8.self).split(separator: "\r\n")
    session.removeOutput(session.output.count)
    for line in lines {
      guard !asked.isEmpty else { return world.violation("\(name): MT-SICS sends \(line) without a command") }
      let command = asked.removeFirst()
      world.reached("sics answered")
      let words = line.split(separator: " ")
      let expected = command == "@" ? "I4" : command == "SI" ? "S" : String(command.prefix { $0 != " " })
      if words.count < 2 || String(words[0]) != expected {
        world.violation("\(name): MT-SICS answers \(command) with \(line)")
      }
      if let result { check(line, command, result) }
    }
  }

  /// An answer says what the scale has decided.
  private func check(_ line: Substring, _ command: String, _ result: ActionResult) {
    let words = line.split(separator: " ")
    guard command != "@", words.count >= 2 else { return }
    let isDone = ["S", "D", "A"].contains(words[1])
    // No tare, or no load to tare, is a tare of zero, as asked.
    let isPerformed = result.rejection == nil || [.noTare, .empty].contains(result.rejection)
    if isDone != isPerformed, result.rejection != .empty {
      world.violation("\(name): MT-SICS answers \(line) to \(String(describing: result.rejection))")
    }
    if isDone, words.count == 4, words[2] != result.reading.tare.description[...] || words[3] != "g" {
      world.violation("\(name): MT-SICS answers \(line), the tare is \(result.reading.tare)")
    }
    world.reached(isDone ? "sics performed" : "sics rejected")
  }
}
