import Glibc
import Linux
import Terminal
import Weighing

/// Shows a scale until the user quits, the output is closed or there is nothing to show.
///
/// ```
/// keys --------------->|
/// changes of the scale>| one thread: poll, then draw a frame, at most 15 a second
/// signals ------------>|
/// clock, 1 Hz -------->|
/// ```
package struct WatchSession: Sendable {
  private let client: ScaleClient
  private let signals: SignalQueue
  private let patience: Interval

  /// Why it ended.
  package enum End: Hashable, Sendable {
    case quit
    /// No broker is available, or the appliance does not respond; with the reason.
    case failed(String)
  }

  /// The minimum time between two frames.
  private static let frameInterval = Interval.milliseconds(66)
  /// The time within which a key that voids must be pressed again.
  private static let confirmationTime = Interval.seconds(3)

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - client: Connected, or about to be.
  ///   - patience: How long to wait for the first connection, and then for the first message of the appliance.
  package init(_ client: ScaleClient, signals: SignalQueue, patience: Interval) {
    (self.client, self.signals, self.patience) = (client, signals, patience)
  }

  /// Draws frames and handles keys until the user quits; restores the terminal. Blocks the calling thread.
  package func run(on terminal: FullScreenTerminal, style: TerminalStyle) -> End {
    terminal.enter()
    defer { terminal.restore() }
    let begin = Instant.now()
    var keys = WatchKeys()
    var drawn = Instant(nanoseconds: 0)
    var needsFrame = true
    while true {
      let now = Instant.now()
      if needsFrame, now - drawn >= Self.frameInterval {
        let size = terminal.size
        terminal.show(WatchScreen.lines(client.scale, columns: size.columns, rows: size.rows, style, at: now))
        (drawn, needsFrame) = (now, false)
      }
      if let reason = client.failure(since: begin, at: now, patience: patience) { return .failed(reason) }
      switch poll(terminal, milliseconds: needsFrame ? Int32(Self.frameInterval.nanoseconds / 1_000_000) : 1000) {
      case .timeout, .change: needsFrame = true
      case .closed: return .quit
      case .signals(let signals):
        if signals.contains(.end) { return .quit }
        if signals.contains(.resume) { terminal.enter() }
        (drawn, needsFrame) = (Instant(nanoseconds: 0), true)
      case .keys(let bytes):
        needsFrame = true
        for command in bytes.compactMap({ keys.command(for: $0, at: now, confirmationTime: Self.confirmationTime) }) {
          guard perform(command, on: terminal) else { return .quit }
        }
      }
    }
  }

  /// Writes each change as a line until a signal arrives or the reader exits. Blocks the calling thread.
  ///
  /// - Parameter write: Writes a line; returns whether the reader is still there.
  package func printChanges<Failure: Error>(_ write: (String) throws(Failure) -> Bool) throws(Failure) -> End {
    var changes = WatchChanges()
    let begin = Instant.now()
    while true {
      for line in changes.lines(for: client.scale) {
        guard try write(line + "\n") else { return .quit }
      }
      if let reason = client.failure(since: begin, at: .now(), patience: patience) { return .failed(reason) }
      var entries = [signals.arrival.descriptor, client.changes.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = Glibc.poll(&entries, 2, client.hasReceived ? -1 : 500)
      client.changes.lower()
      if signals.removeAll().contains(.end) { return .quit }
    }
  }

  /// The result of a poll.
  private enum Event {
    case timeout, change, closed
    case signals([SessionSignal])
    case keys([UInt8])
  }

  private func poll(_ terminal: FullScreenTerminal, milliseconds: Int32) -> Event {
    var entries = [signals.arrival.descriptor, terminal.input, client.changes.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard Glibc.poll(&entries, 3, milliseconds) > 0 else { return .timeout }
    if entries[0].revents != 0 { return .signals(signals.removeAll()) }
    if entries[1].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(terminal.input, &bytes, bytes.count)
      return count > 0 ? .keys(Array(bytes[..<count])) : errno == EINTR && count < 0 ? .timeout : .closed
    }
    client.changes.lower()
    return .change
  }

  /// Performs the command of a key; returns `false` to quit.
  private func perform(_ command: WatchKeys.Command, on terminal: FullScreenTerminal) -> Bool {
    switch command {
    case .quit: return false
    case .suspend:
      terminal.restore()
      // Stops here if a shell can continue it.
      kill(0, SIGTSTP)
      terminal.enter()
    case .action(let action):
      client.request(action.rawValue, title: client.scale.texts.title(ofAction: action.rawValue))
    case .quickAction(let index):
      let actions = client.scale.quickActions
      if index < actions.count { client.request(actions[index].type, title: actions[index].title) }
    case .confirmVoid: client.showNotice(client.scale.voidQuestion, isGood: false)
    }
    return true
  }
}
