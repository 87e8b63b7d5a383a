import Foundation
import Testing

/// Changes of the configuration while the appliance runs.
@Suite struct ReloadTests {
  @Test func followsTheFile() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    try await eventually("a settled load") { listener.last("stable") != nil }

    try save(scale, "scale: {capacity_g: 50}")
    try await eventually("reloaded") { types(listener).contains("reloaded") }
    try await eventually("the new capacity", within: .seconds(120)) { listener.last("display") == "50+ g" }

    try save(scale, "scale: {capcity_g: 60}")
    try await eventually("refused") { configuration(listener, "state") == "refused" }
    let reason = try #require(configuration(listener, "reason"))
    #expect(reason.hasPrefix("\(scale.path):5:9: capcity_g: unknown key"), "\(reason)")
    #expect(reason.hasSuffix("did you mean capacity_g?"))
    let count = listener.messages("display").count
    try await eventually("the old one stays in force", within: .seconds(120)) {
      listener.messages("display").dropFirst(count).contains { $0.payload == "50+ g" }
    }
    #expect(types(listener).count { $0 == "reloaded" } == 1)

    try save(scale, "scale: {capacity_g: 385}")
    try await eventually("in force again") { configuration(listener, "state") == "in_force" }
    try await eventually("reloaded again") { types(listener).count { $0 == "reloaded" } == 2 }
    #expect(scale.program.isRunning)
  }

  /// What applies only after a restart is in health until then, and no longer when the change is taken back.
  @Test func healthSaysThatARestartIsNeeded() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    try await eventually("in force") { configuration(listener, "state") == "in_force" }
    try save(scale, "device: {id: cellar}\njournal: {path: other.db}")
    try await eventually("a restart is required") { configuration(listener, "state") == "restart_required" }
    #expect(configuration(listener, "reason") == "Restart the appliance to change device.id, journal.path.")
    try save(scale, "device: {id: cellar}\nscale: {capacity_g: 50}")
    try await eventually("reloaded") { types(listener).contains("reloaded") }
    try await eventually("for one key") {
      configuration(listener, "reason") == "Restart the appliance to change device.id."
    }
    try save(scale, "scale: {capacity_g: 50}")
    try await eventually("in force again") { configuration(listener, "state") == "in_force" }
  }

  /// The file is written under another name in another folder, so the service does not notice the change before the signal.
  @Test func followsTheSignal() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    // Well after the start, at the end of which the file is looked at once more.
    try await eventually("settled in") { listener.messages("live").count > 5 }
    let elsewhere = try TemporaryFolder()
    let other = "\(elsewhere.path)/other.yaml"
    try FileManager.default.linkItem(atPath: scale.path, toPath: other)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: other))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(RunningScale.yaml(broker.port, "scale: {division_g: 5}").utf8))
    try file.close()
    let before = listener.messages("live").count
    try await eventually("time goes on") { listener.messages("live").count > before + 3 }
    #expect(!types(listener).contains("reloaded"))
    scale.program.send(SIGHUP)
    try await eventually("reloaded") { types(listener).contains("reloaded") }
    #expect(scale.program.isRunning)
  }

  /// A flood of signals is one reload a second, and the last signal is not lost.
  @Test func combinesSignals() async throws {
    let scale = try await RunningScale(pad: RunningScale.plain)
    func reloads() -> Int { scale.program.complaints.components(separatedBy: "configuration reloaded").count - 1 }
    scale.program.send(SIGHUP)
    try await eventually("reloaded at once") { reloads() == 1 }
    let begin = ContinuousClock.now
    while ContinuousClock.now - begin < .seconds(3) {
      scale.program.send(SIGHUP)
      usleep(1000)
    }
    try await eventually("reloaded for the last of them") {
      scale.program.complaints.components(separatedBy: "handling several reload signals as one").count > 2
    }
    #expect((2...6).contains(reloads()), "\(reloads())")
  }

  private func save(_ scale: RunningScale, _ extra: String) throws {
    try scale.folder.write("scale.yaml", RunningScale.yaml(scale.port, extra))
  }

  private func types(_ listener: Listener) -> [String] {
    listener.messages("event").compactMap { $0("type") as? String }
  }

  private func configuration(_ listener: Listener, _ key: String) -> String? {
    listener.messages("health").last?("configuration", key) as? String
  }
}
