import Appliance
import Configuration
import Foundation
import Messages
import Recordings
import Testing
import Weighing

/// Recordings with what replay has to say about them, byte for byte.
///
/// A case is `Golden/NAME.evemu`, with `NAME.expected` and where it needs them `NAME.yaml`, the configuration, and
/// `NAME.actions`, one `TYPE@SECONDS` a line, the seconds from the first event.
///
/// After a change that is meant, `GRAMPAD_REWRITE_GOLDEN=1 swift test --filter ReplayGolden` writes the expected lines
/// anew, to be read before they are committed; with `=recordings` also the recordings of `ReplayGoldenRecordings`.
/// Never to be set where tests decide.
@Suite struct ReplayGoldenTests {
  @Test func rewritesOnRequest() throws {
    guard let request = GoldenCase.rewriteRequest else { return }
    if request == "recordings" {
      for (name, take) in ReplayGoldenRecordings.all {
        try Data(take.evemu).write(to: GoldenCase.folder.appending(path: "\(name).evemu"))
      }
    }
    for golden in try GoldenCase.all() { try Data(golden.replayed()).write(to: golden.file("expected")) }
  }

  @Test func everyFileBelongsToARecording() throws {
    guard GoldenCase.rewriteRequest == nil else { return }
    let cases = try GoldenCase.all().map(\.name)
    #expect(cases.count >= ReplayGoldenRecordings.all.count)
    #expect(Set(cases).isSuperset(of: ReplayGoldenRecordings.all.map(\.name)))
    for file in try FileManager.default.contentsOfDirectory(atPath: GoldenCase.folder.path) {
      let parts = file.split(separator: ".").map(String.init)
      #expect(parts.count == 2 && cases.contains(parts[0]), "\(file) belongs to no recording")
      #expect(["evemu", "yaml", "actions", "expected"].contains(parts.last), "\(file) is never read")
    }
  }

  @Test(arguments: try GoldenCase.all())
  func saysWhatIsExpected(_ golden: GoldenCase) throws {
    guard GoldenCase.rewriteRequest == nil else { return }
    let expected = try [UInt8](Data(contentsOf: golden.file("expected")))
    let replayed = try golden.replayed()
    guard replayed != expected else { return }
    let (was, now) = (lines(expected), lines(replayed))
    let first = zip(was, now).enumerated().first { $1.0 != $1.1 }?.offset ?? min(was.count, now.count)
    func line(_ lines: [Substring]) -> Substring { first < lines.count ? lines[first] : "(no such line)" }
    Issue.record("\(golden.name).expected:\(first + 1):\n  expected \(line(was))\n  replayed \(line(now))")
  }

  private func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }
}

/// A recording of `Golden` and what goes with it.
struct GoldenCase: Hashable, Sendable, CustomTestStringConvertible {
  var name: String

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  static func all() throws -> [GoldenCase] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".evemu") }.map { GoldenCase(name: String($0.dropLast(6))) }
      .sorted { $0.name < $1.name }
  }

  static let rewriteRequest = ProcessInfo.processInfo.environment["GRAMPAD_REWRITE_GOLDEN"]

  var testDescription: String { name }

  func file(_ ending: String) -> URL { Self.folder.appending(path: "\(name).\(ending)") }

  /// The lines of replay.
  func replayed() throws -> [UInt8] {
    let recording = try EvemuReader.recording(from: [UInt8](Data(contentsOf: file("evemu"))), requiresDescription: true)
    let yaml = try text("yaml")
    let configuration = try Configuration.parse(yaml, file: "\(name).yaml")
    let actions = try text("actions").split(separator: "\n").map { line in
      let parts = line.split(separator: "@")
      return Replay.TimedAction(
        name: String(parts[0]), time: .seconds(try #require(Double(parts[1]))))
    }
    let description = try #require(recording.description)
    let replay = try Replay(recording, description: description, configuration: configuration, actions: actions)
    var json = JSONWriter()
    var bytes: [UInt8] = []
    try replay.run { bytes += $0.bytes(&json) }
    return bytes
  }

  private func text(_ ending: String) throws -> String {
    let file = file(ending)
    return FileManager.default.fileExists(atPath: file.path) ? try String(contentsOf: file, encoding: .utf8) : ""
  }
}
