import Foundation
import FreePorts
import Testing

/// Brokers that crash, hang, or lose their retained messages.
@Suite struct TroubleTests {
  @Test func tellsAllAgainToABrokerThatForgot() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let before = try await Listener(broker.port)
    try await eventually("a settled load") { before.last("stable") != nil }
    before.end()
    broker.end()
    try await broker.start()
    let after = try await Listener(broker.port)
    try await eventually("all that is retained", within: .seconds(120)) {
      ["availability", "health", "stable"].allSatisfy { after.last($0) != nil }
    }
    #expect(after.last("availability") == "online")
    let late = try await Listener(broker.port)
    try await eventually("retained again") {
      ["availability", "health", "stable"].allSatisfy { late.messages($0).first?.isRetained == true }
    }
    #expect(scale.program.isRunning)
  }

  @Test func outlivesABrokerThatHangs() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(
      broker, extra: "publish: {live_max_hz: 1000, heartbeat_ms: 100, contacts: true}")
    let listener = try await Listener(broker.port)
    try await eventually("live") { listener.messages("live").count > 10 }
    let before = scale.program.residentKilobytes
    broker.send(SIGSTOP)
    // The test needs the time: about 400 frames and readings that the broker does not receive.
    try await Task.sleep(for: .seconds(3))
    #expect(scale.program.isRunning)
    let growth = scale.program.residentKilobytes - before
    #expect(growth < 8192, "what is not taken is not kept: \(growth) kB")
    broker.send(SIGCONT)
    try await eventually("live is current", within: .seconds(10)) {
      listener.messages("live").last?.time.map { Date().timeIntervalSince($0) < 1 } == true
    }
  }

  @Test func endsWhileTheBrokerHangs() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    try await eventually("live") { listener.last("live") != nil }
    broker.send(SIGSTOP)
    scale.program.send(SIGTERM)
    let ended = try await scale.program.endedPromptly()
    #expect(ended.code == 0, "\(ended.complaints)")
    broker.send(SIGCONT)
    try await eventually("offline at last") { listener.last("availability") == "offline" }
  }

  @Test func restartsItsOwnBroker() async throws {
    let scale = try await RunningScale()
    let first = try #require(scale.program.children.first)
    kill(first, SIGKILL)
    try await eventually("another broker") { scale.program.children.contains { $0 != first } }
    try await eventually("on the same port") { FreePort.isTaken(scale.port) }
    let listener = try await Listener(scale.port)
    try await eventually("online", within: .seconds(120)) { listener.last("availability") == "online" }
  }

  @Test func waitsForABrokerThatIsNotThere() async throws {
    let folder = try TemporaryFolder()
    let port = FreePort.any()
    let file = try folder.write("scale.yaml", RunningScale.yaml(port, ""))
    let program = try Program.grampad(["run", "--config", file])
    try await eventually("it says so") { program.complaints.contains("127.0.0.1:\(port)") }
    #expect(program.isRunning)
    program.send(SIGTERM)
    #expect(try await program.endedPromptly().code == 0)
  }
}
