import EventLoop
import Messages
import Synchronization
import Weighing

/// Admits commands and remembers their callers until the scale has decided.
///
/// A command that is admitted is answered: it is refused as `busy` before it is decided if there may be no room for its
/// answer. A caller that floods meets its limits first, so that the commands of others are admitted and their answers
/// wait behind few. Of more than `CallerRates.most` commands a second of one caller, none is admitted or answered.
///
/// ```
/// messages that wait to be sent:  0 ... 50 ... 100 ...... 400 ... 500 ........ 1000
///   flood: answers to refusals          |
///   flood: commands are admitted               |
///   others: answers to refusals                            |
///   others: commands are admitted                                   |
///   answers and events                                                          | oldest dropped
/// ```
/// MQTT does not say who sends a message. Callers are told apart by their response topic; those without one by the
/// command and by the beginning of `correlation`, without digits, which count.
/// May be called on any thread; nothing in it waits.
final class CommandDesk: Sendable {
  /// The most commands that wait for the scale; a caller is 66 KB at most, nearly all of it correlation data.
  static let capacity = 128
  /// With this many messages waiting to be sent no command is admitted. The rest of the link's queue of 1000 has room for
  /// an event and an answer of each admitted command, and for what happens at the pad.
  static let admissionBacklog = 500
  /// The same for the commands of a caller that floods: five times the window of unacknowledged messages, so that the
  /// link never runs dry and the answers to others wait for little.
  static let floodAdmissionBacklog = 100
  /// With this many messages waiting to be sent no refusal is answered.
  static let refusalBacklog = 400
  /// The same for a caller that floods.
  static let floodRefusalBacklog = 50

  private struct State: Sendable {
    var waiting: [UInt64: (caller: Caller, entry: String)] = [:]
    var waitingOfEntry: [String: Int] = [:]
    var lastIdentifier: UInt64 = 0
    var rates = CallerRates()
  }

  private let topics: Topics
  private let backlog: @Sendable () -> Int
  private let state = Mutex(State())

  /// Makes a desk for the commands of an appliance.
  ///
  /// - Parameter backlog: How many messages wait to be sent.
  init(topics: Topics, backlog: @escaping @Sendable () -> Int) {
    self.topics = topics
    self.backlog = backlog
  }

  /// The topics to subscribe to.
  var filter: String { topics.commands + "#" }

  /// What becomes of a message.
  enum Outcome: Hashable, Sendable {
    /// It is no command.
    case none
    /// The scale is to decide on this.
    case input(ScaleMachine.Input)
    /// It is refused already.
    case refused(Command, Command.Refusal, Allowance)
  }

  /// What may be published about a refused command.
  struct Allowance: Hashable, Sendable {
    /// The answer, if fewer than this many messages wait to be sent.
    var backlog: Int
    /// Whether the event `rejected` as well.
    var hasEvent: Bool
  }

  /// Takes a message.
  func take(_ message: IncomingMessage) -> Outcome {
    guard let command = Command(message, topics: topics) else { return .none }
    let key = command.callerKey
    let (entry, load) = state.withLock { $0.rates.countCommand(of: key, at: .now()) }
    func refusal(_ reason: Command.Refusal) -> Outcome {
      let hasEvent = state.withLock { $0.rates.countRefusal(of: entry) }
      return .refused(command, reason, Allowance(backlog: load.refusalBacklog, hasEvent: hasEvent))
    }
    switch command.verdict {
    case .failure(let reason): return refusal(reason)
    case .success(let order):
      guard let identifier = admit(command.caller, entry, below: load.admissionBacklog) else { return refusal(.busy) }
      let expiry = command.expiry.map { Instant.now() + $0 }
      switch order {
      case .request(let name, let label, let reference, let source):
        return .input(
          .request(
            ActionRequest(
              name: name, label: label, reference: reference, source: source, identifier: identifier, expiry: expiry)))
      case .replaceActions(let list, let source):
        return .input(
          .replaceActions(list, ActionRequest(name: command.name, source: source, identifier: identifier)))
      }
    }
  }

  private func admit(_ caller: Caller, _ entry: String, below limit: Int) -> UInt64? {
    let backlog = backlog()
    return state.withLock { state in
      guard backlog < limit else { return nil }
      // Dynamic threshold (Choudhury and Hahne, 1998): no more than is still free, so that one caller gets half of all,
      // two get a third each, and there is always room for the next.
      let own = state.waitingOfEntry[entry, default: 0]
      guard own < Self.capacity - state.waiting.count else { return nil }
      // From 1 on: requests that do not come over MQTT have 0.
      state.lastIdentifier += 1
      state.waiting[state.lastIdentifier] = (caller, entry)
      state.waitingOfEntry[entry] = own + 1
      return state.lastIdentifier
    }
  }

  /// The caller of a request, returned once.
  func caller(of request: ActionRequest) -> Caller {
    state.withLock { state in
      guard let (caller, entry) = state.waiting.removeValue(forKey: request.identifier) else { return .nobody }
      let left = state.waitingOfEntry[entry, default: 1] - 1
      state.waitingOfEntry[entry] = left > 0 ? left : nil
      return caller
    }
  }
}

extension CallerRates.Load {
  /// With this many messages waiting to be sent, no command is admitted.
  fileprivate var admissionBacklog: Int {
    switch self {
    case .normal: CommandDesk.admissionBacklog
    case .flood: CommandDesk.floodAdmissionBacklog
    case .excess: 0
    }
  }

  /// With this many messages waiting to be sent, no refusal is answered.
  fileprivate var refusalBacklog: Int {
    switch self {
    case .normal: CommandDesk.refusalBacklog
    case .flood: CommandDesk.floodRefusalBacklog
    case .excess: 0
    }
  }
}

extension Command {
  /// What its caller is told apart by.
  fileprivate var callerKey: String {
    if let topic = caller.responseTopic { return topic }
    let correlation = (caller.correlation ?? "").unicodeScalars.prefix(32).filter { !("0"..."9").contains($0) }
    return name + " " + String(String.UnicodeScalarView(correlation))
  }
}
