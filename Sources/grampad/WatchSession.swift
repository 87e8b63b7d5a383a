import Appliance
import Client
import EventLoop
import Glibc
import UnixSignals
import Weighing

/// A full screen from the first picture to the last key.
///
/// ```
/// keys ----------->|
/// news of the line>| one thread: poll, then a new picture, 15 a second at most
/// signals -------->|
/// clock, 1 Hz ---->|
/// ```
struct WatchSession {
  let line: ScaleLine
  let terminal: WatchTerminal
  let style: TerminalStyle
  /// The signals that came, in their order, and the wake-up for them.
  let signals: WatchSignals
  /// How long to try for a first connection.
  let patience: Interval

  /// Why it ended.
  enum End: Hashable {
    case quit
    /// No broker could be reached, or no appliance answers there; with the reason.
    case failed(String)
  }

  /// So many milliseconds between two pictures at least.
  private static let shortest = Interval.milliseconds(66)
  /// How long the second press of a key that voids may take.
  private static let doubt = Interval.seconds(3)

  /// Shows and acts until somebody quits; leaves the terminal as it was.
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

  /// What a poll found.
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

  /// Does what a key asks for; `false` to quit.
  private func perform(_ key: WatchKeys.Order) -> Bool {
    switch key {
    case .quit: return false
    case .suspend:
      terminal.leave()
      // Stops here, if a shell is there to let it go on.
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
