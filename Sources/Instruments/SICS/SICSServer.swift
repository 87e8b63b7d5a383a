import EventLoop
import Logging
import Synchronization
import Weighing

/// A server for MT-SICS on TCP and on a pseudo-terminal, on a thread of its own.
///
/// ```
///   weighing thread ── update ──► newest reading ─┐
///   weighing thread ── results ──► inbox ─────────┤ sics thread ──► clients
///   clients ──────────────────────────────────────┘     └──► perform (an action of the scale)
/// ```
package final class SICSServer: Sendable {
  /// Where it listens, and what it says of the scale.
  package struct Settings: Sendable {
    /// The address and the port of TCP; `nil` for none.
    package var endpoint: (address: String, port: UInt16)?
    /// The absolute path of the link to a pseudo-terminal; `nil` for none.
    package var terminal: String?
    /// The identity of the scale.
    package var identity: SICSIdentity

    /// Makes settings.
    package init(endpoint: (address: String, port: UInt16)?, terminal: String?, identity: SICSIdentity) {
      self.endpoint = endpoint
      self.terminal = terminal
      self.identity = identity
    }
  }

  /// Passes an action to the scale; calls `completion` once, on any thread, with `nil` if the scale does not decide.
  package typealias Performer =
    @Sendable (
      _ action: Action, _ parameters: ActionArguments, _ completion: @escaping @Sendable (ActionResult?) -> Void
    ) -> Void

  /// The answer to an order of a client.
  struct Outcome: Sendable {
    var client: UInt64
    var order: UInt64
    var result: ActionResult?
  }

  private struct Inbox: Sendable {
    var reading: Reading?
    var outcomes: [Outcome] = []
    var identity: SICSIdentity?
    /// Whether a client waits for a reading.
    var needsReadings = false
    var isStopping = false
  }

  private let settings: Settings
  private let perform: Performer
  private let onListen: @Sendable (_ address: String, _ port: UInt16) -> Void
  private let logger: Logger
  private let inbox = Mutex(Inbox())
  private let wake = Signal()
  private let finished = Signal()

  /// Makes a server; it does nothing until `start`.
  ///
  /// - Parameter onListen: Called with the address and the port of TCP once they are listened on.
  package init(
    _ settings: Settings, logger: Logger, onListen: @escaping @Sendable (String, UInt16) -> Void = { _, _ in },
    perform: @escaping Performer
  ) {
    self.settings = settings
    self.perform = perform
    self.onListen = onListen
    self.logger = logger
  }

  /// Sets the newest reading; never waits for a client.
  package func update(_ reading: Reading) {
    let isNeeded = inbox.withLock { inbox in
      inbox.reading = reading
      return inbox.needsReadings
    }
    if isNeeded { wake.raise() }
  }

  /// Changes what it says of the scale to further clients.
  package func setIdentity(_ identity: SICSIdentity) {
    inbox.withLock { $0.identity = identity }
    wake.raise()
  }

  /// Starts the thread; call it once.
  package func start() {
    OwnThread.start(name: "sics") { [self] in
      var loop = SICSLoop(settings, wake: wake, logger: logger, onListen: onListen)
      loop.run(
        inbox: { needsReadings in
          inbox.withLock { inbox in
            inbox.needsReadings = needsReadings
            defer { inbox.outcomes = [] }
            return .init(
              reading: inbox.reading, outcomes: inbox.outcomes, identity: inbox.identity,
              isStopping: inbox.isStopping)
          }
        },
        perform: { order, client in
          perform(order.action, order.parameters) { [weak self] result in
            self?.complete(Outcome(client: client, order: order.number, result: result))
          }
        })
      loop.close()
      finished.raise()
    }
  }

  /// Closes all connections and ends the thread; returns after its end.
  package func stop() {
    inbox.withLock { $0.isStopping = true }
    wake.raise()
    _ = finished.wait(milliseconds: 5000)
  }

  private func complete(_ outcome: Outcome) {
    inbox.withLock { $0.outcomes.append(outcome) }
    wake.raise()
  }
}
