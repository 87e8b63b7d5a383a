import Foundation
import Glibc
import Synchronization
import Testing

/// A running program under test control; killed at the latest when the value goes.
///
/// Its outputs go into files: a file has all that was written as soon as the program has ended.
final class Program: Sendable {
  let id: Int32
  private let process: Mutex<Held>
  private let folder: TemporaryFolder
  private let read = Mutex(ReadLines())

  /// The lines of standard output so far, so that one that waits for the next need not read all of them again.
  private struct ReadLines {
    var lines: [String] = []
    /// How many bytes they have.
    var count: UInt64 = 0
  }

  /// `Process` is not Sendable: it is made here, kept under the lock and never handed out.
  private struct Held: @unchecked Sendable {
    let process: Process
  }

  /// Starts a program found by its name in PATH or /usr/sbin, with more in its environment than this one has.
  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null",
    output: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.find(program))
    process.arguments = arguments
    // In English, whatever the language of the tester is.
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
      .merging(environment) { $1 }
    try folder.write("output", "")
    try folder.write("complaints", "")
    let files = (
      input: try FileHandle(forReadingFrom: URL(fileURLWithPath: input)),
      output: try FileHandle(forWritingTo: URL(fileURLWithPath: output ?? "\(folder.path)/output")),
      complaints: try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder.path)/complaints"))
    )
    // Left to be released they would stay open by the thousand, and Foundation, which lists the open files of the process before it
    // starts a program, reads beyond a buffer from about 1,365 on.
    defer { for file in [files.input, files.output, files.complaints] { try? file.close() } }
    (process.standardInput, process.standardOutput, process.standardError) = (
      files.input, files.output, files.complaints
    )
    try process.run()
    id = process.processIdentifier
    self.process = Mutex(Held(process: process))
  }

  /// Starts the program under test, from the directory of the tests.
  static func grampad(
    _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null", output: String? = nil
  ) throws -> Program {
    try Program(path(), arguments, environment: environment, input: input, output: output)
  }

  /// Returns the path of the program under test.
  static func path() throws -> String {
    let tests = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    return tests.deletingLastPathComponent().appending(path: "grampad").path
  }

  /// Runs the program under test to its end.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null", output: String? = nil,
    within limit: Duration = .seconds(60)
  ) async throws -> Ended {
    try await grampad(arguments, environment: environment, input: input, output: output).ended(within: limit)
  }

  /// Copies a program, in another process: a descriptor that this one has open for writing can be inherited by a program that
  /// another test starts meanwhile, and then the copy cannot be started (ETXTBSY).
  static func copy(_ program: String, to path: String) async throws {
    let ended = try await Program("cp", [program, path]).ended()
    try #require(ended.code == 0, "\(ended)")
  }

  deinit { end() }

  /// The path of a program.
  static func find(_ program: String) -> String {
    if program.contains("/") { return program }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin", "/usr/local/sbin"]).map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? program
  }

  /// The result of a program that has ended.
  struct Ended: Sendable {
    /// The exit code, or 128 plus the number of the signal, as in a shell.
    var code: Int32
    var output: String
    var complaints: String
  }

  var isRunning: Bool { process.withLock { $0.process.isRunning } }
  /// Standard output so far.
  var output: String { text("output") }
  /// The whole lines on standard output so far.
  var lines: [String] {
    read.withLock { read in
      guard let file = FileHandle(forReadingAtPath: "\(folder.path)/output") else { return read.lines }
      defer { try? file.close() }
      let bytes = (try? file.seek(toOffset: read.count)).flatMap { try? file.readToEnd() } ?? Data()
      guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return read.lines }
      read.lines += bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      read.count += UInt64(end - bytes.startIndex + 1)
      return read.lines
    }
  }
  /// Standard error so far.
  var complaints: String { text("complaints") }

  private func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(folder.path)/\(name)") ?? Data(), as: UTF8.self)
  }

  /// Resident memory in kilobytes. `proc(5)`
  var residentKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  func send(_ signal: Int32) { if isRunning { kill(id, signal) } }

  /// Waits for its end.
  func ended(
    within limit: Duration = .seconds(60), at location: SourceLocation = #_sourceLocation
  ) async throws -> Ended {
    try await eventually("process \(id) ends", within: limit, at: location) { !isRunning }
    let code = process.withLock { held in
      held.process.terminationReason == .exit
        ? held.process.terminationStatus : 128 + held.process.terminationStatus
    }
    return Ended(code: code, output: output, complaints: complaints)
  }

  /// Waits for an end that was asked for: some tenths of a second, a second more where a broker hangs.
  ///
  /// The limit of 4 s leaves no room for the five seconds that a broker has to answer. The time in which a busy machine gave no
  /// processor to the program or its broker does not count.
  func endedPromptly(at location: SourceLocation = #_sourceLocation) async throws -> Ended {
    let (start, before) = (ContinuousClock.now, processorDelay)
    var delay = Duration.zero
    try await eventually("process \(id) ends, or is late", at: location) {
      delay = max(delay, processorDelay - before)
      return !isRunning || ContinuousClock.now > start + .seconds(4) + delay
    }
    try #require(!isRunning, "process \(id) ends within 4 s and a delay of \(delay)", sourceLocation: location)
    return try await ended(at: location)
  }

  /// How long its threads and those of its children that live have waited for a processor.
  ///
  /// The second number of `/proc/PID/task/TID/schedstat`; Linux, Documentation/scheduler/sched-stats.rst.
  private var processorDelay: Duration {
    let delays = ([id] + children).flatMap { id in
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
      return threads.map { thread in
        let text = (try? String(contentsOfFile: "/proc/\(id)/task/\(thread)/schedstat", encoding: .utf8)) ?? ""
        return text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
      }
    }
    return .nanoseconds(delays.reduce(0, +))
  }

  /// Kills it, also when it is stopped, and waits until it is dead.
  ///
  /// Not by `waitUntilExit`, which waits for all that the program has left behind, too.
  func end() {
    send(SIGKILL)
    let limit = ContinuousClock.now + .seconds(5)
    while exists(id), ContinuousClock.now < limit { usleep(1000) }
  }

  /// The processes that it has started and that live. `proc(5)`
  var children: [Int32] {
    let list = (try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)) ?? ""
    if !list.isEmpty { return list.split(separator: " ").compactMap { Int32($0) } }
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { Int32($0) }.filter { parent(of: $0) == id }
  }

  private func parent(of process: Int32) -> Int32? {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    // The name, in parentheses, may hold anything; the state and the parent follow it.
    return text.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
  }
}

/// Whether a process exists and is not a zombie.
func exists(_ process: Int32) -> Bool {
  guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
  return !text.contains(") Z ")
}
