import Foundation
import FreePorts
import Testing

/// The messages of an appliance to a subscriber, from start to shutdown.
@Suite struct PublishingTests {
  /// The loads on the simulated pad; which of them a test sees depends on the load of the machine.
  private static let weights: Set = ["100 g", "150 g", "84 g", "204 g", "17 g"]

  enum Place: String, CaseIterable { case embedded, external }

  @Test(arguments: Place.allCases) func saysAllThatASubscriberNeeds(_ place: Place) async throws {
    let broker = place == .external ? try await Broker() : nil
    let scale = try await RunningScale(broker, extra: "publish: {live_max_hz: 5, heartbeat_ms: 400}")
    let listener = try await Listener(scale.port)
    try await eventually("online") { listener.last("availability") == "online" }
    try await eventually("a settled load") { listener.last("stable") != nil }
    // Twenty seconds of the show are a drip, in which nothing stays the same.
    try await eventually("a heartbeat: the same again", within: .seconds(120)) {
      let shown = listener.messages("live").suffix(4).map { "\($0("printable") ?? "") \($0("state") ?? "")" }
      return shown.count == 4 && Set(shown).count == 1
    }
    for topic in ["availability", "health", "stable"] {
      #expect(listener.messages(topic).allSatisfy { $0.quality == 1 }, "\(topic)")
    }
    for topic in ["live", "display"] {
      #expect(listener.messages(topic).allSatisfy { $0.quality == 0 && !$0.isRetained }, "\(topic)")
    }
    try await eventually("some more") { listener.messages("live").count > 10 }
    let times = listener.messages("live").compactMap(\.time)
    #expect(times.count > 10)
    // Times have milliseconds, cut off.
    for (a, b) in zip(times, times.dropFirst()) { #expect(b.timeIntervalSince(a) > 0.198, "at most 5 a second") }
    try await eventually("a weight of the show", within: .seconds(120)) {
      listener.messages("display").contains { Self.weights.contains($0.payload) }
    }

    let late = try await Listener(scale.port)
    try await eventually("the retained ones") {
      ["availability", "health", "stable"].allSatisfy { late.messages($0).first?.isRetained == true }
    }
    #expect(late.last("availability") == "online")
    let health = try #require(late.messages("health").first)
    #expect(health("pad", "state") as? String == "present")
    #expect(health("broker", "state") as? String == "connected")
    #expect(health("broker", "address") as? String == "mqtt://127.0.0.1:\(scale.port)")
    #expect(health("configuration", "state") as? String == "in_force")
    #expect(health("calibration") as? String == "user")
    #expect(scale.program.output.isEmpty, "nothing but data on standard output")
  }

  @Test(arguments: Place.allCases, [SIGTERM, SIGINT])
  func endsWithAGoodbye(_ place: Place, _ signal: Int32) async throws {
    let broker = place == .external ? try await Broker() : nil
    let scale = try await RunningScale(broker)
    let listener = try await Listener(scale.port)
    try await eventually("online") { listener.last("availability") == "online" }
    let children = scale.program.children
    #expect(children.count == (place == .embedded ? 1 : 0), "an embedded broker is one process")
    scale.program.send(signal)
    let ended = try await scale.program.endedPromptly()
    #expect(ended.code == 0, "\(ended.complaints)")
    try await eventually("offline is published") { listener.last("availability") == "offline" }
    #expect(!children.contains(where: exists), "no broker is left")
    if place == .external {
      let late = try await Listener(scale.port)
      try await eventually("offline is retained") { late.last("availability") == "offline" }
    }
  }

  /// A signal at any time during the start: after its first message, the program shuts down properly.
  @Test(arguments: ["embedded broker started", "running", "connected to the broker"])
  func endsWhileItStarts(_ words: String) async throws {
    let folder = try TemporaryFolder()
    let program = try Program.grampad(["run", "--config", folder.write("scale.yaml", RunningScale.yaml(nil, ""))])
    try await eventually("it gets so far") { program.complaints.contains("] \(words)\n") }
    program.send(SIGHUP)
    program.send(SIGTERM)
    let ended = try await program.endedPromptly()
    #expect(ended.code == 0, "\(ended.complaints)")
  }

  @Test func leavesAWillWhenItIsKilled() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    try await eventually("online") { listener.last("availability") == "online" }
    scale.program.end()
    try await eventually("the will") { listener.last("availability") == "offline" }
  }

