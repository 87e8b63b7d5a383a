import CLinux
import EventLoop
import Glibc

/// A pseudo-terminal, and the symbolic link by which programs open it like a serial port. pty(7)
final class PseudoTerminal {
  /// The side of this program.
  let descriptor: Int32
  /// The other side is kept open, so that a program that closes it does not end the terminal.
  private let other: Int32
  private let link: String
  private let name: String

  /// Makes a terminal in raw mode and links it; a link that a killed process has left behind is replaced.
  init(link: String) throws(SICSError) {
    self.link = link
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SICSError(subject: "/dev/ptmx", number: errno) }
    var locked: Int32 = 0
    var index: UInt32 = 0
    guard ioctl(descriptor, grampad_TIOCSPTLCK, &locked) == 0, ioctl(descriptor, grampad_TIOCGPTN, &index) == 0 else {
      let number = errno
      close(descriptor)
      throw SICSError(subject: "/dev/ptmx", number: number)
    }
    name = "/dev/pts/\(index)"
    other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard other >= 0 else {
      let number = errno
      close(descriptor)
      throw SICSError(subject: name, number: number)
    }
    var settings = termios()
    tcgetattr(other, &settings)
    cfmakeraw(&settings)
    tcsetattr(other, TCSANOW, &settings)
    // For the members of the service's group; tty(4) would allow others to write only.
    _ = fchown(other, uid_t.max, getegid())
    _ = fchmod(other, 0o660)
    let number = Self.link(name, at: link)
    guard number == 0 else {
      close(descriptor)
      close(other)
      throw SICSError(subject: link, number: number)
    }
  }

  deinit {
    if FileSystem.target(ofLink: link) == name { unlink(link) }
    close(descriptor)
    close(other)
  }

  /// Returns 0 or errno(3), EEXIST for a file that is not a link of this user to a pseudo-terminal.
  ///
  /// Whether the terminal of a link still exists says nothing: its number may be that of another terminal by now.
  private static func link(_ name: String, at path: String) -> Int32 {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFLNK, status.st_uid == geteuid(),
        FileSystem.target(ofLink: path)?.hasPrefix("/dev/pts/") == true
      else { return EEXIST }
      guard unlink(path) == 0 else { return errno }
    }
    return symlink(name, path) == 0 ? 0 : errno
  }
}
