import EventLoop
import Messages
import Synchronization
import Weighing

/// Admits commands and keeps their callers until the scale has decided.
///
/// Every admitted command is answered: a command is rejected as `busy` beforehand if there may be no room for its
/// answer. A flooding caller reaches its limits first, so that the commands of others are admitted and their answers do
/// not wait long. Commands of one caller beyond `CallerRates.most` a second are neither admitted nor answered.
///
/// ```
/// messages that wait to be sent:  0 ... 50 ... 100 ...... 400 ... 500 ........ 1000
///   flood: answers to refusals          |
///   flood: commands are admitted               |
///   others: answers to refusals                            |
///   others: commands are admitted                                   |
///   answers and events                                                          | oldest dropped
/// ```
/// MQTT does not identify the sender of a message. Callers are distinguished by their response topic; those without one
/// by the command and the beginning of `correlation` without digits, which are usually a counter.
/// May be called on any thread; never waits.
final class CommandDesk: Sendable {
  /// Maximum number of commands that wait for the scale; a caller takes up to 66 KB, nearly all of it correlation data.
  static let capacity = 128
  /// Number of queued messages from which no command is admitted. The rest of the link's queue of 1000 has room for an
  /// event and an answer of each admitted command, and for events from the pad.
  static let admissionBacklog = 500
  /// The same for a flooding caller: five times the window of unacknowledged messages, so that the link always has
  /// something to send and answers to others do not wait long.
  static let floodAdmissionBacklog = 100
  /// Number of queued messages from which no rejection is answered.
  static let refusalBacklog = 400
  /// The same for a flooding caller.
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

  /// Makes the admission control for the commands of an appliance.
  ///
  /// - Parameter backlog: Number of queued messages.
  init(topics: Topics, backlog: @escaping @Sendable () -> Int) {
    self.topics = topics
    self.backlog = backlog
  }

  /// The topics to subscribe to.
  var filter: String { topics.commands + "#" }

  /// What to do with a message.
  enum Outcome: Hashable, Sendable {
    /// It is not a command.
    case none
    /// The scale has to decide on it.
    case input(ScaleMachine.Input)
    /// It is rejected already.
    case refused(Command, CommandError, Allowance)
  }

  /// What may be published about a rejected command.
  struct Allowance: Hashable, Sendable {
    /// The answer, if fewer than this many messages are queued.
    var backlog: Int
    /// Whether to publish the event `rejected` as well.
    var hasEvent: Bool
  }

  /// Handles a message.
  func take(_ message: IncomingMessage) -> Outcome {
    guard let command = Command(message, topics: topics) else { return .none }
    let key = command.callerKey
    let (entry, load) = state.withLock { $0.rates.countCommand(of: key, at: .now()) }
    func refusal(_ reason: CommandError) -> Outcome {
      let hasEvent = state.withLock { $0.rates.countRefusal(of: entry) }
      return .refused(command, reason, Allowance(backlog: load.refusalBacklog, hasEvent: hasEvent))
    }
    switch command.order {
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
      // Dynamic threshold (Choudhury and Hahne, 1998): no more than is still free, so that one caller gets half of the
      // places, two get a third each, and there is always room for another.
      let own = state.waitingOfEntry[entry, default: 0]
      guard own < Self.capacity - state.waiting.count else { return nil }
      // From 1: requests that do not come over MQTT have 0.
      state.lastIdentifier += 1
      state.waiting[state.lastIdentifier] = (caller, entry)
      state.waitingOfEntry[entry] = own + 1
      return state.lastIdentifier
    }
  }

  /// Removes and returns the caller of a request.
  func caller(of request: ActionRequest) -> Caller? {
    state.withLock { state in
      guard let (caller, entry) = state.waiting.removeValue(forKey: request.identifier) else { return nil }
      let left = state.waitingOfEntry[entry, default: 1] - 1
      state.waitingOfEntry[entry] = left > 0 ? left : nil
      return caller
    }
  }
}

extension CallerRates.Load {
  /// Number of queued messages from which no command is admitted.
  fileprivate var admissionBacklog: Int {
    switch self {
    case .normal: CommandDesk.admissionBacklog
    case .flood: CommandDesk.floodAdmissionBacklog
    case .excess: 0
    }
  }

  /// Number of queued messages from which no rejection is answered.
  fileprivate var refusalBacklog: Int {
    switch self {
    case .normal: CommandDesk.refusalBacklog
    case .flood: CommandDesk.floodRefusalBacklog
    case .excess: 0
    }
  }
}

extension Command {
  /// The key that distinguishes callers.
  fileprivate var callerKey: String {
    if let topic = caller.responseTopic { return topic }
    let correlation = (caller.correlation ?? "").unicodeScalars.prefix(32).filter { !("0"..."9").contains($0) }
    return name + " " + String(String.UnicodeScalarView(correlation))
  }
}
