import Foundation
import Testing

/// `calibrate` as a user runs it: guided by a recording, from files, and with a result that is refused.
@Suite struct CalibrateTests {
  /// The answers of a whole calibration without a mistake.
  static let answers = "50 100 200 300 380\n" + String(repeating: "\n", count: 9)

  private func calibrate(
    _ recording: CalibrateRecording, _ answers: String, _ folder: TemporaryFolder, _ more: [String] = []
  ) async throws -> Program.Ended {
    let replay = try folder.write("pad.evemu", recording.text)
    let input = try folder.write("answers", answers)
    return try await Program.run(
      ["calibrate", "--replay", replay, "-o", "\(folder.path)/calibration.yaml"] + more, input: input)
  }

  /// The points of a calibration file: counts and grams.
  private func points(_ folder: TemporaryFolder) throws -> [(raw: Double, grams: Double)] {
    let text = try String(contentsOfFile: "\(folder.path)/calibration.yaml", encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("  - {") }.compactMap { line in
      let numbers = line.split(whereSeparator: { ":,".contains($0) }).compactMap {
        Double($0.trimmingCharacters(in: .whitespaces))
      }
      return numbers.count >= 2 ? (numbers[0], numbers[1]) : nil
    }
  }

  @Test func guidesThroughFiveMasses() async throws {
    let folder = try TemporaryFolder()
    let ended = try await calibrate(.guided, Self.answers, folder, ["--svg", "\(folder.path)/curve.svg"])
    #expect(ended.code == 0, "\(ended.complaints)")
    for words in [
      "1 of 8: Take everything off the pad.", "3 of 8: Put 100 g on", "7 of 8: Take everything off again",
      "8 of 8: Put 50 g on again", "written to \(folder.path)/calibration.yaml", "not in effect yet",
    ] { #expect(ended.complaints.contains(words), "\(words): \(ended.complaints)") }
    #expect(ended.output.contains("GRAMS  COUNTS"))
    #expect(ended.output.contains("Curve: monotone"))
    let points = try points(folder)
    #expect(points.map(\.grams) == [0, 50, 100, 200, 300, 380])
    for point in points { #expect((point.raw - CalibrateRecording.counts(point.grams)).magnitude < 1, "\(point)") }
    let svg = try String(contentsOfFile: "\(folder.path)/curve.svg", encoding: .utf8)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(svg.components(separatedBy: "<circle").count == 7)
    #expect(!svg.contains("http://") || svg.components(separatedBy: "http").count == 2, "only the namespace")
  }

  @Test func keepsThePreviousFile() async throws {
    let folder = try TemporaryFolder()
    let old = "curve: linear\npoints: [{raw: 0, grams: 0}, {raw: 500, grams: 200}]\n"
    try folder.write("calibration.yaml", old)
    let ended = try await calibrate(.guided, Self.answers, folder)
    #expect(ended.code == 0)
    #expect(try String(contentsOfFile: "\(folder.path)/calibration.yaml.previous", encoding: .utf8) == old)
    #expect(try points(folder).count == 6)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasSuffix(".new") })
  }

  @Test func skipsAndMeasuresAgain() async throws {
    let folder = try TemporaryFolder()
    // 200 g is skipped while the recording continues, so the next mass is measured next.
    var recording = CalibrateRecording.guided
    recording.masses = [50, 100, 300, 380, 50]
    let answers = "50 100 200 300 380\n\n\n\ns\n\n\n\n\n\n"
    let ended = try await calibrate(recording, answers, folder)
    #expect(ended.code == 0, "\(ended.complaints)")
    #expect(try points(folder).map(\.grams) == [0, 50, 100, 300, 380])
  }

  @Test func goesBackByOne() async throws {
    let folder = try TemporaryFolder()
    // 100 g is measured twice while it stays on the pad.
    let ended = try await calibrate(.guided, "50 100 200 300 380\n\n\n\nb\n\n\n\n\n\n\n\n", folder)
    #expect(ended.complaints.components(separatedBy: "3 of 8:").count == 3, "\(ended.complaints)")
    #expect(ended.code == 0, "\(ended.complaints)")
    #expect(try points(folder).map(\.grams) == [0, 50, 100, 200, 300, 380])
  }

  /// A load on a pad that should be empty is reported immediately, not at the end.
  @Test func noticesALoadWhereNothingShouldBe() async throws {
    let folder = try TemporaryFolder()
    var recording = CalibrateRecording.guided
    recording.masses = [250, 50, 100, 200, 300, 380, 50]
    // The empty pad is measured while 250 g are on it: the recording continues while a step waits.
    let replay = recording.text.split(separator: "\n").filter { line in
      guard line.hasPrefix("E: "), let time = Double(line.split(separator: " ")[1]) else { return true }
      return time >= 6.5
    }.joined(separator: "\n")
    let file = try folder.write("pad.evemu", replay + "\n")
    let input = try folder.write("answers", "50 100 200 300 380\n" + String(repeating: "\n", count: 20))
    let ended = try await Program.run(
      ["calibrate", "--replay", file, "-o", "\(folder.path)/calibration.yaml"], input: input)
    #expect(ended.complaints.contains("Please check: the empty pad reads 71"), "\(ended.complaints)")
    #expect(ended.complaints.contains("1 of 8: Take everything off the pad.\n  Measure?"), "\(ended.complaints)")
    #expect(ended.code == 0, "\(ended.complaints)")
    #expect(try points(folder).map(\.grams) == [0, 50, 100, 200, 300, 380])
  }

  @Test func refusesAPadThatDrifts() async throws {
    let folder = try TemporaryFolder()
    var recording = CalibrateRecording.guided
    recording.drift = 0.0003
    let ended = try await calibrate(recording, Self.answers, folder)
    #expect(ended.code == 65)
    #expect(ended.complaints.contains("calibration refused: the pad drifts: 50 g read"), "\(ended.complaints)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/calibration.yaml"))
  }

  @Test func refusesAPadThatNeverBecomesStable() async throws {
    let folder = try TemporaryFolder()
    var recording = CalibrateRecording.guided
    (recording.pour, recording.rest) = (3, 40)
    let ended = try await calibrate(recording, "50 100 200\n\n\n", folder)
    #expect(ended.code == 65)
    #expect(ended.complaints.contains("  Unstable: "), "\(ended.complaints)")
    #expect(ended.complaints.contains("calibration refused: unstable: the reading changed by"), "\(ended.complaints)")
  }

  @Test func refusesAMistypedMassUntilItIsCorrected() async throws {
    let folder = try TemporaryFolder()
    let typed = "50 1000 200 300 380\n" + String(repeating: "\n", count: 8)
    let refused = try await calibrate(.guided, typed, folder)
    #expect(refused.code == 65)
    #expect(refused.complaints.contains("calibration refused: 1000 g at"), "\(refused.complaints)")
    #expect(refused.complaints.contains("mistyped"))
    let corrected = try await calibrate(.guided, typed + "100\n\n", folder)
    #expect(corrected.code == 0, "\(corrected.complaints)")
    #expect(try points(folder).map(\.grams) == [0, 50, 100, 200, 300, 380])
  }

  @Test(arguments: ["", "q\n", "50 100 200\nq\n", "50 100 200\n\n\n"]) func writesNothingWhenItIsEnded(
    _ answers: String
  ) async throws {
    let folder = try TemporaryFolder()
    let ended = try await calibrate(.guided, answers, folder)
    #expect(ended.code == 1)
    #expect(ended.complaints.contains("nothing written"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/calibration.yaml"))
  }

  @Test func asksBeforeItWrites() async throws {
    let folder = try TemporaryFolder()
    let ended = try await calibrate(.guided, Self.answers.dropLast() + "n\n", folder)
    #expect(ended.code == 1)
    #expect(ended.complaints.contains("Write \(folder.path)/calibration.yaml? [Y/n]"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/calibration.yaml"))
  }

  @Test func missesThePad() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "pad: {device: /dev/input/by-id/none}\n")
    for command in [["calibrate"], ["calibrate", "verify", "100"], ["calibrate", "self-test", "100"]] {
      let ended = try await Program.run(command + ["-c", path])
      #expect(ended.code == 66, "\(ended.complaints)")
      #expect(ended.complaints.contains("no such device"), "\(ended.complaints)")
    }
  }

