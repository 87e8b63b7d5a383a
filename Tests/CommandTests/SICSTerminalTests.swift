import Foundation
import Testing

/// The pseudo-terminal of MT-SICS in the runtime folder of a service.
@Suite struct SICSTerminalTests {
  /// The answer to a command, by the link as a program would open it.
  private func ask(_ command: String, at link: String) throws -> String {
    let terminal = open(link, O_RDWR | O_NOCTTY)
    try #require(terminal >= 0, "\(link): \(String(cString: strerror(errno)))")
    defer { close(terminal) }
    let line = command + "\r\n"
    try #require(write(terminal, line, line.utf8.count) == line.utf8.count)
    var answer: [UInt8] = []
    while answer.suffix(2) != [13, 10] {
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      try #require(poll(&waiting, 1, 20_000) == 1, "no answer to \(command)")
      var byte: UInt8 = 0
      try #require(read(terminal, &byte, 1) == 1)
      answer.append(byte)
    }
    return String(decoding: answer.dropLast(2), as: UTF8.self)
  }

  private func target(_ link: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: link) }

  @Test func isThereWhileTheServiceRuns() async throws {
    let broker = try await Broker()
    let runtime = try TemporaryFolder()
    let link = "\(runtime.path)/balance"
    let scale = try await RunningScale(
      broker, pad: RunningScale.plain, extra: "sics: {pty: balance}", environment: ["RUNTIME_DIRECTORY": runtime.path])
    try await eventually("the link") { target(link) != nil }
    #expect(try ask("@", at: link) == "I4 A \"grampad\"")
    try await eventually("a weight") { try ask("SI", at: link).hasPrefix("S ") }
    #expect(target("\(scale.folder.path)/balance") == nil)
    // Killed, it leaves the link behind; the next process replaces it.
    scale.program.end()
    let stale = try #require(target(link))
    #expect(stale.hasPrefix("/dev/pts/"))
    // Another terminal has the number meanwhile, so that the next one has another.
    let occupied = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(occupied) }
    let next = try Program.grampad(["run", "--config", scale.path], environment: ["RUNTIME_DIRECTORY": runtime.path])
    try await eventually("the new link") { next.complaints.contains("MT-SICS on a pseudo-terminal") }
    #expect(try ask("@", at: link) == "I4 A \"grampad\"")
    next.send(SIGTERM)
    #expect(try await next.ended().code == 0)
    #expect(target(link) == nil)
  }

  /// A file of somebody else stays, with a warning; once it is removed, the link is made.
  @Test func leavesAnotherFileAlone() async throws {
    let broker = try await Broker()
    let runtime = try TemporaryFolder()
    let path = try runtime.write("balance", "mine\n")
    let scale = try await RunningScale(
      broker, pad: RunningScale.plain, extra: "sics: {pty: balance}", environment: ["RUNTIME_DIRECTORY": runtime.path])
    try await eventually("the warning") {
      scale.program.complaints.contains("\(path) exists and is not a link of this user to a pseudo-terminal")
    }
    let listener = try await Listener(broker.port)
    try await eventually("it weighs") { listener.last("live") != nil }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n")
    try FileManager.default.removeItem(atPath: path)
    try await eventually("the link") { target(path) != nil }
    #expect(try ask("@", at: path) == "I4 A \"grampad\"")
    scale.program.send(SIGTERM)
    #expect(try await scale.program.ended().code == 0)
    #expect(target(path) == nil)
  }
}
