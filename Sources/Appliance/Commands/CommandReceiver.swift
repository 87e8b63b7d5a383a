import Linux
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
    /// The journal carries it out.
    case resend(ResendRequest)
    /// It is rejected already.
    case rejected(Command, CommandError, CommandAdmission.Allowance)
  }

  private let topics: Topics
  private let pending: PendingRequests
  private let clock: @Sendable () -> Instant
  private let backlog: @Sendable () -> Int
  private let admission = Mutex(CommandAdmission())

  /// Makes a receiver for the commands of an appliance.
  ///
  /// - Parameters:
  ///   - clock: The monotonic clock.
  ///   - backlog: Number of queued messages.
  init(
    topics: Topics, pending: PendingRequests, clock: @escaping @Sendable () -> Instant = Instant.now,
    backlog: @escaping @Sendable () -> Int
  ) {
    (self.topics, self.pending, self.clock, self.backlog) = (topics, pending, clock, backlog)
  }

  /// The topics to subscribe to.
  var filter: String { topics.commands + "#" }

  /// Receives a message.
  func receive(_ message: IncomingMessage) -> Outcome {
    guard let command = Command(message, topics: topics) else { return .none }
    let now = clock()
    let client = admission.withLock { $0.count(command, at: now) }
    switch command.order {
    case .failure(let reason): return reject(command, reason, of: client)
    case .success(let order):
      let backlog = backlog()
      guard order.stopsDose || client.isAdmitted(withBacklog: backlog) else {
        return reject(command.rejected(by: client.limit), .busy, of: client)
      }
      let expiry = command.expiry.map { now + $0 }
      let action: (UInt64) -> ScaleMachine.Input
      switch order {
      case .resend(let range, let source):
        return .resend(ResendRequest(range: range, source: source, caller: command.caller, expiry: expiry))
      case .request(let name, let label, let reference, let parameters, let source):
        action = {
          .request(
            ActionRequest(
              name: name, label: label, reference: reference, parameters: parameters, source: source, identifier: $0,
              expiry: expiry))
        }
      case .replaceActions(let list, let source):
        action = { .replaceActions(list, ActionRequest(name: command.name, source: source, identifier: $0)) }
      }
      let caller = client.isAnswered(withBacklog: backlog) ? command.caller : nil
      guard let identifier = pending.add(caller, of: client.key, stopsDose: order.stopsDose) else {
        let limit = RejectionDetail.commandsWaiting(maximum: CommandAdmission.capacity)
        return reject(command.rejected(by: limit), .busy, of: client)
      }
      return .input(action(identifier))
    }
  }

  private func reject(
    _ command: Command, _ reason: CommandError, of client: CommandAdmission.Client
  ) -> Outcome {
    .rejected(command, reason, admission.withLock { $0.countRejection(of: client) })
  }
}

extension Command.Order {
  /// Whether it stops a dose, and is admitted in a flood, too: an output that stays on fills on.
  fileprivate var stopsDose: Bool {
    if case .request(Action.dose.rawValue, _, _, .none, _) = self { true } else { false }
  }
}
