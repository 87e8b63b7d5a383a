import Foundation
import Synchronization

/// A program under test control: its lines are collected, and it is killed at the latest when the value goes.
final class ChildProcess: Sendable {
  private struct State {
    var process = Process()
    var pending: [UInt8] = []
    var lines: [String] = []
  }

  private let state = Mutex(State())
  let id: Int32

  /// Starts a program found by its name in PATH or /usr/sbin; both its outputs are collected.
  init(_ program: String, _ arguments: [String]) throws {
    let pipe = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.find(program))
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    id = process.processIdentifier
    let running = Running(process)
    state.withLock { $0.process = running.process }
    pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      self?.take([UInt8](data))
    }
  }

  // `Process` is not Sendable; it is made here, handed over once, and used under the lock only.
  private struct Running: @unchecked Sendable {
    let process: Process
    init(_ process: Process) { self.process = process }
  }

  deinit { end() }

  private static func find(_ program: String) -> String {
    if program.contains("/") { return program }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin", "/usr/local/sbin"]).map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? program
  }

  private func take(_ bytes: [UInt8]) {
    state.withLock { state in
      state.pending += bytes
      while let end = state.pending.firstIndex(of: UInt8(ascii: "\n")) {
        state.lines.append(String(decoding: state.pending[..<end], as: UTF8.self))
        state.pending.removeFirst(end + 1)
      }
    }
  }

  /// What it has written so far.
  var lines: [String] { state.withLock { $0.lines } }
  /// Whether it still runs.
  var isRunning: Bool { state.withLock { $0.process.isRunning } }

  func send(_ signal: Int32) { kill(id, signal) }

  /// Kills it, also when it is stopped, and waits for its end.
  func end() {
    kill(id, SIGKILL)
    let process = state.withLock { Running($0.process) }
    process.process.waitUntilExit()
  }
}

/// Whether a process exists and is not a zombie.
func exists(_ process: Int32) -> Bool {
  guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
  return !text.contains(") Z ")
}
