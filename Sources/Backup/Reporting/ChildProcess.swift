import Glibc
import Linux
import Weighing

/// Runs a program without a shell, with a minimal environment and a timeout.
enum ChildProcess {
  /// The result of a program.
  struct Outcome {
    /// Its standard output and standard error.
    var output: [UInt8]
    /// Its exit code; 128 plus the number of the signal if a signal ended it.
    var code: Int32
  }

  /// Runs a program from PATH and waits until it exits.
  ///
  /// - Parameters:
  ///   - input: Its standard input; empty if `nil`.
  ///   - output: Its standard output; returned if `nil`.
  ///   - limit: The maximum number of bytes returned; the rest is dropped.
  /// - Throws: `.program` if it is not found or does not exit within `patience`.
  static func run(
    _ name: String, _ arguments: [String], input: OpenFile? = nil, output: OpenFile? = nil, limit: Int = 1 << 22,
    patience: Interval = .seconds(10)
  ) throws(BackupError) -> Outcome {
    guard let path = find(name) else { throw .program(name, "not found") }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .program(name, systemText(errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process: pid_t
    do throws(BackupError) {
      defer { close(ends[1]) }
      process = try start(
        path, [name] + arguments, input: input, output: output?.descriptor.rawValue ?? ends[1], log: ends[1])
    } catch {
      close(ends[0])
      throw error
    }
    defer { close(ends[0]) }
    let read = readAll(ends[0], limit: limit, until: .now() + patience)
    if read == nil { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard let read else { throw .program(name, "did not finish within \(Int(patience.seconds)) s") }
    // wait(2): the low seven bits are the signal, the second byte is the exit code.
    return Outcome(output: read, code: status & 0x7f != 0 ? 128 + status & 0x7f : status >> 8 & 0xff)
  }

  private static func find(_ name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return (path.split(separator: ":").map(String.init) + ["/usr/bin", "/bin"]).map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  /// `posix_spawn(3)`
  private static func start(
    _ path: String, _ words: [String], input: OpenFile?, output: Int32, log: Int32
  ) throws(BackupError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input.descriptor.rawValue, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    let variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for word in environment { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, &attributes, &arguments, &environment)
    guard code == 0 else { throw .program(words[0], systemText(code)) }
    return process
  }

  /// All bytes until the other end is closed; `nil` if that is after the deadline.
  private static func readAll(_ descriptor: Int32, limit: Int, until deadline: Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, deadline.millisecondsAway) > 0 else {
        if deadline.millisecondsAway > 0 { continue }
        return nil
      }
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0, bytes.count < limit { bytes += chunk[..<min(count, limit - bytes.count)] }
    }
  }
}
