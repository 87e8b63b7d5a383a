import Foundation
import FreePorts
import TestExtent
import Testing

/// Switching plugs by the broker: whatever happens, the last message is the one that switches off.
@Suite struct OutputTests {
  @Test func switchesOffAtTheStartAndAtTheEnd() async throws {
    let broker = try await Broker()
    let plug = try await Plug(broker.port)
    let stage = try await Stage(broker, pad: RunningScale.plain, extra: Plug.outputs("mill", "valve"))
    try await eventually("both outputs are off") {
      plug.switched().last == "OFF" && plug.switched("valve").last == "OFF"
    }
    #expect(!plug.switched().contains("ON"))
    try await stage.startDose(plug)
    stage.scale.program.send(SIGTERM)
    #expect(try await stage.scale.program.endedPromptly().code == 0)
    try await eventually("goodbye") { stage.listener.last("availability") == "offline" }
    #expect(plug.switched().last == "OFF" && plug.switched().count { $0 == "ON" } == 1, "\(plug.switched())")
    #expect(Set(plug.switched("valve")) == ["OFF"])
    try await eventually("the dose has ended") { !stage.ends.isEmpty }
  }

  @Test func aScaleThatWasKilledSwitchesOffWhenItIsBack() async throws {
    let broker = try await Broker()
    let plug = try await Plug(broker.port)
    let stage = try await Stage(broker, pad: RunningScale.plain, extra: Plug.outputs("mill"))
    try await stage.startDose(plug)
    stage.scale.program.send(SIGKILL)
    _ = try await stage.scale.program.ended()
    let count = plug.switched().count
    let again = try Program.grampad(["run", "--config", stage.scale.path])
    try await eventually("switched off") { plug.switched().count > count }
    #expect(plug.switched().dropFirst(count).allSatisfy { $0 == "OFF" } && again.isRunning)
  }

  @Test func aBrokerThatRefusesEndsTheDose() async throws {
    let broker = try await Broker(access: "topic readwrite grampad/#\ntopic readwrite homeassistant/#\n")
    let stage = try await Stage(broker, pad: RunningScale.plain, extra: Plug.outputs("mill"))
    let answer = try await stage.command("dose", #","output":"mill","target_g":380"#)
    #expect(answer("ok") as? Bool == true, "\(answer.payload)")
    try await eventually("the dose has ended") { stage.ends == ["refused"] }
    #expect(stage.scale.program.complaints.contains("allow the topic in the broker's access control list"))
  }

  /// Changes of the configuration during a dose.
  enum Change: String, CaseIterable, Sendable {
    case removed, renamed, otherTopic
    var outputs: String {
      switch self {
      case .removed: ""
      case .renamed: Plug.outputs("grinder", topic: "mill")
      case .otherTopic: Plug.outputs("mill", topic: "other")
      }
    }
  }

  @Test(arguments: Change.allCases) func aReloadSwitchesOffUnderTheOldTopic(_ change: Change) async throws {
    let broker = try await Broker()
    let plug = try await Plug(broker.port)
    let stage = try await Stage(broker, pad: RunningScale.plain, extra: Plug.outputs("mill"))
    try await stage.startDose(plug)
    try stage.scale.folder.write(
      "scale.yaml", RunningScale.yaml(broker.port, pad: RunningScale.plain, change.outputs))
    try await eventually("reloaded") { stage.types().contains("reloaded") }
    try await eventually("switched off") { plug.switched().last == "OFF" && !stage.ends.isEmpty }
    #expect(plug.switched().count { $0 == "ON" } == 1 && !plug.switched("other").contains("ON"))
  }

  @Test func anotherBrokerEndsTheDoseAtTheOldOne() async throws {
    let (broker, other) = (try await Broker(), try await Broker())
    let (plug, otherPlug) = (try await Plug(broker.port), try await Plug(other.port))
    let stage = try await Stage(broker, pad: RunningScale.plain, extra: Plug.outputs("mill"))
    try await stage.startDose(plug)
    try stage.scale.folder.write(
      "scale.yaml", RunningScale.yaml(other.port, pad: RunningScale.plain, Plug.outputs("mill")))
    try await eventually("switched off at both") { plug.switched().last == "OFF" && otherPlug.switched().last == "OFF" }
    #expect(plug.switched().count { $0 == "ON" } == 1 && !otherPlug.switched().contains("ON"))
  }

  /// What can go wrong during a dose.
  private enum Fault: CaseIterable {
    case nothing, brokerKilled, unreadKilled, scaleKilled, scaleStopped, bothKilled, reload
  }

  /// The log of the broker says what has arrived: a subscriber would miss what comes before it is connected again.
  @Test(arguments: Extent.of(0..<12)) func theLastMessageIsOffWhateverFails(_ seed: Int) async throws {
    let broker = try await Broker(logsPackets: true)
    let scale = try await RunningScale(broker, pad: RunningScale.plain, extra: Plug.outputs("mill"))
    let path = scale.path
    var (program, runs) = (scale.program, 0)
    // Whether it was switched on, each time: "ON" is shorter than "OFF".
    var earlier: [Bool] = []
    var switched: [Bool] { earlier + broker.payloadSizes("plug/mill").map { $0 == 2 } }
    func restartBroker() async throws {
      broker.end()
      earlier = switched
      try await broker.start()
    }
    func restartScale(_ signal: Int32) async throws {
      program.send(signal)
      _ = try await program.ended()
      if signal == SIGTERM { #expect(switched.last == false, "seed \(seed): \(switched)") }
      program = try Program.grampad(["run", "--config", path])
    }
    var random = UInt64(seed + 1)
    for _ in 0..<4 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let fault = Fault.allCases[Int(random >> 33) % Fault.allCases.count]
      let started = switched.count { $0 }
      let limit = ContinuousClock.now + .seconds(90)
      while switched.count(where: { $0 }) == started {
        try #require(ContinuousClock.now < limit, "no dose starts: \(program.complaints)")
        let words = ["-p", "\(broker.port)", "-q", "1", "-t", "grampad/grampad/command/dose"]
        let ended = try await Program("mosquitto_pub", words + ["-m", #"{"output":"mill","target_g":380}"#]).ended()
        #expect(ended.code == 0, "\(ended.complaints)")
        // Commands that come faster are rejected as a flood.
        try await Task.sleep(for: .milliseconds(100))
      }
      switch fault {
      case .nothing: break
      case .brokerKilled: try await restartBroker()
      case .unreadKilled:
        broker.send(SIGSTOP)
        try await restartBroker()
      case .scaleKilled: try await restartScale(SIGKILL)
      case .scaleStopped: try await restartScale(SIGTERM)
      case .bothKilled:
        broker.end()
        try await restartScale(SIGKILL)
        try await restartBroker()
      case .reload:
        runs += 1
        let extra = Plug.outputs("mill") + "\nscale: {capacity_g: \(400 + runs)}"
        try scale.folder.write("scale.yaml", RunningScale.yaml(broker.port, pad: RunningScale.plain, extra))
        program.send(SIGHUP)
      }
      try await eventually("switched off after \(fault)") { switched.last == false }
      let repeated = zip(switched, switched.dropFirst()).contains { $0 && $1 }
      #expect(!repeated, "seed \(seed), \(fault): \(switched)")
    }
  }
}
