import Appliance
import Glibc

/// The terminal of `watch` in full-screen mode: alternate screen, hidden cursor, unbuffered keys. `leave` restores it, and
/// so does a handler for the signals of a crash (a Swift trap is SIGILL or SIGTRAP). The handler only writes and sets
/// attributes, which POSIX allows in a handler, and then re-raises the signal. SIGKILL leaves the terminal as it is.
struct WatchTerminal {
  /// The alternate screen, the cursor and line wrap. xterm, "ctlseqs": DECSET 1049, 25 and 7.
  private static let begin = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[2J"
  private static let end = "\u{1b}[?7h\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

  /// The original attributes; never freed, because a handler may need them at any time.
  private let saved: UnsafeMutablePointer<termios>

  /// Whether standard input and output are a terminal.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Saves the terminal attributes; `nil` if there is no terminal.
  init?() {
    saved = .allocate(capacity: 1)
    saved.initialize(to: termios())
    guard Self.isThere, tcgetattr(STDIN_FILENO, saved) == 0 else { return nil }
    Rescue.prepare(saved, Self.end)
  }

  /// Switches to full-screen mode; also after the process was stopped and continued.
  func enter() {
    var raw = saved.pointee
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    raw.c_oflag &= ~tcflag_t(OPOST)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    Self.put(Self.begin)
    Rescue.arm(true)
  }

  /// Restores the terminal.
  func leave() {
    Rescue.arm(false)
    Self.put(Self.end)
    tcsetattr(STDIN_FILENO, TCSANOW, saved)
  }

  /// The current number of columns and rows.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
  }

  /// Draws a frame in a single write, over the previous one; uses synchronised output (DECSET 2026) if supported.
  static func show(_ lines: [String]) {
    var picture = "\u{1b}[?2026h\u{1b}[H"
    for (index, line) in lines.enumerated() { picture += (index > 0 ? "\r\n" : "") + line + "\u{1b}[K" }
    put(picture + "\u{1b}[J\u{1b}[?2026l")
  }

  private static func put(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      // The terminal is gone: SIGHUP will end the process.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// The state that a handler of a fatal signal needs.
private enum Rescue {
  /// Set before the first handler is installed, and never changed.
  nonisolated(unsafe) private static var saved: UnsafeMutablePointer<termios>?
  nonisolated(unsafe) private static var farewell: UnsafeMutableBufferPointer<UInt8>?
  /// Whether full-screen mode is active. One byte, written by one thread and read by a handler, which sees the old or the
  /// new value.
  nonisolated(unsafe) private static var isArmed = false

  static func prepare(_ attributes: UnsafeMutablePointer<termios>, _ text: String) {
    guard saved == nil else { return }
    saved = attributes
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    farewell = bytes
    // A separate signal stack, for a stack overflow. sigaltstack(2)
    var stack = stack_t()
    stack.ss_size = 1 << 16
    stack.ss_sp = .allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = handler
      action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
  }

  static func arm(_ isArmed: Bool) { Self.isArmed = isArmed }

  private static let handler: @convention(c) (Int32) -> Void = { signal in
    if isArmed, let saved, let farewell {
      _ = write(STDOUT_FILENO, farewell.baseAddress, farewell.count)
      tcsetattr(STDIN_FILENO, TCSANOW, saved)
    }
    // SA_RESETHAND has restored the default action: the signal ends the program when the handler returns.
    raise(signal)
  }
}
