import Foundation
import Testing

/// A fresh load cell with the configuration of its build sheet: what it shows before and after its first calibration.
@Suite(.serialized) struct FreshLoadCellTests {
  /// Who calibrates.
  enum Way: CaseIterable {
    case terminal, page
  }

  /// It is no scale yet, and says so everywhere.
  @Test func showsNoGrams() async throws {
    let cell = try await ServedLoadCell(ServedLoadCell.fresh)
    let listener = cell.listener
    try cell.put(120)
    try await eventually("a warning") {
      listener.messages("health").last?("pad", "warning") as? String == "not_calibrated"
    }
    for action in ["zero", "tare", "commit"] {
      let answer = try await cell.ask("/api/action/\(action)", "{}")
      #expect(value(in: answer.body, ["reason"]) as? String == "pad_missing", "\(answer)")
      #expect((value(in: answer.body, ["detail"]) as? String)?.contains("calibrate it first") == true, "\(answer)")
    }
    try cell.put(240)
    try await cell.sees(240)
    let readings = ["live", "reading", "stable"].flatMap { listener.messages($0) }
    #expect(readings.allSatisfy { $0("state") as? String == "offline" && $0("net_g") is NSNull })
    #expect(Set(listener.messages("display").map(\.payload)) == ["-- g"])
    let health = try await cell.ask("/healthz")
    #expect(health.status == 503 && health.body.contains("pad: not calibrated"), "\(health)")
    let watch = try Program.grampad(["watch", "--plain", "--config", cell.configuration])
    try await eventually("it is said in a terminal: \(watch.output)") { watch.output.contains("-- g  not calibrated") }
  }

  /// With the first mass above or below a fifth of the capacity, and with the last mass left on or taken off.
  @Test(arguments: [
    (Way.terminal, [50, 200, 400], true), (.terminal, [150, 300, 450], false), (.page, [60, 250, 450], false),
    (.page, [120, 300, 400], true),
  ])
  func itIsRightAfterItsFirstCalibration(_ way: Way, masses: [Int], isLeftOn: Bool) async throws {
    var cell = try await ServedLoadCell(ServedLoadCell.fresh)
    let loads = [0] + masses + [0, masses[0]]
    switch way {
    case .page:
      let session = try await cell.start(masses)
      try await cell.measure(session, loads)
      if !isLeftOn { try cell.put(0) }
      try await cell.command("apply", session)
    case .terminal:
      let words = masses.map(String.init).joined(separator: ",")
      let terminal = try CalibrateTerminal(["calibrate", "--appliance", cell.url, "--masses", words, "--rest", "0.5"])
      for (index, grams) in loads.enumerated() {
        let step = "\(index + 1) of \(loads.count): "
        try await eventually("step \(index + 1) in \(terminal.shown)") { terminal.shown.contains(step) }
        try cell.put(grams)
        try await terminal.answer("q = quit]", "")
      }
      try await eventually("the question") { terminal.shown.contains("Use this calibration now? [Y/n]") }
      if !isLeftOn { try cell.put(0) }
      try await terminal.answer("Use this calibration now? [Y/n]", "")
      #expect(try await terminal.ended() == 0)
    }
    try await cell.shows(isLeftOn ? "\(masses[0]).0 g" : "0.0 g")
    try cell.put(123.4)
    try await cell.shows("123.4 g")
    try await cell.restart()
    let listener = cell.listener
    let count = listener.messages("stable").count
    try cell.put(234.5)
    try await eventually("stable after the restart") {
      listener.messages("stable").dropFirst(count).last?("net_g") as? Double == 234.5
    }
    try cell.put(0)
    try await cell.shows("0.0 g")
  }

  /// The appliance does not run while the command calibrates, and the last mass still lies there when it starts.
  @Test func itIsRightAfterACalibrationWithoutTheAppliance() async throws {
    let converter = try FakeConverter()
    let broker = try await Broker()
    let listener = try await Listener(broker.port)
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "scale.yaml",
      """
      pad: {device: {iio: hx711}}
      \(ServedLoadCell.fresh)
      mqtt: {broker: "mqtt://127.0.0.1:\(broker.port)"}
      dashboard: {enabled: false}
      calibration: {file: calibration.yaml}

      """)
    func put(_ grams: Double) throws { try converter.set(8_500_000 + Int(2000 * grams)) }
    try put(0)
    let terminal = try CalibrateTerminal(
      ["calibrate", "--config", path, "--masses", "50,200,400", "--rest", "0.5"], environment: converter.environment)
    for (index, grams) in [0.0, 50, 200, 400, 0, 50].enumerated() {
      try await eventually("step \(index + 1) in \(terminal.shown)") { terminal.shown.contains("\(index + 1) of 6: ") }
      try put(grams)
      try await terminal.answer("q = quit]", "")
    }
    try await terminal.answer("calibration.yaml? [Y/n]", "")
    #expect(try await terminal.ended() == 0)
    let program = try Program.grampad(["run", "--config", path], environment: converter.environment)
    defer { withExtendedLifetime(program) {} }
    func shows(_ text: String) async throws {
      try await eventually("\(text), not \(listener.last("display") ?? "nothing")") { listener.last("display") == text }
    }
    try await shows("50.0 g")
    try put(123.4)
    try await shows("123.4 g")
    try put(0)
    try await shows("0.0 g")
  }
}
