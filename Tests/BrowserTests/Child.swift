import Foundation
import Glibc

/// A process of a test, with a pipe to write to it and one to read from it at descriptors of one's choice.
///
/// Sendable because one thread reads from it, and one at a time writes to it: that of a test, or those of `Chromium`.
final class Child: @unchecked Sendable {
  let process: pid_t
  private let reading: Int32
  private let writing: Int32
  private var pending: [UInt8] = []

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - input: What it reads from as this descriptor.
  ///   - output: What it writes to as this descriptor.
  init(_ path: String, _ arguments: [String], input: Int32, output: Int32) throws {
    var (down, up) = ([Int32](repeating: 0, count: 2), [Int32](repeating: 0, count: 2))
    guard pipe(&down) == 0, pipe(&up) == 0 else { throw ChildFault.cannotStart(path) }
    // Out of the way of the numbers that the child wants.
    let (near, far) = (fcntl(down[0], F_DUPFD_CLOEXEC, 64), fcntl(up[1], F_DUPFD_CLOEXEC, 64))
    writing = fcntl(down[1], F_DUPFD_CLOEXEC, 64)
    reading = fcntl(up[0], F_DUPFD_CLOEXEC, 64)
    for descriptor in down + up { close(descriptor) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, near, input)
    posix_spawn_file_actions_adddup2(&actions, far, output)
    if ProcessInfo.processInfo.environment["BROWSER_STDERR"] == nil {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var child = pid_t()
    let result = posix_spawnp(&child, path, &actions, nil, &words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    close(near)
    close(far)
    guard result == 0 else { throw ChildFault.cannotStart(path) }
    process = child
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    close(reading)
    close(writing)
  }

  func send(_ signal: Int32) { kill(process, signal) }

  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
      guard count > 0 else { throw ChildFault.ended }
      rest = rest.dropFirst(count)
    }
  }

  /// What it writes up to a byte, without that; waits no longer than to the deadline.
  func read(upTo end: UInt8, before deadline: ContinuousClock.Instant) throws -> [UInt8] {
    var searched = 0
    while true {
      if let index = pending.firstIndex(of: end, from: searched) {
        let found = Array(pending[..<index])
        pending.removeSubrange(...index)
        return found
      }
      searched = pending.count
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { throw ChildFault.silent }
      var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, Int32(left.components.seconds * 1000 + 1))
      guard entry.revents != 0 else { continue }
      let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = max(Glibc.read(reading, buffer.baseAddress, buffer.count), 0)
      }
      guard !part.isEmpty else { throw ChildFault.ended }
      pending += part
    }
  }
}

extension [UInt8] {
  /// The first index of a byte that is not before another index. Without optimisation, that of the standard library calls
  /// several functions for each byte, and a screenshot has hundreds of thousands.
  fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      return memchr(base + start, Int32(byte), bytes.count - start).map { UnsafeRawPointer($0) - base }
    }
  }
}

/// What can go wrong with a process of a test.
enum ChildFault: Error {
  case cannotStart(String)
  case ended
  case silent
}
