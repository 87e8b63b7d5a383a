import Messages
import Synchronization
import Weighing

/// The requests that wait for a decision of the scale, each with the recipient of its result.
///
/// ```
///   MQTT command ─► add ────┐                             ┌─► caller returned, for the answer on MQTT
///                           ├─► identifier ─ scale ─► remove
///   page action ─► send ────┤                             │
///   instrument ──► add ─────┘                             └─► completion called
/// ```
/// A result is delivered once: `remove` returns each recipient only once. May be called on any thread.
final class PendingRequests: Sendable {
  /// Maximum number of pending actions of the page.
  static let pageCapacity = 16
  /// Maximum number of pending actions of instruments, of all their clients together.
  static let instrumentCapacity = 64

  /// The recipient of a result.
  enum Recipient: Sendable {
    /// An MQTT client, `nil` if it gets no answer; `key` identifies it for `CommandAdmission`.
    case client(Caller?, key: String)
    /// A request of the page; called on the weighing thread, must not wait.
    case page(@Sendable (ActionResult?) -> Void)
    /// A client of an instrument, such as MT-SICS; called on the weighing thread, must not wait.
    case instrument(@Sendable (ActionResult) -> Void)

    /// The MQTT client; `nil` for others.
    var caller: Caller? {
      switch self {
      case .client(let caller, _): caller
      case .page, .instrument: nil
      }
    }

    /// Whether the result is published.
    var isAnswered: Bool { if case .client(nil, _) = self { false } else { true } }

    /// Delivers a result; call it once. The answer to an MQTT client is published instead.
    func deliver(_ result: ActionResult) {
      switch self {
      case .client: break
      case .page(let completion): completion(result)
      case .instrument(let completion): completion(result)
      }
    }
  }

  private struct State: Sendable {
    var recipients: [UInt64: Recipient] = [:]
    /// Number of pending commands of each MQTT client.
    var commands: [String: Int] = [:]
    var pageActions = 0
    var instrumentActions = 0
    /// The identifiers of the newest request and of the newest stop of a dose.
    var (lastIdentifier, lastStop): (UInt64, UInt64) = (0, 0)
    var isClosed = false

    /// Adds a recipient. Identifiers start at 1: requests that need no recipient have 0.
    mutating func add(_ recipient: Recipient) -> UInt64 {
      lastIdentifier += 1
      recipients[lastIdentifier] = recipient
      return lastIdentifier
    }
  }

  private let state = Mutex(State())

  /// Adds a command of an MQTT client and returns its identifier; `nil` if the client has too many pending.
  ///
  /// The stop of a dose is always added, unless the newest pending request is a stop: that one stops the same dose.
  func add(_ caller: Caller?, of client: String, stopsDose: Bool = false) -> UInt64? {
    state.withLock { state in
      let own = state.commands[client, default: 0]
      let all = state.recipients.count - state.pageActions - state.instrumentActions
      let isNewStop = stopsDose && (state.lastStop != state.lastIdentifier || state.recipients[state.lastStop] == nil)
      guard isNewStop || CommandAdmission.admits(pending: own, of: all) else { return nil }
      state.commands[client] = own + 1
      if stopsDose { state.lastStop = state.lastIdentifier + 1 }
      return state.add(.client(caller, key: client))
    }
  }

  /// Adds a request of the page and passes it to `send` with its identifier. Passes on the result; `nil` if too many are
  /// pending or the appliance stops.
  func send(
    _ request: ActionRequest, _ completion: @escaping @Sendable (ActionResult?) -> Void,
    by send: (ActionRequest) -> Void
  ) {
    let identifier: UInt64? = state.withLock { state in
      guard !state.isClosed, state.pageActions < Self.pageCapacity else { return nil }
      state.pageActions += 1
      return state.add(.page(completion))
    }
    guard let identifier else { return completion(nil) }
    var request = request
    request.identifier = identifier
    send(request)
  }

  /// Adds a request of an instrument and returns its identifier; `nil` if too many are pending.
  func add(_ completion: @escaping @Sendable (ActionResult) -> Void) -> UInt64? {
    state.withLock { state in
      guard state.instrumentActions < Self.instrumentCapacity else { return nil }
      state.instrumentActions += 1
      return state.add(.instrument(completion))
    }
  }

  /// Removes a decided request; returns the recipient of its result, `nil` if there is none or the request was removed
  /// before.
  func remove(_ request: ActionRequest) -> Recipient? {
    state.withLock { state in
      guard let recipient = state.recipients.removeValue(forKey: request.identifier) else { return nil }
      switch recipient {
      case .client(_, let key):
        let rest = state.commands[key, default: 1] - 1
        state.commands[key] = rest > 0 ? rest : nil
      case .page: state.pageActions -= 1
      case .instrument: state.instrumentActions -= 1
      }
      return recipient
    }
  }

  /// Ends all waits of the page without a result; later ones end immediately.
  func closePage() {
    let waiting = state.withLock { state in
      state.isClosed = true
      state.pageActions = 0
      return state.recipients.compactMap { identifier, recipient -> (@Sendable (ActionResult?) -> Void)? in
        guard case .page(let completion) = recipient else { return nil }
        state.recipients[identifier] = nil
        return completion
      }
    }
    for completion in waiting { completion(nil) }
  }
}
