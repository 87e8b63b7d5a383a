import EventLoop
import Messages
import Synchronization
import Weighing

/// Takes commands in and remembers who asked, until the scale has decided.
///
/// May be called on any thread; nothing in it waits.
final class CommandDesk: Sendable {
  /// So many commands wait for the scale at most; a caller is 66 KB at most, nearly all of it correlation data.
  static let capacity = 64

  private struct State: Sendable {
    var waiting: [UInt64: Caller] = [:]
    var lastIdentifier: UInt64 = 0
  }

  private let topics: Topics
  private let state = Mutex(State())

  /// Makes a desk for the commands of an appliance.
  init(topics: Topics) { self.topics = topics }

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

  private func admit(_ caller: Caller) -> UInt64? {
    state.withLock { state in
      guard state.waiting.count < Self.capacity else { return nil }
      // From 1 on: requests that do not come over MQTT have 0.
      state.lastIdentifier += 1
      state.waiting[state.lastIdentifier] = caller
      return state.lastIdentifier
    }
  }

  /// Who has asked for this, told once.
  func caller(of request: ActionRequest) -> Caller {
    state.withLock { $0.waiting.removeValue(forKey: request.identifier) } ?? .nobody
  }
}
