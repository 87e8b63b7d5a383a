import CLinux
import Glibc

/// A file descriptor with one owner, closed when that goes. See close(2).
struct Descriptor: ~Copyable {
  /// The number, for system calls only.
  let number: Int32

  /// Takes over a number that a system call has just returned; `nil` when that call failed (a negative number).
  init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { _ = close(number) }
}
