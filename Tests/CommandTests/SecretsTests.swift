import Foundation
import FreePorts
import Testing

extension Secured {
  /// Passwords and tokens appear nowhere: not in files, messages, the log or the page, nor in `/proc`.
  @Suite struct SecretsTests {
    /// The secrets of a test, and the search for them.
    private struct Secrets {
      let token = "token-\(UUID().uuidString)"
      var password = "password-\(UUID().uuidString)"

      /// Whether a text contains a recognisable part of a secret.
      func show(in text: String) -> Bool { text.contains(token.dropFirst(6)) || text.contains(password) }
    }

    /// Where the secrets are given.
    enum Place: String { case files, environment }

    /// The broker of the appliance.
    enum Line: String {
      /// It accepts the password.
      case good
      /// It rejects the password.
      case refusing
      /// No server listens.
      case absent
      /// The embedded broker, a child process.
      case embedded
    }

    /// The arguments and the environment of a process. `proc(5)`
    private func seen(_ process: Int32, _ name: String) -> String {
      let bytes = FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data()
      return String(decoding: bytes, as: UTF8.self)
    }

    /// The responses of the dashboard, including the first seconds of a stream.
    private func answer(_ port: UInt16, _ request: String, _ headers: String = "", seconds: Int = 2) async throws
      -> String
    {
      let text = "\(request) HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\nConnection: close\\r\\n\(headers)\\r\\n"
      let words = "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(text)' >&3; timeout -s KILL \(seconds) cat <&3; true"
      return try await Program("bash", ["-c", words]).ended().output
    }

    /// The combinations of secrets, sources and brokers.
    static let cases: [(Line, Place)] = [
      (.good, .files), (.good, .environment), (.refusing, .environment), (.absent, .files), (.embedded, .environment),
    ]

    @Test(arguments: cases) func showNowhere(_ line: Line, _ place: Place) async throws {
      let broker = line == .good || line == .refusing ? try await SecuredBroker() : nil
      var secrets = Secrets()
      if line == .good, let broker { secrets.password = try broker.password(of: "kitchen") }
      let folder = try TemporaryFolder()
      let files = try TemporaryFolder()
      let ports = (web: FreePort.any(), broker: broker?.port ?? FreePort.any())
      var yaml = "device: {id: kitchen}\npad: \(RunningScale.plain)\nmqtt:\n  username: kitchen\n  embedded_port: 0\n"
      if let broker { yaml += "  ca_file: \(broker.material)/ca.pem\n" }
      if line != .embedded {
        yaml += "  broker: \(broker == nil ? "mqtt" : "mqtts")://localhost:\(ports.broker)\n"
      }
      var words: [String] = []
      switch place {
      case .files:
        yaml += "  password_file: \(try files.write("password", secrets.password + "\n"))\n"
        yaml += "dashboard: {port: \(ports.web), token_file: \(try files.write("token", secrets.token + "\n"))}\n"
      case .environment:
        yaml += "dashboard: {port: \(ports.web)}\n"
        words = ["GRAMPAD_MQTT_PASSWORD=\(secrets.password)", "GRAMPAD_DASHBOARD_TOKEN=\(secrets.token)"]
      }
      let file = try folder.write("scale.yaml", yaml)
      let path = try Program.path()
      func start(_ arguments: [String]) throws -> Program {
        try Program("env", ["-C", folder.path] + words + [path] + arguments + ["--config", file])
      }
      let home: SecuredListener? =
        if line == .good, let broker {
          try await SecuredListener(broker, as: "homeassistant", to: ["grampad/#", "homeassistant/#"])
        } else { nil }

      let program = try start(["run", "--log-level", "trace"])
      try await eventually("the dashboard listens") { FreePort.isTaken(ports.web) }
      switch line {
      case .good:
        try await eventually("it says how it is") { home?.payloads("grampad/kitchen/stable").isEmpty == false }
      case .refusing:
        try await eventually("refused") { program.complaints.contains("rejected the user name or password") }
      case .absent: try await eventually("no broker") { program.complaints.contains("cannot connect (") }
      case .embedded: try await eventually("a child") { !program.children.isEmpty }
      }
      var served = ""
      for path in [
        "/", "/page.js", "/healthz", "/metrics", "/api/live", "/api/trace", "/api/weighings", "/api/calibration",
      ] {
        served += try await answer(ports.web, "GET \(path)")
      }
      #expect(served.contains("grampad_") && served.contains("text/event-stream"), "\(served)")
      let act = "Content-Type: application/json\\r\\nContent-Length: 2\\r\\n"
      for token in [secrets.token, secrets.token + "x"] {
        let reply = try await answer(
          ports.web, "POST /api/action/zero", act + "Authorization: Bearer \(token)\\r\\n\\r\\n{}", seconds: 10)
        #expect(reply.hasPrefix("HTTP/1.1 ") && reply.contains(" 401 ") == (token != secrets.token), "\(reply)")
        served += reply
      }
      #expect(!secrets.show(in: served), "the dashboard")
      #expect(!secrets.show(in: seen(program.id, "cmdline")), "the process list")
      for child in program.children {
        let variables = seen(child, "environ")
        #expect(!secrets.show(in: seen(child, "cmdline") + variables), "a child: \(variables)")
        #expect(variables.isEmpty, "it gets nothing at all")
      }
      if let home {
        #expect(home.topics.count > 5 && !secrets.show(in: home.text), "what is published")
      }
      // Once more by the signal that has files read again.
      program.send(SIGHUP)
      try await eventually("reloaded") { program.complaints.contains("configuration reloaded") }
      program.send(SIGTERM)
      let ended = try await program.ended()
      #expect(ended.code == 0, "\(ended)")
      #expect(ended.complaints.contains("trace") || ended.complaints.contains("debug"), "it was told to say all")
      #expect(!secrets.show(in: ended.output + ended.complaints), "the log")
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        let held = FileManager.default.contents(atPath: "\(folder.path)/\(name)") ?? Data()
        #expect(!secrets.show(in: String(decoding: held, as: UTF8.self)), "\(name)")
      }
      if let broker { #expect(!secrets.show(in: broker.log), "the broker's log") }
      let recording = try files.write("load.evemu", Recorded.oneLoad)
      for arguments in [
        ["check"], ["replay", recording], ["tare", "--timeout", "2", "--log-level", "trace"], ["history"],
      ] {
        let words = arguments == ["history"] ? ["history", "--json"] : arguments
        let ended = try await start(words).ended()
        #expect(
          !(ended.output + ended.complaints).isEmpty && !secrets.show(in: ended.output + ended.complaints), "\(words)")
      }
    }

