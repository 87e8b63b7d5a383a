import CMosquitto
import Glibc
import Linux
import SystemPackage

/// A running mosquitto: its process and its log output; belongs to the thread that started it, and dies with that
/// thread.
final class BrokerProcess {
  /// The process id.
  let id: Int32
  /// Readable once the process has ended. `pidfd_open(2)`
  let endDescriptor: Int32
  /// The read end of its standard error, non-blocking.
  let logDescriptor: Int32
  private var isReaped = false
  private var partial: [UInt8] = []

  /// Starts mosquitto on a port of 127.0.0.1.
  init(program: String, port: UInt16) throws(EmbeddedBrokerError) {
    let configuration = try Self.configurationFile(port: port)
    defer { close(configuration) }
    var ends: [Int32] = [-1, -1]
    guard broker_process_pipe(&ends) == 0 else { throw .notStarted(systemText(errno)) }
    let log = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    close(ends[1])
    defer { close(log) }
    let account = Self.account()
    // /proc/self/fd/3 is the configuration. The child opens it again, so that it reads from the beginning.
    let words = [program, "-c", "/proc/self/fd/3"]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    id = broker_process_start(
      program, &arguments, configuration, log, account != nil, account?.user ?? 0, account?.group ?? 0)
    logDescriptor = ends[0]
    guard id > 0 else {
      let code = errno
      close(ends[0])
      endDescriptor = -1
      isReaped = true
      throw .notStarted(systemText(code))
    }
    endDescriptor = pidfd_open(id, 0)
  }

  deinit {
    if !isReaped {
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
      close(logDescriptor)
    }
    if endDescriptor >= 0 { close(endDescriptor) }
  }

  /// The configuration in memory: no directory has to be readable for another user, and nothing is left on disk.
  private static func configurationFile(port: UInt16) throws(EmbeddedBrokerError) -> Int32 {
    let text = """
      # Local clients only. To serve other machines, run your own broker and set mqtt.broker.
      listener \(port) 127.0.0.1
      allow_anonymous true
      persistence false
      # Enough for a day of weighings for an offline or slow subscriber, at most 32 MiB per subscriber.
      max_queued_messages 50000
      max_queued_bytes 33554432
      set_tcp_nodelay true
      # The largest payload is a list of quick actions, 128 KiB. A client that exceeds max_packet_size is disconnected.
      message_size_limit 131072
      max_packet_size 262144
      log_dest stderr
      log_timestamp false

      """
    let memory = broker_process_memory()
    guard memory >= 0 else { throw .notStarted(systemText(errno)) }
    let file = FileDescriptor(rawValue: memory)
    defer { try? file.close() }
    do {
      try file.writeAll(text.utf8)
    } catch {
      throw .notStarted("\(error)")
    }
    return fcntl(memory, F_DUPFD_CLOEXEC, 10)
  }

  /// The user to run as if we are root: the one created by Debian's package, or else `nobody`.
  ///
  /// mosquitto could change the user itself, but the kernel would then clear its parent-death signal.
  private static func account() -> (user: uid_t, group: gid_t)? {
    guard geteuid() == 0 else { return nil }
    for name in ["mosquitto", "nobody"] {
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      var buffer = [CChar](repeating: 0, count: 4096)
      if getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil {
        return (entry.pw_uid, entry.pw_gid)
      }
    }
    return nil
  }

  /// The path of mosquitto: in the directories of PATH, or where Debian's package and local builds install it.
  static func find(path: String? = getenv("PATH").map { String(cString: $0) }) -> String? {
    ((path ?? "").split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
      .map { "\($0)/mosquitto" }
      .first { access($0, X_OK) == 0 }
  }

  /// The complete lines written since the last call.
  func readLines() -> [String] {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(logDescriptor, &chunk, chunk.count)
      if count <= 0 { break }
      partial += chunk[..<count]
      // No message is this long; the limit bounds memory.
      if partial.count > 65536 { partial.append(UInt8(ascii: "\n")) }
    }
    guard let end = partial.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    defer { partial.removeFirst(end + 1) }
    return String(decoding: partial[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Sends a signal. `kill(2)`
  func signal(_ number: Int32) { if !isReaped { kill(id, number) } }

  /// Reaps the process and describes how it ended; call it only after the process has ended. `waitpid(2)`
  func reap() -> String {
    var status: Int32 = 0
    waitpid(id, &status, 0)
    isReaped = true
    close(logDescriptor)
    // wait(2): the low seven bits are the signal, the second byte is the exit code.
    let number = status & 0x7F
    return number == 0 ? "exit code \((status >> 8) & 0xFF)" : "signal \(number)"
  }
}
