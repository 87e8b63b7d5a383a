import Foundation
import Glibc
import Synchronization
import Testing

/// `grampad` in a pseudo-terminal, whose other end types, reads and checks the terminal settings.
final class WatchTerminal: Sendable {
  let id: Int32
  private let master: Int32
  private let process: Mutex<Held>
  private let read = Mutex<[UInt8]>([])
  /// The attributes of the terminal before the program started.
  let before: termios

  /// `Process` is not Sendable: it is created here, kept under the lock and never returned.
  private struct Held: @unchecked Sendable {
    let process: Process
  }

  init(_ arguments: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // Number and lock of the other end. ioctl_tty(2): TIOCGPTN, TIOCSPTLCK
    var number: UInt32 = 0
    var locked: Int32 = 0
    try #require(master >= 0 && ioctl(master, 0x8004_5430, &number) == 0 && ioctl(master, 0x4004_5431, &locked) == 0)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(slave >= 0)
    Self.resize(master, columns, rows)
    var settings = termios()
    tcgetattr(slave, &settings)
    before = settings
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Program.path())
    process.arguments = arguments
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    (process.standardInput, process.standardOutput, process.standardError) = (terminal, terminal, terminal)
    var all = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANGUAGE"] { all[name] = nil }
    all["LANG"] = "C.UTF-8"
    all["TERM"] = "xterm-256color"
    process.environment = all.merging(environment) { $1 }
    try process.run()
    id = process.processIdentifier
    self.process = Mutex(Held(process: process))
  }

  deinit {
    if isRunning { kill(id, SIGKILL) }
    close(master)
  }

  var isRunning: Bool { process.withLock { $0.process.isRunning } }

  /// The exit code; 128 plus the number of the signal if a signal ended the program.
  func ended() async throws -> Int32 {
    try await eventually("the program ends", within: .seconds(120)) {
      _ = output
      return !isRunning
    }
    return process.withLock { held in
      held.process.terminationReason == .exit
        ? held.process.terminationStatus : 128 + held.process.terminationStatus
    }
  }

  /// The output so far.
  var output: String {
    read.withLock { read in
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      while poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0 {
        let count = Glibc.read(master, &chunk, chunk.count)
        if count <= 0 { break }
        read += chunk[..<count]
      }
      return String(decoding: read, as: UTF8.self)
    }
  }

  /// The lines of the last complete frame, without colours.
  var picture: [String] {
    let pictures = output.components(separatedBy: "\u{1b}[?2026h\u{1b}[H").dropFirst()
    guard let whole = pictures.last(where: { $0.contains("\u{1b}[?2026l") }) else { return [] }
    let text = whole.prefix(upTo: whole.range(of: "\u{1b}[?2026l")?.lowerBound ?? whole.endIndex)
    return text.replacing(/\x{1b}\[[0-9;]*[mKJ]/, with: "").components(separatedBy: "\r\n")
  }

  /// Whether the last frame contains a text.
  func shows(_ text: String) -> Bool { picture.contains { $0.contains(text) } }

  func type(_ keys: String) { _ = Array(keys.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) } }

  func send(_ signal: Int32) { kill(id, signal) }

  /// Closes the terminal, as when its window is closed.
  func hangUp() {
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(nothing, master)
    close(nothing)
  }

  /// Changes the size of the terminal and sends SIGWINCH.
  func resize(_ columns: Int, _ rows: Int) {
    Self.resize(master, columns, rows)
    send(SIGWINCH)
  }

  private static func resize(_ terminal: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  /// Whether the attributes and the screen of the terminal are restored.
  var isAsBefore: Bool {
    var now = termios()
    tcgetattr(master, &now)
    let isSet = now.c_lflag == before.c_lflag && now.c_iflag == before.c_iflag && now.c_oflag == before.c_oflag
    let text = output
    func last(_ sequence: String) -> String.Index? { text.range(of: sequence, options: .backwards)?.lowerBound }
    guard let entered = last("\u{1b}[?1049h") else { return isSet }
    return isSet && (last("\u{1b}[?1049l") ?? entered) > entered && (last("\u{1b}[?25h") ?? entered) > entered
  }
}
