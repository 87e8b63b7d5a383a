import Appliance
import Client
import EventLoop
import Glibc
import UnixSignals
import Weighing

/// A full-screen session, from the first frame until the user quits.
///
/// ```
/// keys ----------->|
/// news of the line>| one thread: poll, then draw a frame, at most 15 a second
/// signals -------->|
/// clock, 1 Hz ---->|
/// ```
struct WatchSession {
  let line: ScaleLine
  let terminal: WatchTerminal
  let style: TerminalStyle
  /// The received signals in order, and the wake-up for them.
  let signals: WatchSignals
  /// How long to wait for the first connection.
  let patience: Interval

  /// Why it ended.
  enum End: Hashable {
    case quit
    /// No broker is available, or the appliance does not respond; with the reason.
    case failed(String)
  }

  /// The minimum time between two frames.
  private static let shortest = Interval.milliseconds(66)
  /// The time within which a key that voids must be pressed again.
  private static let doubt = Interval.seconds(3)

  /// Draws and handles keys until the user quits; restores the terminal.
  func run() -> End {
    terminal.enter()
    defer { terminal.leave() }
    let begin = Instant.now()
    var keys = WatchKeys()
    var drawn = Instant(nanoseconds: 0)
    var isNews = true
    while true {
      let now = Instant.now()
      if isNews, now - drawn >= Self.shortest {
        draw(at: now)
        (drawn, isNews) = (now, false)
      }
      if let reason = line.failure(since: begin, at: now, patience: patience) { return .failed(reason) }
      let wait: Int32 = isNews ? Int32(Self.shortest.nanoseconds / 1_000_000) : 1000
      switch poll(milliseconds: wait) {
      case .nothing: isNews = true
      case .news: isNews = true
      case .ended: return .quit
      case .signal:
        for signal in signals.take() {
          switch signal {
          case .sigcont: terminal.enter()
          case .sigwinch: break
          default: return .quit
          }
        }
        (drawn, isNews) = (Instant(nanoseconds: 0), true)
      case .keys(let bytes):
        isNews = true
        for key in bytes.compactMap({ keys.press($0, at: now, doubt: Self.doubt) }) {
          guard perform(key) else { return .quit }
        }
      }
    }
  }

  /// The result of a poll.
  private enum Found {
    case nothing, news, signal, ended
    case keys([UInt8])
  }

  private func poll(milliseconds: Int32) -> Found {
    var entries = [
      pollfd(fd: signals.letter.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: line.news.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard Glibc.poll(&entries, 3, milliseconds) > 0 else { return .nothing }
    if entries[0].revents != 0 {
      signals.letter.lower()
      return .signal
    }
    if entries[1].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      return count > 0 ? .keys(Array(bytes[..<count])) : errno == EINTR && count < 0 ? .nothing : .ended
    }
    line.news.lower()
    return .news
  }

  private func draw(at now: Instant) {
    let size = WatchTerminal.size
    WatchTerminal.show(WatchScreen.lines(line.scale, columns: size.columns, rows: size.rows, style, at: now))
  }

  /// Performs the command of a key; returns `false` to quit.
  private func perform(_ key: WatchKeys.Order) -> Bool {
    switch key {
    case .quit: return false
    case .suspend:
      terminal.leave()
      // Stops here if a shell can continue it.
      kill(0, SIGTSTP)
      terminal.enter()
    case .action(let action): line.ask(action.rawValue, words: action.rawValue.replacing("_", with: " "))
    case .quick(let index):
      let actions = line.scale.quickActions
      if index < actions.count { line.ask(actions[index].type, words: actions[index].title) }
    case .doubtful: line.note(line.scale.voidQuestion, isGood: false)
    }
    return true
  }
}