  /// A node of a cluster that was cut off publishes the will when the appliance is connected to another one already.
  @Test func correctsAWillThatComesLate() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    try await eventually("online") { listener.last("availability") == "online" }
    let arguments = [
      "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-r", "-t", "grampad/grampad/availability", "-m", "offline",
    ]
    #expect(try await Program("mosquitto_pub", arguments).ended().code == 0)
    try await eventually("offline") { listener.messages("availability").contains { $0.payload == "offline" } }
    try await eventually("online again") { listener.last("availability") == "online" }
    scale.program.send(SIGTERM)
    #expect(try await scale.program.endedPromptly().code == 0)
    try await eventually("the end is not contradicted") { listener.last("availability") == "offline" }
  }

  /// In a RabbitMQ cluster a client on another node does not get what is retained.
  @Test func publishesRetainedStateWhenHomeAssistantStarts() async throws {
    let broker = try await Broker()
    let scale = try await RunningScale(broker)
    let listener = try await Listener(broker.port)
    let topics = ["availability", "health", "stable", "actions", "containers"]
    try await eventually("everything") { topics.allSatisfy { listener.last($0) != nil } }
    let before = topics.map { listener.messages($0).count }
    let arguments = [
      "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", "homeassistant/status", "-m", "online",
    ]
    #expect(try await Program("mosquitto_pub", arguments).ended().code == 0)
    try await eventually("everything again") {
      zip(topics, before).allSatisfy { listener.messages($0).count > $1 }
    }
    #expect(listener.last("availability") == "online")
    #expect(scale.program.isRunning)
  }

  @Test func takesItsBrokerWithItWhenItIsKilled() async throws {
    let scale = try await RunningScale()
    let children = scale.program.children
    #expect(children.count == 1)
    scale.program.end()
    try await eventually("the broker is gone") { !children.contains(where: exists) }
    #expect(!FreePort.isTaken(scale.port))
  }

  @Test func showsItself() async throws {
    let temporary = try TemporaryFolder()
    let demo = try Program.grampad(["demo", "--port", "0"], environment: ["TMPDIR": temporary.path])
    func port() -> UInt16? {
      guard let mark = demo.output.range(of: "-p ") else { return nil }
      return UInt16(demo.output[mark.upperBound...].prefix { $0.isNumber })
    }
    try await eventually("it says where") { port() != nil }
    let listener = try await Listener(try #require(port()))
    try await eventually("online") { listener.last("availability") == "online" }
    try await eventually("a weight of the show settles", within: .seconds(120)) {
      listener.messages("stable").contains { Self.weights.contains($0("printable") as? String ?? "") }
    }
    #expect(demo.output.contains("settled at "))
    #expect(listener.messages("health").last?("calibration") as? String == "user")
    let children = demo.children
    demo.send(SIGINT)
    let ended = try await demo.endedPromptly()
    #expect(ended.code == 0)
    #expect(ended.complaints.isEmpty, "\(ended.complaints)")
    #expect(!children.contains(where: exists))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty, "its configuration is gone")
    try await eventually("offline") { listener.last("availability") == "offline" }
  }

  @Test func endsWhenItsOutputIsClosed() async throws {
    let shell = try Program("sh", ["-c", "timeout -s KILL 10 '\(Program.path())' demo --port 0 | head -n 3"])
    let ended = try await shell.ended()
    #expect(ended.output.contains("Grampad demo"))
    #expect(ended.complaints.isEmpty, "\(ended.complaints)")
  }

  @Test func endsWhenItsTerminalIsClosed() async throws {
    let folder = try TemporaryFolder()
    let terminal = try WatchTerminal(["demo", "--port", "0"], environment: ["TMPDIR": folder.path])
    try await eventually("it weighs", within: .seconds(60)) { terminal.output.contains(" g") }
    terminal.hangUp()
    #expect(try await terminal.ended() == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "its configuration is gone")
  }

  @Test func sharesNoPort() async throws {
    let scale = try await RunningScale()
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "second.yaml", "pad: {device: simulated}\nmqtt: {embedded_port: \(scale.port)}\ndashboard: {enabled: false}\n")
    for arguments in [["run", "--config", file], ["demo", "--port", "\(scale.port)"]] {
      let ended = try await Program.run(arguments)
      #expect(ended.code == 69)
      #expect(ended.output.isEmpty)
      #expect(ended.complaints.contains("port \(scale.port) is in use by mosquitto"), "\(ended.complaints)")
      #expect(ended.complaints.contains("mqtt.broker: mqtt://127.0.0.1:\(scale.port)"), "what to do")
      #expect(ended.complaints.contains("embedded_port"), "what else to do")
    }
    #expect(scale.program.isRunning)
  }

  @Test func namesWhoHasThePort() async throws {
    let taken = TakenPort()
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", "pad: {device: simulated}\nmqtt: {embedded_port: \(taken.port)}\n")
    let ended = try await Program.run(["run", "--config", file])
    #expect(ended.code == 69)
    #expect(ended.complaints.contains("port \(taken.port) is in use by "), "\(ended.complaints)")
    #expect(ended.complaints.contains("(process \(getpid()))"), "this one")
    #expect(ended.complaints.contains("change mqtt.embedded_port"))
  }

  /// A failed start with a slow disk and a slow exit of the process: it still shuts down properly and leaves no journal.
  @Test(.enabled(if: Program.find("strace") != "strace", "strace slows it down"))
  func endsInOrderWhenItCannotStart() async throws {
    let taken = TakenPort()
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "scale.yaml", "pad: {device: simulated}\nmqtt: {embedded_port: \(taken.port)}\ndashboard: {enabled: false}\n")
    let slowness = [
      "-e", "trace=exit_group,fdatasync", "-e", "inject=fdatasync:delay_enter=50000", "-e",
      "inject=exit_group:delay_enter=500000",
    ]
    let words = ["-f", "-qq", "-o", "/dev/null"] + slowness + [try Program.path(), "run", "--config", file]
    let ended = try await Program("strace", words).ended(within: .seconds(120))
    #expect(ended.code == 69 && ended.complaints.contains("port \(taken.port) is in use by "), "\(ended)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["scale.yaml"])
  }

  /// The first program occupies the default port.
  @Test func showsItselfWhereverThereIsRoom() async throws {
    var demos: [Program] = []
    for _ in 0..<2 {
      let demo = try Program.grampad(["demo"])
      try await eventually("it runs") { demo.output.contains("mosquitto_sub -h 127.0.0.1 -p ") }
      demos.append(demo)
    }
    let pages = demos.map { $0.output.firstMatch(of: /http:\/\/127.0.0.1:\d+\//)?.output }
    #expect(pages[0] != nil && pages[1] != nil && pages[0] != pages[1])
    for demo in demos { demo.send(SIGTERM) }
    for demo in demos { #expect(try await demo.endedPromptly().code == 0) }
  }
}
