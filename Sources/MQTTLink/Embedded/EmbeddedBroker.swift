import Glibc
import Linux
import Logging
import Messages
import Synchronization
import Weighing

/// Debian's mosquitto as a child process on loopback: for trying Grampad out, and for homes without a broker.
///
/// Its own thread starts mosquitto, forwards its output to the log, and restarts it when it exits. The child dies with
/// that thread, and therefore with this process, even on SIGKILL. Call `stop` to end it.
package final class EmbeddedBroker: Sendable {
  private let shared = SharedState()
  private let worker = Worker<Never>("broker")
  private let port: UInt16
  private let program: String?
  private let logger: Logger

  /// State shared by the callers and the broker's thread.
  final class SharedState: Sendable {
    struct State: Sendable {
      var process: Int32?
      var started: Result<UInt16, EmbeddedBrokerError>?
      /// Set when the broker is to stop: the time at which it is killed if it has not ended.
      var killAt: Instant?
    }

    let state = Mutex(State())
    let ready = Signal()

    var killAt: Instant? { state.withLock { $0.killAt } }

    func finishStart(_ result: Result<UInt16, EmbeddedBrokerError>) {
      state.withLock { $0.started = result }
      ready.raise()
    }
  }

  /// Makes a broker that is not running; port 0 selects a free port. `program` is searched for if it is `nil`.
  package init(port: UInt16 = 1883, program: String? = nil, logger: Logger) {
    (self.port, self.program, self.logger) = (port, program, logger)
  }

  /// Starts mosquitto and returns its address once it accepts MQTT, which may take up to 5 s; call it once.
  package func start() throws(EmbeddedBrokerError) -> BrokerAddress {
    guard let program = program ?? BrokerProcess.find() else { throw .notInstalled }
    worker.start { [shared, port, logger] inbox in
      BrokerSupervisor(shared, inbox, program: program, logger: logger).run(port: port)
    }
    _ = shared.ready.wait(milliseconds: -1)
    switch shared.state.withLock({ $0.started }) {
    case .success(let port): return BrokerAddress(host: "127.0.0.1", port: port)
    case .failure(let error): throw error
    case nil: throw .notReady("stopped")
    }
  }

  /// The process id of the current mosquitto.
  package var process: Int32? { shared.state.withLock { $0.process } }

  /// Stops mosquitto with SIGTERM, or with SIGKILL if it has not ended within `limit`. Returns after it has ended.
  package func stop(within limit: Interval = .milliseconds(500)) {
    let wasStarted = shared.state.withLock { state in
      state.killAt = .now() + limit
      return state.started != nil
    }
    // A killed process ends immediately; the additional second is for an overloaded machine.
    if wasStarted { worker.stop(within: limit + .seconds(1)) } else { worker.stop() }
  }
}
