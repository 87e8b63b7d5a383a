import Messages
import Weighing

/// The limits for commands: which ones are admitted, and which rejections are answered; a value without I/O.
///
/// Every admitted command is answered: a command is rejected as `busy` beforehand if there may be no room for its
/// answer. A flooding client reaches its limits first, so that the commands of others are admitted and their answers do
/// not wait long. Commands of one client beyond `CallerRates.most` a second are neither admitted nor answered. The stop of a
/// dose is admitted in any case, but a flooding client gets no answer to it beyond these limits.
///
/// ```
/// messages that wait to be sent:  0 ... 50 ... 100 ...... 400 ... 500 ........ 1000
///   flood: answers to rejections        |
///   flood: commands are admitted               |
///   others: answers to rejections                          |
///   others: commands are admitted                                   |
///   answers and events                                                          | oldest dropped
/// ```
/// MQTT does not identify the sender of a message. Clients are distinguished by their response topic; those without one
/// by the command and the beginning of `correlation` without digits, which are usually a counter.
struct CommandAdmission: Sendable {
  /// Maximum number of pending commands; each takes up to 66 KB, nearly all of it correlation data.
  static let capacity = 128
  /// Number of queued messages from which no command is admitted. The rest of the link's queue of 1000 has room for an
  /// event and an answer of each admitted command, and for events from the pad.
  static let commandBacklog = 500
  /// The same for a flooding client: five times the window of unacknowledged messages, so that the link always has
  /// something to send and answers to others do not wait long.
  static let floodCommandBacklog = 100
  /// Number of queued messages from which no rejection is answered.
  static let rejectionBacklog = 400
  /// The same for a flooding client.
  static let floodRejectionBacklog = 50

  /// What may be published about a rejected command.
  struct Allowance: Hashable, Sendable {
    /// The answer, if fewer than this many messages are queued.
    var backlog: Int
    /// Whether to publish the event `rejected` as well.
    var hasEvent: Bool
  }

  /// The client of a command that was counted.
  struct Client: Hashable, Sendable {
    /// Identifies the client; clients beyond the capacity of `CallerRates` share a key.
    let key: String
    fileprivate let load: CallerRates.Load

    /// Whether its command is admitted while this many messages are queued.
    func isAdmitted(withBacklog backlog: Int) -> Bool { backlog < load.commandBacklog }

    /// Whether its admitted command is answered while this many messages are queued.
    func isAnswered(withBacklog backlog: Int) -> Bool { load == .normal || isAdmitted(withBacklog: backlog) }

    /// Why its command is not admitted.
    var limit: RejectionDetail {
      switch load {
      case .normal: .messagesWaiting(maximum: CommandAdmission.commandBacklog)
      case .flood, .excess: .tooManyCommands(perSecond: CallerRates.few)
      }
    }
  }

  private var rates = CallerRates()

  /// Counts a command and returns its client.
  mutating func count(_ command: Command, at now: Instant) -> Client {
    let (key, load) = rates.countCommand(of: command.clientKey, at: now)
    return Client(key: key, load: load)
  }

  /// Counts a rejection and returns what may be published about it.
  mutating func countRejection(of client: Client) -> Allowance {
    Allowance(backlog: client.load.rejectionBacklog, hasEvent: rates.countRejection(of: client.key))
  }

  /// Whether a client may have another pending command.
  ///
  /// Dynamic threshold (Choudhury and Hahne, 1998): no more than is still free, so that one client gets half of the
  /// capacity, two get a third each, and there is always room for another.
  ///
  /// - Parameters:
  ///   - own: Number of its pending commands.
  ///   - all: Number of all pending commands.
  static func admits(pending own: Int, of all: Int) -> Bool { own < capacity - all }
}

extension CallerRates.Load {
  /// Number of queued messages from which no command is admitted.
  fileprivate var commandBacklog: Int {
    switch self {
    case .normal: CommandAdmission.commandBacklog
    case .flood: CommandAdmission.floodCommandBacklog
    case .excess: 0
    }
  }

  /// Number of queued messages from which no rejection is answered.
  fileprivate var rejectionBacklog: Int {
    switch self {
    case .normal: CommandAdmission.rejectionBacklog
    case .flood: CommandAdmission.floodRejectionBacklog
    case .excess: 0
    }
  }
}

extension Command {
  /// The key that distinguishes clients.
  fileprivate var clientKey: String {
    if let topic = caller.responseTopic { return topic }
    let correlation = (caller.correlation ?? "").unicodeScalars.prefix(32).filter { !("0"..."9").contains($0) }
    return name + " " + String(String.UnicodeScalarView(correlation))
  }
}
