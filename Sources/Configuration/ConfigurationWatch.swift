import CLinux
import Dispatch
import EventLoop
import Glibc

/// Tells when a configuration file may have changed.
///
/// Watches the folder, since editors put a new file in the place of the old one; where the file is a symbolic link, the
/// folder of its target too. Counted are a file closed after writing, one moved into the place, a new link, and
/// `..data`, by which Kubernetes swaps a whole mounted folder. What follows within 100 ms counts once. inotify(7),
/// timerfd_create(2); sleeps until something happens.
package final class ConfigurationWatch {
  /// Readable when `drain()` has something to do; an epoll(7) descriptor that this watch closes.
  package let descriptor: CInt

  private let notifier: CInt
  private let timer: CInt
  private let location: String
  private var names: [CInt: Set<String>] = [:]

  /// How long it has to be quiet after a change; editors write, rename and set modes within a few milliseconds.
  private static let quietNanoseconds = 100_000_000

  /// Watches a file.
  ///
  /// - Parameter location: Its absolute path; its folder has to be there, the file not.
  /// - Throws: `ConfigurationWatchFault` when the system refuses.
  package init(location: String) throws(ConfigurationWatchFault) {
    self.location = location
    descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
    notifier = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    timer = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
    let isComplete = [descriptor, notifier, timer].allSatisfy { $0 >= 0 } && [notifier, timer].allSatisfy(include)
    guard isComplete, watchFolders() else { throw ConfigurationWatchFault(location: location, errno: errno) }
  }

  deinit {
    for open in [descriptor, notifier, timer] where open >= 0 { close(open) }
  }

  /// Takes what has happened; true once after each change, when it has been quiet for 100 ms.
  package func drain() -> Bool {
    if takeEvents() { startTimer() }
    var expirations: UInt64 = 0
    guard read(timer, &expirations, MemoryLayout<UInt64>.size) > 0 else { return false }
    // The link may point elsewhere now.
    _ = watchFolders()
    return true
  }

  /// One element after each change, until the stream is dropped; changes that nobody has taken yet count as one.
  ///
  /// - Throws: `ConfigurationWatchFault` when the system refuses.
  package static func changes(of location: String) throws(ConfigurationWatchFault) -> AsyncStream<Void> {
    let watch = try ConfigurationWatch(location: location)
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let queue = DispatchQueue(label: "grampad.configuration")
    // Dispatch sources may be used from any thread; the protocol does not say so.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: watch.descriptor, queue: queue)
    source.setEventHandler { if watch.drain() { continuation.yield() } }
    // Dispatch wants the descriptor open until the source is cancelled; this handler is the last to hold the watch.
    source.setCancelHandler { withExtendedLifetime(watch) {} }
    continuation.onTermination = { _ in source.cancel() }
    source.activate()
    return stream
  }

  private func include(_ source: CInt) -> Bool {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    return epoll_ctl(descriptor, EPOLL_CTL_ADD, source, &event) == 0
  }

  /// Watches the folder of the file, and that of what it links to; false when the first is not to be had.
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
    let mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE
    let number = inotify_add_watch(notifier, parentFolder(of: path), UInt32(mask))
    guard number >= 0, let name = path.split(separator: "/").last else { return false }
    names[number, default: ["..data"]].insert(String(name))
    return true
  }

  /// Reads all events; whether one of them concerns the file.
  private func takeEvents() -> Bool {
    var concerns = false
    // One event with the longest name fits, NAME_MAX is 255.
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
    // A new file will be closed after writing; a new link is complete.
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
package struct ConfigurationWatchFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package var location: String
  /// The system's error number.
  package var errno: CInt

  /// What failed, on what, and what to do.
  package var description: String {
    "\(location) cannot be watched for changes: \(systemText(errno)); send SIGHUP to reload it after a change"
  }
}
