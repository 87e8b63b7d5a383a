import Foundation
import Testing

/// `grampad-bench real` on small recordings that the tests write: the real ones are not part of the project.
@Suite struct RealBenchTests {
  /// A figure of the report.
  private struct Figure: Decodable {
    var what: String
    var on: String
    var contender: String
    var value: Double?
    var remark: String?
  }

  private struct Report: Decodable {
    var figures: [Figure]

    init(_ output: String) throws {
      self = try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    }

    /// Returns the value of a figure.
    func value(_ what: String, on: String, of contender: String = "grampad") throws -> Double {
      let figure = try #require(
        figures.first { $0.what == what && $0.on == on && $0.contender == contender }, "\(what), \(on), \(contender)")
      return try #require(figure.value, "\(what), \(on), \(contender)")
    }
  }

  private static func run(_ arguments: [String]) async throws -> Program.Ended {
    let bench = URL(fileURLWithPath: try Program.path()).deletingLastPathComponent().appending(path: "grampad-bench")
    return try await Program(bench.path, ["real"] + arguments).ended(within: .seconds(120))
  }

  /// Noise of a hundredth of a gram or so, always the same.
  private static func noise(_ index: Int) -> Double { 0.02 * sin(Double(index) * Double(index) * 0.7) }

  /// Two pours to 100 and 200 g that end at 15 and 35 s, as a coffee scale records them. Its flag is set 1.5 s later.
  private static let pours: String = {
    var text = "time,raw_data,1_after_scaling,2_after_smoothing,3_after_bias,4_after_hysteresis,is_steady,bias\n"
    for index in 0..<580 {
      let time = 0.5 + 0.086 * Double(index)
      let load = 20 * (min(max(time - 10, 0), 5) + min(max(time - 30, 0), 5))
      let isSteady = time < 10 || (16.5..<30).contains(time) || time >= 36.5
      let raw = 2_000_000 + 1540.32 * (load + noise(index))
      text += "\(time),\(raw),\(load),\(load),\(load),\(load),\(isSteady ? 1 : 0),0\n"
    }
    return text
  }()

  @Test func measuresRecordedPours() async throws {
    let folder = try TemporaryFolder()
    try folder.write("coffee-scales-brew.csv", Self.pours)
    let ended = try await Self.run(
      ["--data", folder.path, "--file", "brew", "--setting", "1/1/300", "--json", "-"])
    #expect(ended.code == 0, "\(ended.complaints)")
    let report = try Report(ended.output)
    let on = "brew, 1/1/300"
    // The flag of the recorded scale shows where the bench has found rest, without Grampad.
    for what in ["rest_to_stable_p50", "rest_to_stable_max"] {
      let flag = try report.value(what, on: on, of: "own_display")
      #expect((1.4...1.6).contains(flag), "\(what): \(flag) s")
    }
    #expect(try report.value("rest_to_reading_p90", on: on, of: "own_smoothing") <= 0.1)
    #expect(try report.value("noise_at_rest", on: on, of: "own_smoothing") < 0.02)
    #expect(try report.value("rest_to_stable_max", on: on) < 3)
    #expect((try report.value("end_value", on: on) - 200).magnitude <= 1)
    #expect((try report.value("end_value_error", on: on) - 42.1).magnitude <= 1)
    #expect(try report.value("presses_fired", on: on) == 0)
    let peers = Set(report.figures.filter { $0.what == "rest_to_reading_p50" }.map(\.contender))
    #expect(peers.count == 12, "Grampad, nine peers, two stages of the recorded scale: \(peers)")
  }

  /// 1 kg that hangs on three cells for 30 s and swings by 20 g with a period of 1.2 s.
  @Test func measuresHangingLoads() async throws {
    let folder = try TemporaryFolder()
    var text = "Sample Number (1000 samples per second),UNIX Timestamp,micros (),635 (),Degraw (),tal ()\n"
    for index in 0..<500 {
      let time = 0.113 * Double(index)
      let load = (10..<40).contains(time) ? 1000 + 10 * sin(2 * .pi * time / 1.2) : 0
      let counts = 500_000 - 2000 * (load + Self.noise(index))
      text += "\(index),0,\(time * 1e6),\(counts),\(counts),\(counts)\n"
    }
    try folder.write("loadingTest - connection 0 - UART COM3.csv", text)
    try folder.write(
      "Calibration values gmF.csv",
      "\u{FEFF}Weight,tal220 ,degraw ,CZL635\n1000,2000000,2000000,2000000\n2000,,,4000000\n0,0,0,0\n")
    let ended = try await Self.run(["--data", folder.path, "--file", "hanging", "--setting", "1/1/300", "--json", "-"])
    #expect(ended.code == 0, "\(ended.complaints)")
    let report = try Report(ended.output)
    for cell in ["czl635", "degraw", "tal220"] {
      let on = "hanging-\(cell), 1/1/300"
      #expect(try report.value("overloads", on: on) == 0)
      #expect(try report.value("presses_fired", on: on) == 0)
      let onsets = try report.value("onsets_over_6_g", on: on)
      #expect(onsets <= (try report.value("stable_onsets", on: on)))
      let swing = try report.value("largest_swing_at_onset", on: on)
      #expect(swing <= 20.1 && (swing > 6) == (onsets > 0), "\(swing) g, \(onsets) onsets")
      let loadings = try #require(report.figures.first { $0.what == "messages_per_loading_max" && $0.on == on })
      #expect(loadings.remark?.split(separator: " ").count == 1, "one loading")
    }
  }

  /// A load cell with 80 samples/s is no harder than a pad.
  @Test func measuresSyntheticSeries() async throws {
    let ended = try await Self.run(["--file", "synthetic", "--trials", "1", "--json", "-"])
    #expect(ended.code == 0, "\(ended.complaints)")
    let report = try Report(ended.output)
    #expect(try report.value("settled_noise_ratio", on: "80 samples/s, correlation 0") < 0.2)
    #expect(try report.value("unstable_at_rest", on: "80 samples/s, correlation 0") == 0)
    #expect(try report.value("gaps_with_wrong_values", on: "80 samples/s, gaps of 0.5 to 9 s") == 0)
    for what in ["spikes_that_change", "jitter_with_wrong_values", "stable_in_silence", "drip_lost", "outside_2u"] {
      #expect(report.figures.contains { $0.what == what }, "\(what)")
    }
  }

  @Test func checkFailsIfAGoalIsMissed() async throws {
    let folder = try TemporaryFolder()
    try folder.write("coffee-scales-brew.csv", Self.pours)
    let ended = try await Self.run(
      ["--data", folder.path, "--file", "brew", "--setting", "1/1/300", "--check"])
    #expect(ended.code == 1)
    // The recording ends at 200 g.
    #expect(ended.output.contains("not ok end_value_error, brew, 1/1/300: 42.1 <= 0.200"))
    #expect(ended.output.contains("\nok presses_fired, brew, 1/1/300: 0 <= 0"))
  }

  @Test func refusesAMalformedFile() async throws {
    let folder = try TemporaryFolder()
    var lines = Self.pours.split(separator: "\n").map(String.init)
    lines[6] = "0.9,many,0,0,0,0,1,0"
    let file = try folder.write("coffee-scales-brew.csv", lines.joined(separator: "\n"))
    let ended = try await Self.run(["--data", folder.path, "--file", "brew"])
    #expect(ended.code == 65)
    #expect(ended.complaints == "Error: \(file):7: raw_data is not a number: many\n")
    lines[6] = "0.9,2000000"
    try folder.write("coffee-scales-brew.csv", lines.joined(separator: "\n"))
    let short = try await Self.run(["--data", folder.path, "--file", "brew"])
    #expect(short.code == 65)
    #expect(short.complaints.contains(":7: 2 values instead of 8"))
  }

  @Test func refusesAMissingFolderAndAnEmptyOne() async throws {
    let folder = try TemporaryFolder()
    let missing = try await Self.run(["--data", "\(folder.path)/no-such"])
    #expect(missing.code == 66)
    #expect(missing.complaints.contains("\(folder.path)/no-such: no such folder"))
    let empty = try await Self.run(["--data", folder.path])
    #expect(empty.code == 66)
    #expect(empty.complaints.contains("coffee-scales-brew.csv"))
  }

  @Test(arguments: [
    ["--file", "brew"], ["--setting", "0.3/1/300"], ["--setting", "1/1"], ["--trials", "0"], ["--bits", "9"],
  ])
  func refusesWrongOptions(_ arguments: [String]) async throws {
    let ended = try await Self.run(arguments)
    #expect(ended.code == 64)
    #expect(ended.complaints.contains("Error: "))
  }
}
