import Foundation
import FreePorts
import Testing

/// `grampad tare` and similar commands.
@Suite struct CallTests {
  @Test(arguments: ["5", "3.1.1"]) func tellsWhatBecameOfIt(_ version: String) async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    // What calls names no pad; one that speaks 3.1.1 has no response topic.
    let folder = try TemporaryFolder()
    let file = try folder.write("call.yaml", "mqtt: {broker: mqtt://127.0.0.1:\(broker.port), version: \(version)}\n")
    try await eventually("a load") { listener.last("stable") != nil }

    let refused = try await Program.run(["clear-tare", "--config", file])
    #expect(refused.code == 1)
    #expect(refused.complaints == "grampad: clear_tare rejected: no_tare (no tare is set)\n")
    #expect(refused.output.hasPrefix(#"{"action":"clear_tare","ok":false,"reason":"no_tare","correlation":""#))
    #expect(refused.output.hasSuffix("}\n") && refused.output.split(separator: "\n").count == 1)

    // The show goes on meanwhile: a load that is just being changed is not tared.
    var ended = try await Program.run(["zero", "--config", file])
    for _ in 0..<5 where ended.code != 0 { ended = try await Program.run(["zero", "--config", file]) }
    #expect(ended.code == 0, "\(ended)")
    #expect(ended.output.hasPrefix(#"{"action":"zero","ok":true,"reason":null,"#))
    #expect(ended.complaints.isEmpty)
    #expect(listener.messages("event").contains { $0("type") as? String == "zeroed" })
    #expect(scale.program.isRunning)
  }

  @Test func anEmptyPadIsNotTared() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    var ended: Program.Ended?
    // The pad of the show is empty between the loads.
    for _ in 0..<20 where ended?.complaints != "grampad: tare rejected: empty (nothing is on the pad)\n" {
      try await eventually("empty", within: .seconds(120)) {
        listener.messages("live").last?("state") as? String == "empty"
      }
      ended = try await Program.run(["tare", "--broker", "mqtt://127.0.0.1:\(broker.port)", "--device", "grampad"])
    }
    #expect(ended?.code == 1 && ended?.complaints == "grampad: tare rejected: empty (nothing is on the pad)\n")
    #expect(scale.program.isRunning)
  }

  @Test func reportsAMissingBrokerOrSubscriber() async throws {
    // Neither waits for the entire --timeout.
    let patient = ["--timeout", "3600"]
    let alone = try await Program.run(["tare", "--broker", "mqtt://127.0.0.1:\(FreePort.any())"] + patient)
    #expect(alone.code == 69 && alone.output.isEmpty)
    #expect(alone.complaints.contains("no broker: mqtt://127.0.0.1:"), "\(alone.complaints)")
    let broker = try await Broker()
    let url = "mqtt://127.0.0.1:\(broker.port)"
    let unheard = try await Program.run(["tare", "--broker", url, "--device", "attic"] + patient)
    #expect(unheard.code == 69)
    #expect(unheard.complaints.contains("no subscriber on grampad/attic/command/tare"), "\(unheard.complaints)")
    // A subscriber that does not answer. mosquitto_sub has subscribed when it prints the first message.
    let arguments = [
      "-h", "127.0.0.1", "-p", "\(broker.port)", "-r", "-t", "grampad/grampad/availability", "-m", "offline",
    ]
    #expect(try await Program("mosquitto_pub", arguments).ended().code == 0)
    let listener = try await Listener(broker.port)
    let unanswered = try await Program.run(["tare", "--broker", url, "--timeout", "0.5"])
    #expect(unanswered.code == 69)
    #expect(unanswered.complaints.contains("no response to grampad/grampad/command/tare within 0.5 s"))
    #expect(listener.messages("command/tare").count == 1, "once only")
    // A broker that dies meanwhile.
    let cut = try Program.grampad(["zero", "--broker", url] + patient)
    try await eventually("asked") { !listener.messages("command/zero").isEmpty }
    broker.end()
    let ended = try await cut.ended(within: .seconds(120))
    #expect(ended.code == 69 && ended.complaints.contains("connection lost"), "\(ended.complaints)")
  }

  @Test func findsTheEmbeddedBroker() async throws {
    let port = FreePort.any()
    let folder = try TemporaryFolder()
    let text = "pad: {device: simulated}\nmqtt: {embedded_port: \(port), prefix: home/scales}\ndevice: {id: one}\n"
    let file = try folder.write("scale.yaml", text)
    let scale = try Program.grampad(["run", "--config", file])
    var ended = try await Program.run(["clear-tare", "--config", file])
    let end = ContinuousClock.now + .seconds(30)
    while ended.code == 69, ContinuousClock.now < end {
      ended = try await Program.run(["clear-tare", "--config", file])
    }
    // On a busy machine the show has taken a tare by then; an answer it is either way.
    #expect(ended.code == 1 && ended.output.contains("no_tare") || ended.code == 0, "\(ended)")
    #expect(scale.isRunning)
  }
}
