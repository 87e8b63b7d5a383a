import Linux
import Messages
import Weighing

/// Reports the state of the appliance to the service manager: ready, status, reloading, stopping.
///
/// ```
///   starting ──journal answers and loop runs──► ready ◄──────► reloading
///       └──────────────────────────────────────────┴──signal──► ending
/// ```
/// May be called on any thread.
final class ServiceReport: Sendable {
  /// What is needed before the appliance is ready; pad and broker may follow later.
  enum Part: Hashable, Sendable {
    /// The journal is open, or the reason why it cannot be opened is known.
    case journal
    /// The weighing loop has completed a round.
    case loop
  }

  private enum State: Hashable, Sendable {
    case starting(missing: Set<Part>)
    case ready
    case ending
  }

  private let socket: NotifySocket?
  private let output: OrderedOutput<State, [NotifySocket.Notice]>

  /// Makes a report for the service manager, if there is one.
  init(to socket: NotifySocket?) {
    self.socket = socket
    output = OrderedOutput(.starting(missing: [.journal, .loop]), empty: []) { notices in
      for notice in notices { socket?.send(notice) }
      notices.removeAll()
    }
  }

  /// Interval at which the weighing loop has to report; `nil` without a watchdog.
  ///
  /// A third of the watchdog timeout, so that one late report does no harm; sd_watchdog_enabled(3) recommends at most
  /// half.
  var interval: Interval? { socket?.watchdog.map { Interval(nanoseconds: $0.nanoseconds / 3) } }

  /// Reports that the weighing loop is running; never waits.
  func feedWatchdog() { socket?.send(.alive) }

  /// Records that a part is ready; with the last one the appliance is ready.
  func markReady(_ part: Part) {
    output.update { state, notices in
      guard case .starting(var missing) = state else { return }
      missing.remove(part)
      state = missing.isEmpty ? .ready : .starting(missing: missing)
      if missing.isEmpty { notices.append(.ready) }
    }
  }

  /// Reports the status; never waits.
  func sendStatus(of health: Health) { socket?.send(.status(health.summary)) }

  /// Performs a reload; reports its beginning and its end.
  func reload(_ body: () -> Void) {
    let isReady = output.update { state, notices in
      if state == .ready { notices.append(.reloading) }
      return state == .ready
    }
    body()
    output.update { state, notices in if isReady, state == .ready { notices.append(.ready) } }
  }

  /// Reports that the appliance is stopping.
  func end() {
    output.update { state, notices in
      state = .ending
      notices.append(.stopping)
    }
  }
}

extension Health {
  /// Pad, broker and an invalid configuration in one line.
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
    return [pad, broker, configurationError.map { "invalid configuration: \($0)" }].compactMap(\.self)
      .joined(separator: "; ")
  }
}
