import EventLoop
import Glibc
import Logging
import Messages
import Synchronization
import Weighing

/// Debian's mosquitto as a child process on loopback: for trying out, and for a house without a broker.
///
/// A thread of its own starts it, forwards what it writes to the log, and starts it again when it dies. The child dies
/// with that thread, and so with the process, even by SIGKILL. To be ended with `stop`.
package final class EmbeddedBroker: Sendable {
  private let desk: Desk
  private let port: UInt16
  private let program: String?
  private let logger: Logger

  /// What the callers and the broker's thread share.
  final class Desk: Sendable {
    struct State: Sendable {
      var process: Int32?
      var started: Result<UInt16, EmbeddedBrokerError>?
      /// Set when the broker is to end: when it is to be killed if it has not ended by then.
      var killAt: Instant?
    }

    let state = Mutex(State())
    let wake = Signal()
    let ready = Signal()
    let finished = Signal()

    var killAt: Instant? { state.withLock { $0.killAt } }

    func settle(_ result: Result<UInt16, EmbeddedBrokerError>) {
      state.withLock { $0.started = result }
      ready.raise()
    }
  }

  /// Makes a broker that is not running; port 0 chooses a free one. `program` is looked for if it is not given.
  package init(port: UInt16 = 1883, program: String? = nil, logger: Logger) {
    self.port = port
    self.program = program
    self.logger = logger
    desk = Desk()
  }

  /// Starts mosquitto and returns its address once it answers MQTT, which may take up to 5 s; to be called once.
  package func start() throws(EmbeddedBrokerError) -> BrokerAddress {
    guard let program = program ?? BrokerProcess.find() else { throw .notInstalled }
    OwnThread.start(name: "broker") { [desk, port, logger] in
      BrokerSupervisor(desk, program: program, logger: logger).run(port: port)
      desk.finished.raise()
    }
    _ = desk.ready.wait(milliseconds: -1)
    switch desk.state.withLock({ $0.started }) {
    case .success(let port): return BrokerAddress(host: "127.0.0.1", port: port)
    case .failure(let error): throw error
    case nil: throw .notReady("stopped")
    }
  }

  /// The process id of the mosquitto that is running now.
  package var process: Int32? { desk.state.withLock { $0.process } }

  /// Ends mosquitto: by SIGTERM, and by SIGKILL when it has not ended within `limit`. Returns when it is gone.
  package func stop(within limit: Duration = .milliseconds(500)) {
    let parts = limit.components
    let patience = Interval(nanoseconds: parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    let wasStarted = desk.state.withLock { state in
      state.killAt = .now() + patience
      return state.started != nil
    }
    desk.wake.raise()
    // A killed process is gone at once; the second on top is for a machine that hardly moves.
    if wasStarted { _ = desk.finished.wait(milliseconds: (.now() + patience + .seconds(1)).millisecondsAway) }
  }
}
