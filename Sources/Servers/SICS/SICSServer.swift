import Logging
import NIOCore
import Synchronization
import Weighing

/// A server for MT-SICS on TCP and on a pseudo-terminal.
///
/// ```
///   weighing thread ── update ──► newest reading ─┐
///   weighing thread ── results ───────────────────┤ loop: SICSClients ──► clients
///   clients ──────────────────────────────────────┘         └──► perform (an action of the scale)
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
      (self.endpoint, self.terminal, self.identity) = (endpoint, terminal, identity)
    }
  }

  /// Passes an action to the scale; calls `completion` once, on any thread, with `nil` if the scale does not decide.
  package typealias Performer =
    @Sendable (
      _ action: Action, _ parameters: ActionArguments, _ completion: @escaping @Sendable (ActionResult?) -> Void
    ) -> Void

  private let loop: ServerLoop
  private let readings = SICSReadings()
  private let clients: NIOLoopBoundBox<SICSClients>
  private let listener: TCPListener?

  /// Makes a server; it does nothing until `start`.
  ///
  /// - Parameter onListen: Called with the address and the port of TCP once they are listened on.
  package init(
    _ settings: Settings, on loop: ServerLoop, logger: Logger,
    onListen: @escaping @Sendable (String, UInt16) -> Void = { _, _ in },
    perform: @escaping Performer
  ) {
    self.loop = loop
    let clients = NIOLoopBoundBox.makeBoxSendingValue(
      SICSClients(settings, on: loop, readings: readings, logger: logger, perform: perform),
      eventLoop: loop.eventLoop)
    self.clients = clients
    readings.setWakeUp { loop.run { clients.value.requestRound() } }
    listener = settings.endpoint.map { endpoint in
      TCPListener(
        SICSClients.listening(on: endpoint), on: loop,
        onListen: { port in
          logger.info(
            "listening for MT-SICS", metadata: ["sics.listen": "\(endpoint.address)", "sics.port": "\(port)"])
          onListen(endpoint.address, port)
        },
        onError: { error in
          let reason = error.description(address: "sics.listen", port: "sics.listen")
          logger.warning("cannot serve MT-SICS; retrying", metadata: ["sics.reason": "\(reason)"])
        }
      ) { _ in SICSConnection(clients.value.makeClient()) }
    }
  }

  /// Sets the newest reading; never waits for a client.
  package func update(_ reading: Reading) { readings.post(reading) }

  /// Changes what it says of the scale to further clients.
  package func setIdentity(_ identity: SICSIdentity) { loop.run { [clients] in clients.value.setIdentity(identity) } }

  /// Serves from now on.
  package func start() {
    listener?.start()
    loop.run { [clients] in clients.value.openTerminal() }
  }

  /// Closes all connections; returns after that.
  package func stop() {
    loop.wait { [listener, clients] in
      listener?.stop()
      clients.value.close()
    }
  }
}

/// The newest reading, and whether a client waits for one.
final class SICSReadings: Sendable {
  private struct State: Sendable {
    var newest: Reading?
    /// Counts the readings.
    var version: UInt64 = 0
    var isNeeded = false
    var wakeUp: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Sets what is called on a new reading while one is needed, once.
  func setWakeUp(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.wakeUp = body } }

  /// Posts a reading.
  func post(_ reading: Reading) {
    let wakeUp = state.withLock { state -> (@Sendable () -> Void)? in
      state.newest = reading
      state.version += 1
      guard state.isNeeded else { return nil }
      state.isNeeded = false
      return state.wakeUp
    }
    wakeUp?()
  }

  /// The newest reading and its number; until another call a new one wakes nothing.
  func take() -> (reading: Reading?, version: UInt64) {
    state.withLock { state in
      state.isNeeded = false
      return (state.newest, state.version)
    }
  }

  /// Asks for a wake-up on a reading after that with a number; returns whether there is one already.
  func awaitNext(after version: UInt64) -> Bool {
    state.withLock { state in
      guard state.version == version else { return true }
      state.isNeeded = true
      return false
    }
  }
}