  @Test func verifiesAMass() async throws {
    let folder = try TemporaryFolder()
    let made = try await calibrate(.guided, Self.answers, folder)
    #expect(made.code == 0)
    let path = try folder.write("scale.yaml", "calibration: {file: calibration.yaml}\n")
    let load = try folder.write("load.evemu", CalibrateRecording(masses: [150]).text)
    let right = try await Program.run(["calibrate", "verify", "150", "-c", path, "--replay", load, "--json"])
    #expect(right.code == 0, "\(right.complaints)")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(right.output.utf8)) as? [String: Any])
    #expect(json["ok"] as? Bool == true)
    #expect(try #require(json["error_g"] as? NSNumber).doubleValue.magnitude < 1)
    let wrong = try await Program.run(["calibrate", "verify", "160", "-c", path, "--replay", load])
    #expect(wrong.code == 1)
    #expect(wrong.output.contains("160.00 g reads 1"), "\(wrong.output)")
    #expect(wrong.output.contains("divisions (calibration: user)"))
  }

  @Test(arguments: [(0.0, 0 as Int32, "Overall: PASS"), (0.15, 1, "Overall: FAIL")])
  func certifies(pour: Double, code: Int32, verdict: String) async throws {
    let folder = try TemporaryFolder()
    let made = try await calibrate(.guided, Self.answers, folder)
    #expect(made.code == 0)
    let path = try folder.write("scale.yaml", "calibration: {file: calibration.yaml}\n")
    let recording = CalibrateRecording(masses: [200, 200, 200], rest: 16, pour: pour)
    let loads = try folder.write("loads.evemu", recording.text)
    let ended = try await Program.run([
      "calibrate", "self-test", "200", "--times", "3", "--creep", "10", "--conditions", "21 C", "-c", path, "--replay",
      loads, "-o", "\(folder.path)/certificate.txt",
    ])
    #expect(ended.code == code, "\(ended.complaints)")
    let text = try String(contentsOfFile: "\(folder.path)/certificate.txt", encoding: .utf8)
    for words in [
      "Test Pad, 0003:1209:0001:0001", "Repeatability (range)", "Zero return", "Conditions     21 C",
      "applied 3 times",
      "monotone through 6 points", verdict,
    ] { #expect(text.contains(words), "\(words): \(text)") }
  }
}
