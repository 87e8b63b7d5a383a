import CLinux
import Glibc

/// A file descriptor with a single owner, closed in its deinit. See close(2).
package struct Descriptor: ~Copyable {
  /// The number, for system calls only.
  package let number: Int32

  /// Takes ownership of the result of a system call; `nil` if the call failed (a negative number).
  package init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { _ = close(number) }
}
