import Foundation
import Testing

/// Zones of the history and controls: what `check` accepts is published by `run`.
@Suite struct HandsTests {
  /// The user of the simulated pad presses at 0.93 of the width first, and at 0.07 eight seconds later.
  private static let pad =
    "{device: simulated, zones: {history: {x: [0, 0.15]}}, controls: {lamp: {x: [0.85, 1], y: [0.2, 1]}}}"

  @Test func aControlFollowsTheForceAndTheHistoryPops() async throws {
    let stage = try await Stage(pad: Self.pad, extra: "history: {depth: 2}")
    let (listener, scale) = (stage.listener, stage.scale)
    let checked = try await Program.run(["check", "--config", scale.path])
    #expect(checked.code == 0, "\(checked)")
    for line in ["history:", "lamp:", "depth: 2"] { #expect(checked.output.contains(line), "\(checked.output)") }
    var masses: [Double] = []
    for _ in 1...2 {
      masses.append(try #require(try await stage.command()("weighing", "net_g") as? Double))
    }

    try await eventually("the end of the control") {
      listener.messages("control/lamp").contains { ["ended", "cancelled"].contains($0("state") as? String) }
    }
    let reports = listener.messages("control/lamp")
    let states = reports.compactMap { $0("state") as? String }
    let end = try #require(states.firstIndex(of: "ended"), "\(states)")
    let changes = Array(repeating: "changed", count: end - 1)
    #expect(Array(states.prefix(through: end)) == ["began"] + changes + ["ended"])
    let values = reports.prefix(through: end).compactMap { $0("value") as? Double }
    #expect(values.count == end + 1 && values.allSatisfy { (0...1).contains($0) }, "\(values)")
    #expect(values.max() == 1 && values[0] < 1, "190 g are more than a full press: \(values)")
    #expect(reports.allSatisfy { !$0.isRetained && $0.quality == 0 && $0.time != nil })
    // 0.93 of the width is 0.53 of the control; the finger slides from 0.7 to 0.35 of the height.
    #expect(reports.allSatisfy { abs(($0("x") as? Double ?? 0) - 0.533) < 0.02 }, "\(reports.map(\.payload))")
    let heights = reports.prefix(through: end).compactMap { $0("y") as? Double }
    #expect(heights.first.map { abs($0 - 0.625) < 0.03 } == true && heights.last.map { $0 < 0.3 } == true, "\(heights)")
    for (last, next) in zip(reports, reports.dropFirst().prefix(max(0, end - 1))) {
      let seconds = try #require(next.time).timeIntervalSince(try #require(last.time))
      #expect(seconds > 0.099, "at most live_max_hz")
    }

    // The press in the zone of the history goes back to the oldest of the two, and the slide recalls it.
    try await eventually("the recalled weighing") { stage.types().contains("recalled") }
    let recalled = try #require(listener.messages("event").first { $0("type") as? String == "recalled" })
    #expect(recalled("weighing", "sequence") as? Int == 1)
    #expect(recalled("weighing", "net_g") as? Double == masses[0])
    let gestures = listener.messages("gesture").filter { $0("action") as? String == "history" }
    #expect(gestures.contains { $0("preview", "sequence") as? Int == 2 }, "the newest comes first")
    #expect(gestures.last { $0("state") as? String == "confirmed" }?("preview", "sequence") as? Int == 1)
    // Neither is an action.
    #expect(listener.count(of: "weighing") == 2 && !stage.types().contains("tared"))
  }

  /// What `check` refuses, `run` refuses with the same words.
  @Test(arguments: [
    ("controls: {lamp: {x: [0.85, 1]}}, zones: {commit: {x: [0.9, 1]}}", "pad.controls.lamp"),
    ("controls: {\"lamp 1\": {x: [0.85, 1]}}", "the name of a control"),
    ("controls: {lamp: {x: [0.85, 1.5]}}", "pad.controls.lamp.x"),
  ])
  func whatCheckRefusesDoesNotRun(_ keys: String, _ words: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", RunningScale.yaml(nil, pad: "{device: simulated, \(keys)}", ""))
    let checked = try await Program.run(["check", path])
    #expect(checked.code == 78 && checked.complaints.contains(words), "\(checked)")
    let run = try await Program.run(["run", "--config", path])
    #expect(run.code == 78 && run.complaints.contains(words), "\(run)")
  }
}
