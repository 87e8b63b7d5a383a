import EventLoop
import Messages
import Synchronization
import Weighing

/// Admits commands and remembers their callers until the scale has decided.
///
/// A command that is admitted is answered: it is refused as `busy` before it is decided if there may be no room for its
/// answer. Callers are told apart by their response topic, which is all that MQTT says of them; those without one share.
///
/// ```
/// messages that wait to be sent:  0 ........ 200 ........ 400 ........ 500 ........ 1000
///   answers to refusals, many             |
///   answers to refusals, few                          |
///   commands are admitted                                          |
///   answers and events                                                            | oldest dropped
/// ```
/// May be called on any thread; nothing in it waits.
final class CommandDesk: Sendable {
  /// The most commands that wait for the scale; a caller is 66 KB at most, nearly all of it correlation data.
  static let capacity = 128
  /// With this many messages waiting to be sent no command is admitted. The rest of the link's queue of 1000 has room for
  /// an event and an answer of each admitted command, and for what happens at the pad.
  static let admissionBacklog = 500

  private struct State: Sendable {
    var waiting: [UInt64: Caller] = [:]
    var waitingOfCaller: [String: Int] = [:]
    var lastIdentifier: UInt64 = 0
    var refusals = RefusalBudget()
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
    case refused(Command, Command.Refusal)
  }

  /// Takes a message.
  func take(_ message: IncomingMessage) -> Outcome {
    guard let command = Command(message, topics: topics) else { return .none }
    switch command.verdict {
    case .failure(let refusal): return .refused(command, refusal)
    case .success(let order):
      guard let identifier = admit(command.caller) else { return .refused(command, .busy) }
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

  /// What may be published about a refused command.
  struct Allowance: Hashable, Sendable {
    /// The answer, if fewer than this many messages wait to be sent.
    var backlog: Int
    /// Whether the event `rejected` as well.
    var hasEvent: Bool
  }

  /// Counts a refused command of a caller and returns what may be published about it.
  func allowance(for caller: Caller) -> Allowance {
    state.withLock { $0.refusals.count(caller.key, at: .now()) }
  }

  private func admit(_ caller: Caller) -> UInt64? {
    let backlog = backlog()
    return state.withLock { state in
      guard backlog < Self.admissionBacklog else { return nil }
      // Dynamic threshold (Choudhury and Hahne, 1998): no more than is still free, so that one caller gets half of all,
      // two get a third each, and there is always room for the next.
      let own = state.waitingOfCaller[caller.key, default: 0]
      guard own < Self.capacity - state.waiting.count else { return nil }
      // From 1 on: requests that do not come over MQTT have 0.
      state.lastIdentifier += 1
      state.waiting[state.lastIdentifier] = caller
      state.waitingOfCaller[caller.key] = own + 1
      return state.lastIdentifier
    }
  }

  /// The caller of a request, returned once.
  func caller(of request: ActionRequest) -> Caller {
    state.withLock { state in
      guard let caller = state.waiting.removeValue(forKey: request.identifier) else { return .nobody }
      let left = state.waitingOfCaller[caller.key, default: 1] - 1
      state.waitingOfCaller[caller.key] = left > 0 ? left : nil
      return caller
    }
  }
}

extension Caller {
  /// What callers are told apart by.
  fileprivate var key: String { responseTopic ?? "" }
}
