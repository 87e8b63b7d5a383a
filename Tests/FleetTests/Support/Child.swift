import Foundation
import Linux
import Synchronization
import Testing

/// A program that ends with this process at the latest.
final class Child: Sendable {
  private let process: Mutex<Process>

  /// The folder of the compiled programs.
  static let products = Bundle.main.bundleURL.path

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - user: The user to run as if this process is root.
  ///   - output: A file for its standard output and error.
  init(_ program: String, _ arguments: [String], user: String? = nil, output: String = "/dev/null") throws {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    let identity = getuid() == 0 ? user.map { ["--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? [] : []
    child.arguments = identity + ["--pdeathsig=KILL", program] + arguments
    child.currentDirectoryURL = URL(fileURLWithPath: "/")
    if !FileManager.default.fileExists(atPath: output) {
      _ = FileManager.default.createFile(atPath: output, contents: nil)
    }
    let handle = try #require(FileHandle(forWritingAtPath: output))
    child.standardOutput = handle
    child.standardError = handle
    process = Mutex(child)
    try Starter.shared.start(child)
  }

  deinit { kill() }

  var isRunning: Bool { process.withLock { $0.isRunning } }

  /// Sends it a signal.
  func send(_ signal: Int32) {
    process.withLock { process in
      if process.isRunning { Glibc.kill(process.processIdentifier, signal) }
    }
  }

  /// Ends it at once, and waits for its end.
  func kill() {
    process.withLock { process in
      if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }
  }

  /// Asks it to end, and returns its exit code.
  func terminate() -> Int32 {
    process.withLock { process in
      process.terminate()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  /// Runs a program to its end; returns its exit code.
  static func run(_ program: String, _ arguments: [String], user: String? = nil, output: String = "/dev/null") throws
    -> Int32
  {
    let child = try Child(program, arguments, user: user, output: output)
    return child.process.withLock { process in
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  /// Starts all of them from one thread that never ends: the kernel kills a child when the thread that started it ends.
  private final class Starter: Sendable {
    static let shared = Starter()
    private let requests = Mutex<[(Process, DispatchSemaphore, Outcome)]>([])
    private let wake = Signal()

    private final class Outcome: Sendable {
      let error = Mutex<(any Error)?>(nil)
    }

    private init() {
      OwnThread.start(name: "starter") { [self] in
        while true {
          _ = wake.wait(milliseconds: -1)
          wake.lower()
          let waiting = requests.withLock { requests in
            defer { requests = [] }
            return requests
          }
          for (process, done, outcome) in waiting {
            do { try process.run() } catch { outcome.error.withLock { $0 = error } }
            done.signal()
          }
        }
      }
    }

    func start(_ process: Process) throws {
      let (done, outcome) = (DispatchSemaphore(value: 0), Outcome())
      requests.withLock { $0.append((process, done, outcome)) }
      wake.raise()
      done.wait()
      if let error = outcome.error.withLock({ $0 }) { throw error }
    }
  }
}

/// Waits until a condition holds, looking again and again.
func eventually(
  _ what: String, within limit: Duration = .seconds(60), _ condition: () throws -> Bool
) throws {
  let deadline = ContinuousClock.now + limit
  while try !condition() {
    try #require(ContinuousClock.now < deadline, "never: \(what)")
    // Yields the processor between two looks.
    usleep(20_000)
  }
}

/// A temporary folder that every user may enter; removed at the end.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "grampad-fleet-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    return "\(path)/\(name)"
  }
}