    /// Passwords in the wrong places; SECRET is replaced by the password.
    static let misplaced = [
      #"mqtt: {broker: "mqtt://scale:SECRET@localhost:1883"}"#, #"mqtt: {broker: "mqtts://SECRET@localhost"}"#,
      #"mqtt: {broker: "scale:SECRET@localhost"}"#, #"mqtt: {broker: "scale:SECRET@mqtt://localhost"}"#,
      #"mqtt: {broker: "http://scale:SECRET@localhost/x"}"#, #"mqtt: {broker: "mqtt://scale:SE/CRET@localhost"}"#,
      #"mqtt: {broker: ["mqtt://a", "mqtt://scale:SECRET@b"]}"#, #"mqtt: {broker: {url: SECRET}}"#,
      #"mqtt: {password: SECRET}"#, #"mqtt: {username: scale, password: SECRET}"#, #"mqtt: {passwort: [SECRET]}"#,
      #"dashboard: {token: SECRET}"#, "mqtt:\n  password: \"SECRET\n", "mqtt:\n  password: SECRET: x\n",
    ]

    @Test(arguments: misplaced) func aMisplacedOneIsNotRepeated(_ text: String) async throws {
      let secret = "hunter2hunter2"
      let folder = try TemporaryFolder()
      let yaml = text.replacing("SECRET", with: secret).replacing("SE/CRET", with: "hunter2hunter2/x")
      let file = try folder.write("scale.yaml", yaml)
      for words in [["check"], ["run"], ["tare"], ["watch"], ["simulate", "--pads", "1"], ["history"]] {
        let ended = try await Program.run(words + ["--config", file])
        #expect(ended.code == 78, "\(words): \(ended)")
        #expect(!(ended.output + ended.complaints).contains(secret), "\(words): \(ended.complaints)")
      }
    }

    @Test func aBrokerOnTheCommandLineTakesNoPassword() async throws {
      let secret = "hunter2hunter2"
      for words in [["tare"], ["watch"], ["simulate", "--pads", "1"], ["action", "beans"]] {
        for url in [
          "mqtt://scale:\(secret)@localhost", "scale:\(secret)@localhost", "scale:\(secret)@mqtt://localhost",
        ] {
          let ended = try await Program.run(words + ["--broker", url])
          #expect(ended.code == 64, "\(words): \(ended)")
          #expect(
            ended.complaints.contains("the URL must not contain a user name") || !url.hasPrefix("mqtt"),
            "\(ended.complaints)")
          #expect(!(ended.output + ended.complaints).contains(secret), "\(words) \(url): \(ended.complaints)")
        }
      }
    }
  }
}
