import Glibc
import Testing

@testable import Terminal

/// Full-screen mode on a pseudo-terminal.
@Suite struct FullScreenTerminalTests {
  @Test(.timeLimit(.minutes(1))) func restoresTheAttributes() throws {
    // Number and lock of the other end. ioctl_tty(2): TIOCGPTN, TIOCSPTLCK
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(main) }
    var (number, locked): (UInt32, Int32) = (0, 0)
    try #require(main >= 0 && ioctl(main, 0x8004_5430, &number) == 0 && ioctl(main, 0x4004_5431, &locked) == 0)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    try #require(terminal >= 0)
    func flags() -> tcflag_t {
      var attributes = termios()
      tcgetattr(terminal, &attributes)
      return attributes.c_lflag
    }
    let before = flags()
    let screen = try #require(FullScreenTerminal(input: terminal, output: terminal))
    #expect(screen.size == (80, 24))
    screen.enter()
    #expect(flags() & tcflag_t(ICANON | ECHO) == 0)
    screen.show(["73 g"])
    screen.restore()
    #expect(flags() == before)
    // One read need not return all that was written.
    var text = ""
    while !text.hasSuffix("\u{1b}[?1049l") {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(main, &bytes, bytes.count)
      try #require(count > 0)
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    #expect(text.hasPrefix("\u{1b}[?1049h") && text.contains("\u{1b}[K73 g"))
  }

  @Test func isNotAvailableOnAPipe() throws {
    let pipe = try Pipe()
    #expect(FullScreenTerminal(input: pipe.reading, output: pipe.writing) == nil)
  }
}
