import Foundation
import Testing

/// A container that is stored on the scale, through a broker, before and after a restart.
@Suite struct ContainerRestartTests {
  private static let name = "Kännchen " + String(repeating: "x", count: 22)

  /// The containers on a retained topic: names, and whether each is one of the configuration.
  private func containers(_ listener: Listener) -> [String: Bool] {
    guard let payload = listener.last("containers"),
      let list = value(in: payload, ["containers"]) as? [[String: Any]]
    else { return [:] }
    return Dictionary(list.map { ($0["name"] as? String ?? "", $0["configured"] as? Bool ?? false) }) { $1 }
  }

  @Test func survivesARestart() async throws {
    let stage = try await Stage(pad: RunningScale.plain, extra: "containers: [{name: pot, tare_g: 80}]")
    let stored = try await stage.command("container", #","name":"\#(Self.name)""#)
    #expect(stored("ok") as? Bool == true, "\(stored.payload)")
    let mass = try #require(stored("reading", "gross_g") as? Double)
    let known = ["pot": true, Self.name: false]
    try await eventually("the list") { containers(stage.listener) == known }
    stage.scale.program.send(SIGTERM)
    _ = try await stage.scale.program.ended()

    // What a new subscriber gets is retained; the next run publishes it again.
    let listener = try await Listener(stage.broker.port)
    try await eventually("the retained list") { listener.messages("containers").first?.isRetained == true }
    #expect(containers(listener) == known)
    let program = try Program.grampad(["run", "--config", stage.scale.path])
    defer { program.end() }
    try await eventually("the list of the next run") {
      listener.messages("containers").contains { !$0.isRetained } && containers(listener) == known
    }

    let next = Stage(stage.broker, stage.scale, listener)
    let tared = try await next.command("tare", #","container":"\#(Self.name)""#)
    #expect(tared("ok") as? Bool == true, "\(tared.payload)")
    #expect(tared("reading", "container") as? String == Self.name)
    #expect(abs(try #require(tared("reading", "tare_g") as? Double) - mass) <= 1, "\(tared.payload)")
    let removed = try await next.command("container", #","name":"\#(Self.name)","remove":true"#)
    #expect(removed("ok") as? Bool == true, "\(removed.payload)")
    try await eventually("the list without it") { containers(listener) == ["pot": true] }
    let configured = try await next.command("container", #","name":"pot","remove":true"#)
    #expect(configured("reason") as? String == "unknown_container", "\(configured.payload)")
    listener.end()
  }
}
