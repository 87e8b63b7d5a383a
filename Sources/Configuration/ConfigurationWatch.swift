import CLinux
import Glibc
import Linux

/// Reports when a configuration file may have changed.
///
/// Watches the folder, because editors replace the file by a new one; if the file is a symbolic link, the folder of its
/// target too. Relevant events are a file closed after writing, a file renamed to the path, a new link, and `..data`, with
/// which Kubernetes swaps a mounted folder. Events within 100 ms count as one change. inotify(7), timerfd_create(2); sleeps
/// until an event arrives.
package final class ConfigurationWatch {
  /// Readable when `drain()` has something to do; an epoll(7) descriptor that this watch closes.
  package let descriptor: CInt

  private let notifier: CInt
  private let timer: CInt
  private let location: String
  private let events: Int32
  private var names: [CInt: Set<String>] = [:]

  /// The quiet time after a change; editors write, rename and set modes within a few milliseconds.
  private static let quietNanoseconds = 100_000_000

  /// Watches a file.
  ///
  /// - Parameters:
  ///   - location: The absolute path; the folder must exist, the file need not.
  ///   - isOptional: Whether the removal of the file is a change, too; editors remove files before they replace them.
  /// - Throws: `ConfigurationWatchError` if a system call fails.
  package init(location: String, isOptional: Bool = false) throws(ConfigurationWatchError) {
    self.location = location
    events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | (isOptional ? IN_DELETE | IN_MOVED_FROM : 0)
    descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
    notifier = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    timer = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
    let isComplete = [descriptor, notifier, timer].allSatisfy { $0 >= 0 } && [notifier, timer].allSatisfy(include)
    guard isComplete, watchFolders() else { throw ConfigurationWatchError(location: location, errno: errno) }
  }

  deinit { for open in [descriptor, notifier, timer] where open >= 0 { close(open) } }

  /// Reads the pending events; true once after each change, after 100 ms without events.
  package func drain() -> Bool {
    if readEvents() { startTimer() }
    var expirations: UInt64 = 0
    guard read(timer, &expirations, MemoryLayout<UInt64>.size) > 0 else { return false }
    // The link may have a new target.
    _ = watchFolders()
    return true
  }

  private func include(_ source: CInt) -> Bool {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    return epoll_ctl(descriptor, EPOLL_CTL_ADD, source, &event) == 0
  }

  /// Watches the folder of the file and that of its link target; false if the first cannot be watched.
  private func watchFolders() -> Bool {
    let old = names
    names = [:]
    let isWatched = watch(location)
    if let target = realpath(location, nil) {
      _ = watch(String(cString: target))
      free(target)
    }
    for number in old.keys where names[number] == nil { inotify_rm_watch(notifier, number) }
    return isWatched
  }

  private func watch(_ path: String) -> Bool {
    let number = inotify_add_watch(notifier, parentFolder(of: path), UInt32(events))
    guard number >= 0, let name = path.split(separator: "/").last else { return false }
    names[number, default: ["..data"]].insert(String(name))
    return true
  }

  /// Reads all events; returns whether one of them concerns the file.
  private func readEvents() -> Bool {
    var concerns = false
    // Large enough for an event with the longest name, NAME_MAX is 255.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while case let count = read(notifier, buffer.baseAddress, buffer.count), count > 0 {
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          offset = start + Int(event.len)
          let name = String(decoding: buffer[start..<min(offset, count)].prefix { $0 != 0 }, as: UTF8.self)
          if concernsFile(event, name) { concerns = true }
        }
      }
    }
    return concerns
  }

  private func concernsFile(_ event: inotify_event, _ name: String) -> Bool {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    guard names[event.wd]?.contains(name) == true else { return false }
    guard event.mask & UInt32(IN_CREATE) != 0 else { return true }
    // A new file is reported when it is closed after writing; a new link is complete.
    var status = stat()
    return lstat(location, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private func startTimer() {
    var time = itimerspec()
    time.it_value.tv_nsec = Self.quietNanoseconds
    timerfd_settime(timer, 0, &time, nil)
  }
}

/// Why a configuration file cannot be watched; SIGHUP still reloads it.
package struct ConfigurationWatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package var location: String
  /// The system's error number.
  package var errno: CInt

  /// What failed, on what, and what to do.
  package var description: String {
    "\(location) cannot be watched for changes: \(systemText(errno)); send SIGHUP to reload it after a change"
  }
}
