import CLinux
import Glibc
import SystemPackage

/// The limit of open files of this process. `RLIMIT_NOFILE`, getrlimit(2)
package enum DescriptorLimit {
  /// The current limit.
  package static var current: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Number of descriptors that can still be opened.
  package static var available: Int { current - inUse }

  /// Number of open descriptors below 1,024.
  ///
  /// The kernel assigns the lowest free numbers first, so descriptors inherited from a parent are among these.
  package static var inUse: Int { (0..<Int32(min(current, 1024))).count { fcntl($0, F_GETFD) >= 0 } }

  /// Raises the limit to a number of descriptors as far as the hard limit allows; never lowers it.
  package static func raise(to count: Int) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur < count, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Why a number of descriptors cannot be opened and what to do about it; `nil` if they can.
  package static func shortage(of count: Int) -> String? {
    let available = available
    guard available < count else { return nil }
    return """
      the open file limit of \(current) is too low: \(count) more files are needed, \(max(available, 0)) are available; \
      raise it with "ulimit -n", or with LimitNOFILE= in a systemd unit
      """
  }

  /// Ends the program after the failure of a system call it cannot work without: prints a message to standard error and
  /// exits with code 74 (`EX_IOERR`).
  ///
  /// For descriptors and threads that every part depends on. A service manager restarts the program; no weighing is
  /// lost, because the journal is on disk before anything is confirmed.
  package static func end(_ call: StaticString, _ number: Int32) -> Never {
    let advice = number == EMFILE ? "; the open file limit is \(current), see \"ulimit -n\"" : ""
    _ = try? FileDescriptor.standardError.writeAll("grampad: \(call): \(systemText(number))\(advice)\n".utf8)
    _exit(74)
  }
}
