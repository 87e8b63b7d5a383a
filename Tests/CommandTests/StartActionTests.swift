import Foundation
import Testing

/// `run --action`: each action is performed exactly once.
@Suite struct StartActionTests {
  @Test func areDoneOnceEach() async throws {
    let names = ["clear_tare", "beans", "nosuch", "zero", "void", "zero"]
    let stage = try await Stage(
      pad: RunningScale.plain, extra: "actions: [{type: beans, run: commit}]",
      arguments: names.flatMap { ["--action", $0] })
    func results() -> [Listener.Message] { stage.listener.messages("result") }
    try await eventually("all answered") { results().count >= names.count }
    // What was asked later is answered later: nothing of the start follows.
    _ = try await stage.command("commit")
    let started = results().filter { $0("source") as? String == "start" }
    // The journal answers when it has: void may come later than the zero after it.
    let answers = started.map { "\($0("action") as? String ?? "") \($0("reason") as? String ?? "done")" }.sorted()
    #expect(
      answers == [
        "beans empty", "clear_tare no_tare", "nosuch unknown_action", "void nothing_to_void", "zero done", "zero done",
      ])
    #expect(stage.types().count { $0 == "zeroed" } == 2)
    #expect(try await stage.history().map(\.sequence) == [1])
  }

  @Test func recordAWeighingOnce() async throws {
    let stage = try await Stage(
      pad: RunningScale.plain, extra: "journal: {path: grampad.db}\nactions: [{type: off, run: void}]",
      arguments: [])
    _ = try await stage.command("commit")
    stage.scale.program.send(SIGTERM)
    #expect(try await stage.scale.program.ended().code == 0)
    let again = try Program.grampad(["run", "--config", stage.scale.path, "--action", "off", "--action", "off"])
    try await eventually("both answered") {
      stage.listener.messages("result").count { $0("source") as? String == "start" } == 2
    }
    let started = stage.listener.messages("result").filter { $0("source") as? String == "start" }
    #expect(started.map { $0("reason") as? String ?? "done" } == ["done", "nothing_to_void"])
    #expect(started[0]("weighing", "source") as? String == "start")
    #expect(try await stage.history().map(\.sequence) == [1, 2])
    #expect(again.isRunning)
  }

  @Test func waitForAPadThatMayCome() async throws {
    let broker = try await Broker()
    let listener = try await Listener(broker.port)
    let began = ContinuousClock.now
    let scale = try await RunningScale(
      broker, pad: "{device: /dev/input/no-such-pad}", extra: "confirm: {settle_ms: 4000}",
      arguments: ["--action", "tare", "--action", "commit"])
    try await eventually("online") { listener.last("availability") == "online" }
    // A command that expires before it can be executed.
    let arguments = ["-h", "127.0.0.1", "-p", "\(broker.port)", "-V", "5", "-q", "1", "-n"]
    let ended = try await Program(
      "mosquitto_pub",
      arguments + ["-t", "grampad/grampad/command/zero", "-D", "publish", "message-expiry-interval", "1"]
    ).ended()
    #expect(ended.code == 0)
    try await eventually("all answered") { listener.messages("result").count >= 3 }
    #expect(ContinuousClock.now - began >= .seconds(4))
    // The link is up before the actions of the start are handed over: which came first is not defined.
    let results = listener.messages("result").map { "\($0("action") ?? "") \($0("reason") ?? "done")" }
    #expect(results.sorted() == ["commit pad_missing", "tare pad_missing", "zero expired"])
    // From now on it is missing at once.
    let tare = try await Program.run(["tare", "--config", scale.path])
    #expect(tare.code == 1 && tare.complaints == "grampad: tare rejected: pad_missing (the pad is not connected)\n")
    #expect(listener.messages("result").count == 3, "answered to the terminal only, and nothing twice")
  }
}
