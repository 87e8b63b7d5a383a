import Foundation
import Testing

extension Secured {
  /// The authentication and the access list of the broker that `deploy/broker` sets up.
  @Suite struct SecuredBrokerTests {
    @Test(arguments: ["5", "3.1.1"]) func anApplianceSaysAllThatItSaysAndIsCommanded(_ version: String) async throws {
      let broker = try await SecuredBroker()
      let home = try await SecuredListener(broker, as: "homeassistant", to: ["grampad/#", "homeassistant/#"])
      let wall = try await SecuredListener(broker, as: "wall", to: ["#"])
      let scale = try broker.scale("kitchen", version: version)
      let program = try Program.grampad(["run", "--config", scale])
      func calls(_ user: String, _ words: [String]) async throws -> Program.Ended {
        let configuration = user == "kitchen" ? scale : broker.file("grampad.yaml", of: user)
        let ended = try await Program.run(words + ["--config", configuration, "--device", "kitchen"])
        return ended
      }
      let said = ["availability", "health", "live", "display", "stable", "actions"].map { "grampad/kitchen/\($0)" }
      try await eventually("what an appliance says") {
        home.topics.isSuperset(of: said + ["homeassistant/device/kitchen/config"])
      }
      // The access list permits everything that the appliance does, so its log reports no refusal.
      #expect(!["refuse", "reject"].contains { program.complaints.contains($0) }, "\(program.complaints)")

      // An operator, and the appliance's own configuration.
      for user in ["anna", "kitchen"] {
        var ended = try await calls(user, ["commit", "--label", user])
        for _ in 0..<30 where ended.code != 0 { ended = try await calls(user, ["commit", "--label", user]) }
        #expect(ended.code == 0 && ended.output.contains(#""ok":true"#), "\(user): \(ended)")
        try await eventually("the weighing") {
          home.payloads("grampad/kitchen/weighing").contains { $0.contains(#""label":"\#(user)""#) }
        }
      }
      try await eventually("all acknowledged") {
        home.payloads("grampad/kitchen/health").last?.contains(#""outbox":{"waiting":0,"parked":0,"#) == true
      }
      // A dashboard receives everything below the prefix and nothing else.
      #expect(wall.topics.isSuperset(of: said) && wall.topics.allSatisfy { $0.hasPrefix("grampad/") }, "\(wall.topics)")
      let watch = try Program.grampad([
        "watch", "--config", broker.file("grampad.yaml", of: "wall"), "--device", "kitchen",
      ])
      try await eventually("watch shows something") { watch.output.contains(" g") }
      let discovery = try #require(home.payloads("homeassistant/device/kitchen/config").last)
      #expect(discovery.utf8.count < 100_000, "a packet is 256 KiB at most")
    }

    /// A message that a user is not allowed to publish.
    struct Attempt: Sendable, CustomTestStringConvertible {
      var user: String
      var topic: String
      var testDescription: String { "\(user) on \(topic)" }
    }

    static let attempts =
      ["availability", "live", "weighing", "command/tare", "result/1"].map {
        Attempt(user: "kitchen", topic: "grampad/attic/\($0)")
      } + [
        Attempt(user: "kitchen", topic: "homeassistant/device/attic/config"),
        Attempt(user: "kitchen", topic: "homeassistant/device/kitchen"),
        Attempt(user: "kitchen", topic: "homeassistant/status"),
        Attempt(user: "kitchen", topic: "grampad/kitchen2/live"),
        Attempt(user: "kitchen", topic: "elsewhere"),
        Attempt(user: "wall", topic: "grampad/attic/command/tare"), Attempt(user: "wall", topic: "grampad/wall/live"),
        Attempt(user: "wall", topic: "homeassistant/device/wall/config"),
        Attempt(user: "anna", topic: "grampad/attic/weighing"), Attempt(user: "anna", topic: "grampad/anna/live"),
        Attempt(user: "anna", topic: "homeassistant/device/anna/config"),
        Attempt(user: "homeassistant", topic: "grampad/attic/weighing"),
        Attempt(user: "store", topic: "grampad/attic/command/tare"),
        Attempt(user: "store", topic: "grampad/attic/weighing"),
      ]

    @Test func usersCannotPublishToTopicsOfOthers() async throws {
      let broker = try await SecuredBroker()
      let home = try await SecuredListener(broker, as: "homeassistant", to: ["grampad/#", "homeassistant/#"])
      for attempt in Self.attempts {
        for version in ["5", "3.1.1"] {
          let words = try broker.login(attempt.user, version: version)
          let ended = try await Program(
            "mosquitto_pub", words + ["-d", "-q", "1", "-t", attempt.topic, "-m", "forged"]
          ).ended()
          // 3.1.1 has no words for a refusal: the broker acknowledges and drops.
          if version == "5" { #expect(ended.output.contains("RC:135"), "\(attempt): \(ended)") }
          // A will is a publication, too.
          let dying = try Program(
            "stdbuf",
            ["-oL", "mosquitto_sub", "-d", "-t", "x", "--will-topic", attempt.topic, "--will-payload", "forged"] + words
          )
          try await eventually("it is in, or refused") { dying.output.contains("Subscribed (mid") || !dying.isRunning }
          dying.end()
        }
      }
      // What comes last has come after all of them.
      let words = try broker.login("attic") + ["-q", "1", "-t", "grampad/attic/live", "-m", "own"]
      #expect(try await Program("mosquitto_pub", words).ended().code == 0)
      try await eventually("what may be") { home.payloads("grampad/attic/live").contains("own") }
      #expect(home.topics == ["grampad/attic/live"])
    }

    /// A space is possible in a topic of zigbee2mqtt.
    @Test func anApplianceSwitchesItsOutputsAndNoOthers() async throws {
      let broker = try await SecuredBroker()
      func code(_ user: String, _ topic: String) async throws -> String? {
        let words = try broker.login(user) + ["-d", "-q", "1", "-t", topic, "-m", "OFF"]
        let ended = try await Program("mosquitto_pub", words).ended()
        return ended.output.contains("RC:135") ? "refused" : ended.code == 0 ? "accepted" : nil
      }
      let mine = ["cmnd/grinder/POWER", "zigbee2mqtt/Kitchen plug/set"]
      for topics in [[], mine, [mine[1]], []] {
        try await broker.made(words: ["set-outputs", "kitchen"] + topics)
        try await broker.reload()
        for topic in mine + ["cmnd/grinder", "cmnd/grinder/POWER/x", "zigbee2mqtt/Kitchen plug", "plug"] {
          let expected = topics.contains(topic) ? "accepted" : "refused"
          #expect(try await code("kitchen", topic) == expected, "\(topic) of \(topics)")
          #expect(try await code("attic", topic) == "refused", "\(topic)")
        }
      }
      try await broker.made("add-plug", "gateway")
      try await broker.made(words: ["set-outputs", "kitchen"] + mine)
      try await broker.reload()
      let gateway = try await SecuredListener(broker, as: "gateway", to: ["#"])
      #expect(try await code("gateway", mine[0]) == "refused")
      for topic in ["grampad/kitchen/event"] + mine { #expect(try await code("kitchen", topic) == "accepted") }
      try await eventually("the plugs are switched") { mine.allSatisfy { gateway.payloads($0) == ["OFF"] } }
      #expect(gateway.topics.count == mine.count, "\(gateway.text)")
      try await broker.made("remove", "kitchen")
      try await broker.made("add-device", "kitchen")
      try await broker.reload()
      #expect(try await code("kitchen", mine[0]) == "refused", "another appliance of the name")
    }

    @Test func anApplianceReadsNothingOfOthers() async throws {
      let broker = try await SecuredBroker()
      let kitchen = try await SecuredListener(broker, as: "kitchen", to: ["#", "grampad/attic/#", "grampad/+/live"])
      func publish(_ user: String, _ topic: String) async throws {
        let words = try broker.login(user) + ["-q", "1", "-r", "-t", topic, "-m", "x"]
        #expect(try await Program("mosquitto_pub", words).ended().code == 0)
      }
      try await publish("attic", "grampad/attic/live")
      try await publish("anna", "grampad/attic/command/tare")
      try await publish("homeassistant", "homeassistant/status")
      try await publish("homeassistant", "homeassistant/else")
      try await publish("anna", "grampad/kitchen/command/tare")
      try await eventually("its own") { kitchen.topics.contains("grampad/kitchen/command/tare") }
      #expect(kitchen.topics == ["homeassistant/status", "grampad/kitchen/command/tare"])
      let late = try await SecuredListener(broker, as: "kitchen", to: ["grampad/#"])
      try await eventually("what is retained") { !late.topics.isEmpty }
      #expect(late.topics == ["grampad/kitchen/command/tare"])
    }

    @Test func aCollectorReadsWeighingsAndAsksForThem() async throws {
      let broker = try await SecuredBroker()
      let store = try await SecuredListener(broker, as: "store", to: ["#", "grampad/#"])
      let kitchen = try await SecuredListener(broker, as: "kitchen", to: ["grampad/kitchen/command/#"])
      func publish(_ user: String, _ topic: String) async throws {
        let words = try broker.login(user) + ["-q", "1", "-t", topic, "-m", "x"]
        #expect(try await Program("mosquitto_pub", words).ended().code == 0)
      }
      for topic in ["live", "event", "weighing/last", "result/1", "weighing", "health", "result", "result/store"] {
        try await publish("kitchen", "grampad/kitchen/\(topic)")
      }
      try await publish("store", "grampad/kitchen/command/resend")
      try await eventually("the command and the last message") {
        kitchen.topics == ["grampad/kitchen/command/resend"] && store.topics.contains("grampad/kitchen/result/store")
      }
      #expect(store.topics == Set(["weighing", "health", "result", "result/store"].map { "grampad/kitchen/\($0)" }))
    }

    @Test func whoMayNotCommandIsTold() async throws {
      let broker = try await SecuredBroker()
      let ended = try await Program.run(
        ["tare", "--config", broker.file("grampad.yaml", of: "wall"), "--device", "kitchen"])
      #expect(ended.code == 69 && ended.output.isEmpty)
      #expect(ended.complaints.contains("the broker refused the command"), "\(ended.complaints)")
      #expect(ended.complaints.contains("access control list"), "what to do")
    }

    /// A client that the broker refuses: the change to a valid configuration that causes it, and words in the error.
    struct Stranger: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var old: String
      var new: String
      var words: [String]
    }

    static let strangers = [
      Stranger(
        testDescription: "no user", old: "  username: anna\n  password_file: mqtt.password\n", new: "",
        words: ["rejected the user name or password", "check username and password_file"]),
      Stranger(
        testDescription: "an unknown user", old: "username: anna", new: "username: bob",
        words: ["rejected the user name or password"]),
      Stranger(
        testDescription: "a wrong password", old: "mqtt.password", new: "../attic/mqtt.password",
        words: ["rejected the user name or password"]),
      Stranger(
        testDescription: "another authority", old: "broker-ca.pem", new: "other.pem",
        words: ["certificate is not trusted", "check ca_file"]),
      Stranger(
        testDescription: "no authority", old: "  ca_file: broker-ca.pem\n", new: "",
        words: ["certificate is not trusted", "check ca_file"]),
      Stranger(
        testDescription: "another name", old: "localhost", new: "127.0.0.2",
        words: ["certificate is not valid for '127.0.0.2'", "connect by a name in the certificate"]),
      Stranger(
        testDescription: "without TLS", old: "mqtts://localhost", new: "mqtt://localhost",
        words: ["broker closed the connection without a response", "whether it requires mqtts://"]),
    ]

    @Test(arguments: ["5", "3.1.1"]) func strangersStayOutsideAndAreToldWhy(_ version: String) async throws {
      let broker = try await SecuredBroker()
      let other = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=other",
      ]
      let files = ["-keyout", "/dev/null", "-out", broker.file("other.pem", of: "anna")]
      #expect(try await Program("openssl", other + files).ended().code == 0)
      let good = try String(contentsOfFile: broker.file("grampad.yaml", of: "anna"), encoding: .utf8)
      for stranger in Self.strangers {
        #expect(good.contains(stranger.old))
        var text = good.replacing(stranger.old, with: stranger.new) + "  version: \(version)\n"
        if stranger.new.hasPrefix("mqtt://") { text = text.replacing("  ca_file: broker-ca.pem\n", with: "") }
        let path = broker.file("stranger.yaml", of: "anna")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let ended = try await Program.run(["tare", "--config", path, "--device", "kitchen", "--timeout", "20"])
        #expect(ended.code == 69, "\(stranger): \(ended)")
        for word in stranger.words { #expect(ended.complaints.contains(word), "\(stranger): \(ended.complaints)") }
      }
      #expect(try !broker.log.contains(broker.password(of: "attic")))
    }
  }
}
