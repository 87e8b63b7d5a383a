import Foundation
import Glibc
import Synchronization
import Testing

/// The program under test on its own terminal, with input that depends on its output.
final class CalibrateTerminal: Sendable {
  private let master: Int32
  private let process: Mutex<Held>
  private let text = Mutex("")
  private let isRead = Mutex(false)

  /// `Process` is not Sendable. It is created here and used only under the lock.
  private struct Held: @unchecked Sendable {
    let process: Process
  }

  /// From asm-generic/ioctls.h: unlocks the other end, and returns its number. Glibc's module lacks posix_openpt(3).
  private static let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  /// Starts it, with more in its environment than this one has; pts(4).
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, side) = (Int32(0), UInt32(0))
    try #require(master >= 0 && ioctl(master, Self.unlock, &locked) == 0 && ioctl(master, Self.number, &side) == 0)
    let name = "/dev/pts/\(side)"
    let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(slave >= 0)
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Program.path())
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (handle, handle, handle)
    try process.run()
    // Only the program has it now.
    try handle.close()
    self.process = Mutex(Held(process: process))
    // Reading ends with an error once the program has ended and its side is closed.
    Thread.detachNewThread { [self, master] in
      var chunk = [UInt8](repeating: 0, count: 4096)
      while case let count = read(master, &chunk, chunk.count), count > 0 {
        let piece = String(decoding: chunk[..<count], as: UTF8.self)
        text.withLock { $0 += piece }
      }
      isRead.withLock { $0 = true }
    }
  }

  deinit {
    process.withLock { held in if held.process.isRunning { kill(held.process.processIdentifier, SIGKILL) } }
    close(master)
  }

  /// The output so far.
  var shown: String { text.withLock { $0 } }

  /// Waits until a text is shown after the previous one, and types an answer.
  func answer(_ words: String, _ answer: String) async throws {
    try await eventually("\(words) in \(shown.suffix(400))") { shown.contains(words) }
    text.withLock { text in
      if let place = text.range(of: words) { text = String(text[place.upperBound...]) }
    }
    let bytes = Array("\(answer)\n".utf8)
    _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  /// Waits until a text is shown after the last answer.
  func waits(for words: String) async throws {
    try await eventually("\(words) in \(shown.suffix(400))") { shown.contains(words) }
  }

  /// Sends it a signal, as the kernel does when the terminal is closed.
  func send(_ signal: Int32) { process.withLock { _ = kill($0.process.processIdentifier, signal) } }

  /// Waits until the program exits and all of its output is there; returns the status, or the number of the signal that has ended it.
  func ended() async throws -> Int32 {
    try await eventually("the end after \(shown.suffix(400))") { process.withLock { !$0.process.isRunning } }
    try await eventually("the rest of the output") { isRead.withLock { $0 } }
    return process.withLock { $0.process.terminationStatus }
  }
}

/// `calibrate` on a terminal.
@Suite struct CalibrateTerminalTests {
  @Test func aConversation() async throws {
    let folder = try TemporaryFolder()
    let replay = try folder.write("pad.evemu", CalibrateRecording.guided.text)
    let path = try folder.write("scale.yaml", "calibration: {file: calibration.yaml}\n")
    let terminal = try CalibrateTerminal(["calibrate", "-c", path, "--replay", replay])
    try await terminal.answer("for example", "0")
    try await terminal.answer("Enter at least two numbers above 0.", "50 100 200 300 380")
    try await terminal.answer("1 of 8: Take everything off the pad.", "")
    try await terminal.answer("the pad is empty", "what?")
    try await terminal.answer("Press Enter, or type s, b or q.", "")
    // The bar fills while a load is looked at.
    try await terminal.answer("\r\u{1b}[K  [##########", "")
    try await terminal.answer("4 of 8: Put 200 g", "")
    try await terminal.answer("5 of 8: Put 300 g", "")
    try await terminal.answer("6 of 8: Put 380 g", "")
    try await terminal.answer("7 of 8: Take everything off again", "")
    try await terminal.answer("8 of 8: Put 50 g on again", "")
    try await terminal.answer("Write \(folder.path)/calibration.yaml? [Y/n]", "y")
    #expect(try await terminal.ended() == 0)
    #expect(terminal.shown.contains("reloads it automatically"))
    let written = try await Program.run(["check", path])
    #expect(written.output.contains("{raw: 0, grams: 0}"))
  }

  /// The simulated pad of `run`, in real time: it is loaded with 100 g after a second.
  @Test func aLivePad() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", RunningScale.yaml(1883, ""))
    let terminal = try CalibrateTerminal(["calibrate", "verify", "100", "--rest", "1", "-c", path])
    #expect(try await terminal.ended() == 0, "\(terminal.shown)")
    #expect(terminal.shown.contains("Put 100.0 g on the pad."))
    #expect(terminal.shown.contains("100.00 g reads "))
  }
}
