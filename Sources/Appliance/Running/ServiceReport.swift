import EventLoop
import Messages
import Synchronization
import Weighing

/// What the service manager is told of the appliance: that it is ready, how it is doing, that it reloads, that it ends.
///
/// ```
///   starting ──journal answers and loop runs──► ready ◄──────► reloading
///       └──────────────────────────────────────────┴──signal──► ending
/// ```
/// May be called on any thread.
final class ServiceReport: Sendable {
  /// What has to be there before the appliance is ready; a pad and a broker may come later.
  enum Part: Hashable, Sendable {
    /// The journal is open, or it is known why it cannot be.
    case journal
    /// The weighing loop has gone round once.
    case loop
  }

  private enum State: Hashable, Sendable {
    case starting(missing: Set<Part>)
    case ready
    case ending
  }

  private let socket: NotifySocket?
  private let state = Mutex(State.starting(missing: [.journal, .loop]))

  /// Makes a report to whoever listens, if anybody does.
  init(to socket: NotifySocket?) { self.socket = socket }

  /// How often the weighing loop has to show that it goes round; `nil` when nobody watches.
  ///
  /// A third of the service manager's patience, so that one sign that comes late is no end yet; sd_watchdog_enabled(3)
  /// asks for half of it at least.
  var interval: Interval? { socket?.watchdog.map { Interval(nanoseconds: $0.nanoseconds / 3) } }

  /// The weighing loop goes round; never waits.
  func feedWatchdog() { socket?.send(.alive) }

  /// Takes note that a part is there; with the last of them the appliance is ready.
  func note(_ part: Part) {
    state.withLock { state in
      guard case .starting(var missing) = state else { return }
      missing.remove(part)
      state = missing.isEmpty ? .ready : .starting(missing: missing)
      if missing.isEmpty { socket?.send(.ready) }
    }
  }

  /// Tells how the appliance is doing; never waits.
  func take(_ health: Health) { socket?.send(.status(health.summary)) }

  /// Reloads; the service manager knows when it begins and when it is done.
  func reload(_ body: () -> Void) {
    let isReady = state.withLock { $0 == .ready }
    if isReady { socket?.send(.reloading) }
    body()
    state.withLock { if isReady, $0 == .ready { socket?.send(.ready) } }
  }

  /// Tells that the appliance ends.
  func end() {
    state.withLock { $0 = .ending }
    socket?.send(.stopping)
  }
}

extension Health {
  /// The pad and the broker, and a refused configuration, in one line.
  var summary: String {
    let pad =
      switch pad {
      case .present(let name, let path): "\(name) (\(path))"
      case .missing(let reason): "no pad: \(reason)"
      }
    let broker =
      switch broker {
      case .connected(let address, _): "connected to \(address)"
      case .disconnected(let reason): "no broker: \(reason)"
      }
    return [pad, broker, configurationFault.map { "invalid configuration: \($0)" }].compactMap(\.self)
      .joined(separator: "; ")
  }
}
