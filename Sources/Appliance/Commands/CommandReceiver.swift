import EventLoop
import Messages
import Synchronization
import Weighing

/// Turns messages on the command topics into inputs of the scale, or rejects them.
///
/// May be called on any thread; never waits.
final class CommandReceiver: Sendable {
  /// The result of receiving a message.
  enum Outcome: Hashable, Sendable {
    /// It is not a command.
    case none
    /// The scale decides on it; its request is pending.
    case input(ScaleMachine.Input)
    /// It is rejected already.
    case rejected(Command, CommandError, CommandAdmission.Allowance)
  }

  private let topics: Topics
  private let pending: PendingRequests
  private let backlog: @Sendable () -> Int
  private let admission = Mutex(CommandAdmission())

  /// Makes a receiver for the commands of an appliance.
  ///
  /// - Parameter backlog: Number of queued messages.
  init(topics: Topics, pending: PendingRequests, backlog: @escaping @Sendable () -> Int) {
    self.topics = topics
    self.pending = pending
    self.backlog = backlog
  }

  /// The topics to subscribe to.
  var filter: String { topics.commands + "#" }

  /// Receives a message.
  func receive(_ message: IncomingMessage) -> Outcome {
    guard let command = Command(message, topics: topics) else { return .none }
    let client = admission.withLock { $0.count(command, at: .now()) }
    switch command.order {
    case .failure(let reason): return reject(command, reason, of: client)
    case .success(let order):
      guard client.isAdmitted(withBacklog: backlog()), let identifier = pending.add(command.caller, of: client.key)
      else { return reject(command, .busy, of: client) }
      return .input(input(order, of: command, identifier: identifier))
    }
  }

  private func reject(
    _ command: Command, _ reason: CommandError, of client: CommandAdmission.Client
  ) -> Outcome {
    .rejected(command, reason, admission.withLock { $0.countRejection(of: client) })
  }

  private func input(_ order: Command.Order, of command: Command, identifier: UInt64) -> ScaleMachine.Input {
    switch order {
    case .request(let name, let label, let reference, let parameters, let source):
      let expiry = command.expiry.map { Instant.now() + $0 }
      return .request(
        ActionRequest(
          name: name, label: label, reference: reference, parameters: parameters, source: source,
          identifier: identifier, expiry: expiry))
    case .replaceActions(let list, let source):
      return .replaceActions(list, ActionRequest(name: command.name, source: source, identifier: identifier))
    }
  }
}
