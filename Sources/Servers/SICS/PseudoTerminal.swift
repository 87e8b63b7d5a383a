import CLinux
import Glibc
import Linux

/// A pseudo-terminal, and the symbolic link by which programs open it like a serial port. pty(7)
final class PseudoTerminal {
  private let near: Descriptor
  /// The other side is kept open, so that a program that closes it does not end the terminal.
  private let other: Descriptor
  private let link: String
  private let name: String

  /// The side of this program.
  var descriptor: Int32 { near.number }

  /// Makes a terminal in raw mode and links it; a link that a killed process has left behind is replaced.
  init(link: String) throws(SICSError) {
    guard let near = Descriptor(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) else {
      throw SICSError(subject: "/dev/ptmx", number: errno)
    }
    var locked: Int32 = 0
    var index: UInt32 = 0
    guard ioctl(near.number, grampad_TIOCSPTLCK, &locked) == 0, ioctl(near.number, grampad_TIOCGPTN, &index) == 0 else {
      throw SICSError(subject: "/dev/ptmx", number: errno)
    }
    let name = "/dev/pts/\(index)"
    guard let other = Descriptor(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) else {
      throw SICSError(subject: name, number: errno)
    }
    var settings = termios()
    tcgetattr(other.number, &settings)
    cfmakeraw(&settings)
    tcsetattr(other.number, TCSANOW, &settings)
    // For the members of the service's group; tty(4) would allow others to write only.
    _ = fchown(other.number, uid_t.max, getegid())
    _ = fchmod(other.number, 0o660)
    let number = Self.link(name, at: link)
    guard number == 0 else { throw SICSError(subject: link, number: number) }
    self.near = near
    self.other = other
    (self.link, self.name) = (link, name)
  }

  /// Discards what is on its way in both directions and returns two further descriptors of the side of this program, to be
  /// closed by the caller; `nil` if there are none left. tcflush(3), fcntl(2)
  func emptied() -> (input: Int32, output: Int32)? {
    _ = tcflush(descriptor, TCIOFLUSH)
    let input = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    let output = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if input >= 0, output >= 0 { return (input, output) }
    for number in [input, output] where number >= 0 { close(number) }
    return nil
  }

  deinit { if FileSystem.target(ofLink: link) == name { unlink(link) } }

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

/// Why MT-SICS is not available on a pseudo-terminal.
struct SICSError: Error, Hashable, CustomStringConvertible {
  /// The path.
  var subject: String
  /// errno(3).
  var number: Int32

  /// What failed, on what, and what to do.
  var description: String {
    let path = printable(subject, limit: 4096)
    return switch number {
    case EEXIST:
      "\(path) exists and is not a link of this user to a pseudo-terminal; remove it, or change sics.pty"
    case EROFS:
      "\(path): \(systemText(number)); the service may create the link in its runtime folder only: set sics.pty to a name "
        + "without a folder"
    default: "\(path): \(systemText(number))"
    }
  }
}
