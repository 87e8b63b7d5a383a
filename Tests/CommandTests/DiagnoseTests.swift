import Foundation
import Testing

/// `diagnose` as a user runs it: on a recording, on the simulated pad, and where there is no pad.
@Suite struct DiagnoseTests {
  private func json(_ ended: Program.Ended) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any], "\(ended)")
  }

  private func number(_ key: String, _ object: [String: Any]) -> Double? { (object[key] as? NSNumber)?.doubleValue }

  /// A converter at 80 samples/s: 40 g on an axis of 100 counts a gram, every other sample 3 counts higher, 1 g/min of
  /// drift, and no sample between 4 s and 5 s.
  private static let converter: String = {
    var text = "N: cell\nI: 0003 1209 0001 0001\nA: 18 0 100000 0 0 100\n"
    for index in 0..<800 where !(320..<400).contains(index) {
      let time = Double(index) / 80 + 0.000001
      let counts = 4000 + (index % 4 < 2 ? 3 : 0) + Int((100 * time / 60).rounded())
      let stamp = String(format: "%.6f", time)
      text += "E: \(stamp) 0003 0018 \(counts)\nE: \(stamp) 0000 0000 0000\n"
    }
    return text
  }()

  @Test func evaluatesARecording() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("cell.evemu", Self.converter)
    let ended = try await Program.run(["diagnose", "--replay", file, "--json"])
    #expect(ended.code == 0 && ended.complaints.isEmpty, "\(ended)")
    let found = try json(ended)
    #expect(number("samples", found) == 720)
    #expect(abs((number("samples_per_second", found) ?? 0) - 80) < 0.1)
    #expect(number("gaps", found) == 1)
    #expect(abs((number("longest_gap_ms", found) ?? 0) - 1012.5) < 0.1)
    // Half of the samples are 3 counts higher: a standard deviation of 1.5, and rounding of the drift.
    #expect(abs((number("noise_counts", found) ?? 0) - 1.53) < 0.05, "\(found)")
    #expect(abs((number("noise_g", found) ?? 0) - 0.0153) < 0.0005)
    #expect(abs(60 * (number("drift_g_per_s", found) ?? 0) - 1) < 0.05)
    #expect(found["calibration"] as? String == "kernel")
    #expect((found["findings"] as? [String])?.contains("gaps") == true)
    #expect((found["advice"] as? [String])?.count == (found["findings"] as? [String])?.count)

    let text = try await Program.run(["diagnose", "--replay", file])
    #expect(text.code == 0)
    for words in ["80.0 per second", "1, longest silence 101", "kernel, 0.01 g per count", "- 1 gap of up to 101"] {
      #expect(text.output.contains(words), "\(words): \(text.output)")
    }
  }

  @Test func observesTheSimulatedPad() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "pad: {device: simulated}\n")
    let ended = try await Program.run(["diagnose", "--config", path, "--seconds", "2", "--json"])
    #expect(ended.code == 0, "\(ended)")
    let found = try json(ended)
    #expect(found["path"] as? String == "simulated")
    #expect(abs((number("duration_s", found) ?? 0) - 2) < 0.5)
    #expect((found["findings"] as? [String])?.isEmpty == false, "it is empty at first, or loaded for a second")
  }

  private static let failures: [(words: [String], code: Int32)] = [
    (["--device", "/dev/input/no-such"], 66), (["--device", "/dev/null"], 66), (["--seconds", "0"], 64),
    (["--seconds", "601"], 64), (["--replay", "/no/such.evemu"], 66), (["--replay", "x", "--device", "auto"], 64),
    (["--config", "/no/such.yaml"], 66),
  ]

  @Test(arguments: failures) func failsWithAReason(_ words: [String], _ code: Int32) async throws {
    let ended = try await Program.run(["diagnose"] + words)
    #expect(ended.code == code, "\(ended)")
    #expect(ended.output.isEmpty && !ended.complaints.isEmpty)
  }

  @Test func aBadRecordingNamesItsLine() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("bad.evemu", Recorded.device + "E: 0.1 0003 zz 5\n")
    let ended = try await Program.run(["diagnose", "--replay", file])
    #expect(ended.code == 65)
    #expect(ended.complaints.contains("\(file):4: "), "\(ended.complaints)")
    let mouse = try folder.write("mouse.evemu", "N: mouse\nI: 0003 1209 0001 0001\nE: 0.1 0000 0000 0000\n")
    let refused = try await Program.run(["diagnose", "--replay", mouse])
    #expect(refused.code == 65 && refused.complaints.contains("no pressure axis"), "\(refused)")
  }
}
