import CLinux
import Glibc
import Linux
import Logging
import Messages
import Synchronization
import Weighing

/// The embedded broker's thread.
///
/// ```
///            answers              dies                 wait is over
/// starting ----------> running ----------> waiting ----------------> starting
///    | does not           | stop               | stop
///    v                    v                    v
///  failed (the first    ending ------------> gone
///  time), else waiting
/// ```
final class BrokerSupervisor {
  private enum End {
    case died(String)
    case asked
  }

  private let shared: EmbeddedBroker.SharedState
  private let program: String
  private let logger: Logger
  private let poller = Poller()
  private var lastLine = ""

  init(_ shared: EmbeddedBroker.SharedState, _ inbox: Worker<Never>.Inbox, program: String, logger: Logger) {
    (self.shared, self.program, self.logger) = (shared, program, logger)
    poller.watch(inbox.descriptor, for: [.readable, .once])
  }

  /// Runs until it is stopped, or until the first start has failed.
  func run(port wanted: UInt16) {
    var backOff = BackOff()
    var generator = SystemRandomNumberGenerator()
    var port = wanted
    var isFirst = true
    while shared.killAt == nil {
      let since = Instant.now()
      do throws(EmbeddedBrokerError) {
        port = try LoopbackPort.claim(port)
        let process = try launch(port)
        isFirst = false
        shared.finishStart(.success(port))
        logger.info(
          "embedded broker started", metadata: ["broker.port": "\(port)", "broker.process": "\(process.id)"])
        switch watch(process) {
        case .died(let how):
          logger.warning("embedded broker exited; restarting it", metadata: ["broker.end": "\(how)"])
        case .asked: return
        }
      } catch {
        // Another program has taken the chosen port in the meantime: choose another one.
        if isFirst, wanted == 0, case .portInUse = error {
          port = 0
          continue
        }
        if isFirst { return shared.finishStart(.failure(error)) }
        logger.warning("cannot start the embedded broker; retrying", metadata: ["broker.reason": "\(error)"])
      }
      // Restart a process that ran for a while immediately; back off from one that exits immediately.
      if Instant.now() - since > .seconds(10) { backOff.reset() }
      pause(until: .now() + backOff.next(using: &generator))
    }
    if isFirst { shared.finishStart(.failure(.notReady("stopped"))) }
  }

  private func pause(until deadline: Instant) {
    while shared.killAt == nil, deadline.millisecondsAway > 0 { poller.wait(until: deadline) { _, _ in } }
  }

  // MARK: - Starting

  private func launch(_ port: UInt16) throws(EmbeddedBrokerError) -> BrokerProcess {
    let process = try BrokerProcess(program: program, port: port)
    shared.state.withLock { $0.process = process.id }
    poller.watch(process.endDescriptor, for: .readable)
    poller.watch(process.logDescriptor, for: .readable)
    let deadline = Instant.now() + .seconds(5)
    // Its log output triggers the check; the 50 ms are for a mosquitto that logs other messages.
    while deadline.millisecondsAway > 0, shared.killAt == nil {
      let ready = poller.wait(milliseconds: min(50, deadline.millisecondsAway))
      forward(process)
      if ready.contains(where: { $0.descriptor == process.endDescriptor }) {
        let how = reap(process)
        if lastLine.contains("already in use") { throw .portInUse(port, LoopbackPort.owner(of: port)) }
        throw .notReady(lastLine.isEmpty ? how : "\(how): \(lastLine)")
      }
      if LoopbackPort.speaksMQTT(port), isOurs(port, process) { return process }
    }
    process.signal(SIGKILL)
    _ = reap(process)
    throw .notReady(shared.killAt == nil ? "no response within 5 s: \(lastLine)" : "stopped")
  }

  /// Whether our process is the one that listens: another appliance may have been faster, and our process is then about
  /// to exit.
  private func isOurs(_ port: UInt16, _ process: BrokerProcess) -> Bool {
    guard let owner = LoopbackPort.owner(of: port) else { return true }
    return owner.process == process.id
  }

  // MARK: - Running

  private func watch(_ process: BrokerProcess) -> End {
    var isTerminated = false
    while true {
      if let killAt = shared.killAt {
        process.signal(isTerminated && killAt <= .now() ? SIGKILL : SIGTERM)
        isTerminated = true
      }
      let milliseconds = shared.killAt.map { max(1, $0.millisecondsAway) } ?? -1
      let ready = poller.wait(milliseconds: milliseconds)
      forward(process)
      if ready.contains(where: { $0.descriptor == process.endDescriptor }) {
        let how = reap(process)
        return shared.killAt == nil ? .died(how) : .asked
      }
    }
  }

  /// Reaps the ended process.
  private func reap(_ process: BrokerProcess) -> String {
    poller.forget(process.endDescriptor)
    poller.forget(process.logDescriptor)
    shared.state.withLock { $0.process = nil }
    return process.reap()
  }

  private func forward(_ process: BrokerProcess) {
    for line in process.readLines() {
      lastLine = line
      let isWorth = line.hasPrefix("Error") || line.hasPrefix("Warning")
      logger.log(level: isWorth ? .warning : .debug, "embedded broker message", metadata: ["broker.line": "\(line)"])
    }
  }
}
