import Foundation
import Testing

/// A low limit of open files: an error message and an exit code, or a program that works; never a signal.
struct DescriptorLimitTests {
  @Test(arguments: [8, 12, 16, 20, 24, 28, 32, 40, 48, 56])
  func endsWithASentence(_ limit: Int) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", RunningScale.yaml(nil, pad: RunningScale.plain, ""))
    let ended = try await limited(limit, "run --config \(file)").ended()
    #expect(ended.code == 74, "\(ended)")
    #expect(ended.complaints.contains("the open file limit of \(limit) is too low"), "\(ended)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/grampad.db"))
  }

  @Test(arguments: [("check", 0), ("history", 66), ("devices", 0)])
  func otherCommandsTakeFew(_ command: String, _ code: Int32) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", RunningScale.yaml(nil, pad: RunningScale.plain, ""))
    let words = command == "devices" ? command : "\(command) --config \(file)"
    let ended = try await limited(32, words).ended()
    #expect(ended.code == code || command == "devices" && ended.code == 66, "\(ended)")
    #expect(try await limited(10, words).ended().code == 74)
  }

  /// The soft limit is raised as far as the hard limit allows.
  @Test func aSoftLimitIsRaised() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", RunningScale.yaml(nil, pad: RunningScale.plain, ""))
    let program = try limited(16, "run --config \(file)", kind: "-Sn")
    try await eventually("runs") { program.complaints.contains("running") }
    program.send(SIGTERM)
    #expect(try await program.endedPromptly().code == 0)
  }

  private func limited(_ limit: Int, _ words: String, kind: String = "-n") throws -> Program {
    try Program("bash", ["-c", "ulimit \(kind) \(limit); exec \(try Program.path()) \(words)"])
  }
}
