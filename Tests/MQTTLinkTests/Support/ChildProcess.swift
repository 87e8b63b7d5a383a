import Foundation
import Linux
import Synchronization

@testable import MQTTLink

/// A program under test control: its lines are collected, and it is killed at the latest when the value goes.
///
/// Should the tests crash it dies with them: setpriv(1) ties it to a thread that lives just as long.
final class ChildProcess: Sendable {
  private let output = Output()
  let id: Int32

  private final class Output: Sendable {
    struct State {
      var id: Int32 = 0
      var pending: [UInt8] = []
      var lines: [String] = []
    }

    let state = Mutex(State())
    let started = Signal()
    let ended = Signal()

    func append(_ bytes: Data) {
      state.withLock { state in
        state.pending += bytes
        while let end = state.pending.firstIndex(of: UInt8(ascii: "\n")) {
          state.lines.append(String(decoding: state.pending[..<end], as: UTF8.self))
          state.pending.removeFirst(end + 1)
        }
      }
    }
  }

  /// Starts a program found by its name in PATH or /usr/sbin; both its outputs are collected.
  init(_ program: String, _ arguments: [String]) throws {
    let words = ["--pdeathsig", "KILL", "--", Self.find(program)] + arguments
    OwnThread.start(name: "child") { [output] in
      let pipe = Pipe()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.find("setpriv"))
      process.arguments = words
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = pipe
      process.standardError = pipe
      let isStarted = (try? process.run()) != nil
      output.state.withLock { $0.id = isStarted ? process.processIdentifier : 0 }
      output.started.raise()
      // Until the last writer has gone, which is the end of the program.
      while isStarted, case let bytes = pipe.fileHandleForReading.availableData, !bytes.isEmpty { output.append(bytes) }
      if isStarted { process.waitUntilExit() }
      output.ended.raise()
    }
    _ = output.started.wait(milliseconds: -1)
    id = output.state.withLock { $0.id }
    if id == 0 { throw CocoaError(.executableNotLoadable) }
  }

  deinit { end() }

  private static func find(_ program: String) -> String {
    if program.contains("/") { return program }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin", "/usr/local/sbin"]).map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? program
  }

  /// What it has written so far.
  var lines: [String] { output.state.withLock { $0.lines } }
  /// Whether it still runs.
  var isRunning: Bool { !output.ended.wait(milliseconds: 0) }

  /// Sends a signal, unless it has ended.
  func send(_ signal: Int32) { if isRunning { kill(id, signal) } }

  /// Kills it, also when it is stopped, and waits for its end.
  func end() {
    send(SIGKILL)
    _ = output.ended.wait(milliseconds: -1)
  }
}

/// Whether a process exists and is not a zombie.
func exists(_ process: Int32) -> Bool {
  guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
  return !text.contains(") Z ")
}
