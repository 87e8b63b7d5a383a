import Dispatch
import Foundation
import Synchronization

/// Runs other programs, and terminates them when this program is asked to terminate.
final class ChildProcesses: Sendable {
  private struct State {
    var running: Set<pid_t> = []
    var signal: Int32?
  }

  private let state = Mutex(State())

  /// Makes SIGINT and SIGTERM terminate the child processes instead of this program; `wait(for:)` then throws.
  ///
  /// - Returns: The signal sources. The signals are handled as long as the caller keeps them.
  func trapSignals() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        state.withLock { state in
          state.signal = number
          for child in state.running { kill(child, SIGTERM) }
        }
      }
      source.activate()
      return source
    }
  }

  /// Starts a program and returns its process identifier.
  ///
  /// - Parameters:
  ///   - output: The file for standard output; discarded if `nil`.
  ///   - error: The file for standard error; discarded if `nil`.
  /// - Throws: `CostError.interrupted`, or `.failed` if the program cannot be started.
  func start(_ command: [String], output: String? = nil, error: String? = nil) throws(CostError) -> pid_t {
    let started = state.withLock { state -> Result<pid_t, CostError> in
      if let signal = state.signal { return .failure(.interrupted(signal)) }
      var child: pid_t = 0
      let code = Self.spawn(command, output ?? "/dev/null", error ?? "/dev/null", &child)
      guard code == 0 else {
        return .failure(.failed(command[0], status: code, output: String(cString: strerror(code))))
      }
      state.running.insert(child)
      return .success(child)
    }
    return try started.get()
  }

  /// Waits for the end of a program and returns its status, or 128 plus the number of the signal that ended it.
  ///
  /// - Throws: `CostError.interrupted`.
  func wait(for child: pid_t) throws(CostError) -> Int32 {
    let status = reap(child)
    if let signal = state.withLock({ $0.signal }) { throw .interrupted(signal) }
    return status
  }

  /// Terminates a program and waits for its end.
  func end(_ child: pid_t) {
    kill(child, SIGTERM)
    _ = reap(child)
  }

  /// Runs a program to its end and returns its status and its output, including standard error.
  func output(_ command: [String]) throws(CostError) -> (status: Int32, text: String) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("grampad-bench-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let status = try wait(for: start(command, output: file, error: file))
    return (status, Self.text(file))
  }

  /// Returns the content of a file, or an empty text if the file does not exist.
  static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  private func reap(_ child: pid_t) -> Int32 {
    // Waits without reaping first, so that no signal is sent to another process with the same identifier.
    var information = siginfo_t()
    while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    state.withLock { _ = $0.running.remove(child) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    // Same as WIFEXITED and WEXITSTATUS of waitpid(2), which Swift does not import.
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  /// Starts a program with no signal blocked or ignored.
  ///
  /// Foundation's `Process` inherits the signal mask of its thread, and threads of the pool block nearly all signals. See
  /// posix_spawn(3).
  private static func spawn(_ command: [String], _ output: String, _ error: String, _ child: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // Append mode, because standard output and error may be the same file.
    let flags = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, error, flags, 0o600)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = command.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    return posix_spawn(&child, command[0], &actions, &attributes, words, environ)
  }
}
