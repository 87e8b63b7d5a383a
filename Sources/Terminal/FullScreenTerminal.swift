import Glibc
import SystemPackage

/// A terminal in full-screen mode: alternate screen, hidden cursor, unbuffered keys.
///
/// `restore` leaves this mode, and so does a handler for the signals of a crash (a Swift trap is SIGILL or SIGTRAP). The handler
/// only writes and sets attributes, which POSIX allows in a handler, and then re-raises the signal. SIGKILL leaves the terminal
/// as it is.
package struct FullScreenTerminal: @unchecked Sendable {
  // Sendable: the descriptors are constants, and the saved attributes are not changed after `init`.

  /// The alternate screen, the cursor and line wrap. xterm, "ctlseqs": DECSET 1049, 25 and 7.
  private static let begin = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[2J"
  private static let end = "\u{1b}[?7h\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

  /// Readable when a key is pressed.
  package let input: Int32
  private let output: Int32
  /// The original attributes; never freed, because a handler may need them at any time.
  private let saved: UnsafeMutablePointer<termios>

  /// Whether both descriptors are terminals.
  package static func isAvailable(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) -> Bool {
    isatty(input) == 1 && isatty(output) == 1
  }

  /// Saves the terminal attributes; `nil` if there is no terminal. `tcgetattr(3)`
  package init?(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    (self.input, self.output) = (input, output)
    saved = .allocate(capacity: 1)
    saved.initialize(to: termios())
    guard Self.isAvailable(input: input, output: output), tcgetattr(input, saved) == 0 else { return nil }
    CrashHandler.install(attributes: saved, input: input, output: output, text: Self.end)
  }

  /// Switches to full-screen mode; also after the process was stopped and continued.
  package func enter() {
    var raw = saved.pointee
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    raw.c_oflag &= ~tcflag_t(OPOST)
    tcsetattr(input, TCSANOW, &raw)
    put(Self.begin)
    CrashHandler.isArmed = true
  }

  /// Leaves full-screen mode and restores the attributes.
  package func restore() {
    CrashHandler.isArmed = false
    put(Self.end)
    tcsetattr(input, TCSANOW, saved)
  }

  /// The current number of columns and rows; 80 by 24 if unknown.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    let isKnown = ioctl(output, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
  }

  /// Draws a frame in a single write, over the previous one; uses synchronised output (DECSET 2026) if supported.
  package func show(_ lines: [String]) {
    // Without line wrap the cursor stays on the last column of a full line: what is erased from there on includes its character.
    var frame = "\u{1b}[?2026h\u{1b}[H"
    for (index, line) in lines.enumerated() { frame += (index > 0 ? "\r\n" : "") + "\u{1b}[K" + line }
    if lines.count < size.rows { frame += "\r\n\u{1b}[J" }
    put(frame + "\u{1b}[?2026l")
  }

  private func put(_ text: String) {
    // If the terminal is gone, SIGHUP will end the process.
    _ = try? FileDescriptor(rawValue: output).writeAll(text.utf8)
  }
}

/// Restores the terminal when a fatal signal ends the process.
private enum CrashHandler {
  /// Set before the first handler is installed, and never changed.
  nonisolated(unsafe) private static var terminal:
    (attributes: UnsafeMutablePointer<termios>, input: Int32, output: Int32, text: UnsafeMutableBufferPointer<UInt8>)?
  /// Whether full-screen mode is active. One byte, written by one thread and read by a handler, which sees the old or the
  /// new value.
  nonisolated(unsafe) static var isArmed = false

  static func install(attributes: UnsafeMutablePointer<termios>, input: Int32, output: Int32, text: String) {
    guard terminal == nil else { return }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    terminal = (attributes, input, output, bytes)
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

  private static let handler: @convention(c) (Int32) -> Void = { signal in
    if isArmed, let terminal {
      _ = write(terminal.output, terminal.text.baseAddress, terminal.text.count)
      tcsetattr(terminal.input, TCSANOW, terminal.attributes)
    }
    // SA_RESETHAND has restored the default action: the signal ends the program when the handler returns.
    raise(signal)
  }
}
