import Foundation
import Testing

extension Secured {
  /// `deploy/broker/grampad-broker`: the files it creates and keeps, and the secrets it does not show.
  @Suite struct BrokerToolTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func lines(_ path: String) throws -> [Substring] { try text(path).split(separator: "\n") }

    /// The files below a folder with their content.
    private func files(_ folder: String) throws -> [String: String] {
      var files: [String: String] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        if let held = try? text("\(folder)/\(name)") { files[name] = held }
      }
      return files
    }

    /// Whether a user can connect.
    private func isLetIn(_ broker: SecuredBroker, _ login: [String]) async throws -> Bool {
      try await Program("mosquitto_sub", login + ["-E", "-t", "x"]).ended().code == 0
    }

    @Test func keepsWhatIsThere() async throws {
      let broker = try await SecuredBroker()
      let before = try files(broker.material)
      try await broker.made("init")
      try await broker.made("add-device", "kitchen")
      #expect(try files(broker.material) == before)
      let other = try await broker.tool(["add-operator", "kitchen"])
      #expect(other.code == 65 && other.complaints.contains("kitchen already exists as a device"), "\(other)")
      #expect(try files(broker.material) == before)
    }

    /// No file may grow beyond 400 bytes, as on a disk that is full; the passwords have 700.
    @Test func aFullDiskLeavesEverythingAsItWas() async throws {
      let broker = try await SecuredBroker()
      let before = try files(broker.material)
      let tool = ["--fsize=400", "\(SecuredBroker.sources)/grampad-broker", "--folder", broker.material]
      let ended = try await Program("prlimit", tool + ["remove", "kitchen"]).ended()
      #expect(ended.code == 74 && ended.complaints.contains("passwords; is the disk full?"), "\(ended)")
      #expect(try files(broker.material) == before)
      try await broker.made("remove", "kitchen")
    }

    /// A reload keeps the topics of the old `device.id`, to which the new user has no access.
    @Test func aDeviceHasToBeRestarted() async throws {
      let broker = try await SecuredBroker()
      let added = try await broker.tool(["add-device", "cellar"])
      #expect(added.code == 0 && added.complaints.contains("sudo systemctl restart grampad:"), "\(added)")
      #expect(added.complaints.contains("device: {id: cellar}"), "\(added)")
    }

    /// awk compares them as numbers if it may.
    @Test func namesThatAreEqualNumbersAreDifferent() async throws {
      let broker = try await SecuredBroker()
      try await broker.made("add-device", "7", "007")
      try await broker.made("set-outputs", "7", "plug")
      #expect(try lines("\(broker.material)/access").count { $0 == "topic write plug" } == 1)
      try await broker.made("remove", "007")
      let left = try lines("\(broker.material)/users") + lines("\(broker.material)/outputs")
      #expect(left.contains("device 7") && left.contains("7 plug") && !left.contains("device 007"), "\(left)")
    }

    @Test func secretsAreForThoseWhoNeedThem() async throws {
      let broker = try await SecuredBroker()
      #expect(!broker.log.contains("Warning"), "\(broker.log)")
      let modes = [
        "ca.key": 0o600, "server.key": 0o640, "passwords": 0o600, "access": 0o600, "users": 0o600,
        "clients/kitchen/mqtt.password": 0o600, "clients": 0o700, "ca.pem": 0o644, "server.pem": 0o644,
      ]
      for (name, mode) in modes {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(broker.material)/\(name)")
        #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        guard geteuid() == 0 else { continue }
        let isBrokers = ["passwords", "access"].contains(name)
        #expect(attributes[.ownerAccountName] as? String == (isBrokers ? "mosquitto" : "root"), "\(name)")
        if name == "server.key" { #expect(attributes[.groupOwnerAccountName] as? String == "mosquitto") }
      }
      #expect(try !text("\(broker.material)/passwords").contains(broker.password(of: "kitchen")))
      let left = try FileManager.default.contentsOfDirectory(atPath: broker.material).sorted()
      let expected = [
        "access", "ca.key", "ca.pem", "clients", "mosquitto.conf", "names", "passwords", "server.key", "server.pem",
        "settings", "users",
      ]
      #expect(left == expected)
    }

    @Test func passwordsAreNoWordsOfACommandLine() async throws {
      let broker = try await SecuredBroker()
      // Programs of the same names, which note their words and do as they are told.
      let folder = try TemporaryFolder()
      let notes = "\(folder.path)/notes"
      let spied = ["openssl", "mosquitto_passwd", "awk", "sed", "cat", "chown", "mv", "install", "mktemp"]
      for name in spied {
        let path = try folder.write(
          name, "#!/bin/sh\nprintf '%s\\n' \"\(name) $*\" >>\(notes)\nexec \(Program.find(name)) \"$@\"\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      }
      let chosen = "correct horse $(battery) 'staple"
      let input = try folder.write("input", chosen + "\n")
      let tool = "\(SecuredBroker.sources)/grampad-broker"
      var complaints = ""
      for words in [["add-device", "cellar"], ["--ask", "add-operator", "bob"], ["password", "kitchen"]] {
        let path = "PATH=\(folder.path):/usr/bin:/bin"
        let ended = try await Program("env", [path, tool, "--folder", broker.material] + words, input: input).ended()
        #expect(ended.code == 0, "\(ended)")
        complaints += ended.output + ended.complaints
      }
      let words = try text(notes)
      #expect(words.contains("mosquitto_passwd -U ") && words.contains("openssl rand"), "\(words)")
      for user in ["cellar", "bob", "kitchen"] {
        let password = try broker.password(of: user)
        #expect(password.count >= 24)
        #expect(!words.contains(password) && !complaints.contains(password), "\(user)")
      }
      #expect(try broker.password(of: "bob") == chosen)
      try await broker.reload()
      #expect(try await isLetIn(broker, broker.login("bob")))
    }

    @Test func aPasswordIsChangedAndAUserTakenAway() async throws {
      let broker = try await SecuredBroker()
      let old = try broker.login("kitchen")
      #expect(try await isLetIn(broker, old))
      let before = try lines("\(broker.material)/passwords")
      try await broker.made("password", "kitchen")
      let after = try lines("\(broker.material)/passwords")
      #expect(before.filter { !after.contains($0) }.map { $0.prefix(8) } == ["kitchen:"], "no other user's")
      try await broker.reload()
      #expect(try await !isLetIn(broker, old))
      let new = try broker.login("kitchen")
      #expect(try await isLetIn(broker, new))

      let open = try await SecuredListener(broker, as: "attic", to: ["#"])
      let attic = try broker.login("attic")
      try await broker.made("remove", "attic")
      try await broker.reload()
      try await eventually("the connected client is disconnected") {
        broker.log.contains("Client \(open.id) disconnected")
      }
      #expect(try await !isLetIn(broker, attic))
      #expect(try !text("\(broker.material)/access").contains("attic"))
      #expect(try await broker.tool(["remove", "attic"]).code == 66)
    }

    @Test func theServersCertificateIsRenewedForMoreNames() async throws {
      let broker = try await SecuredBroker()
      let authority = try text("\(broker.material)/ca.pem")
      let url = "mqtts://127.0.0.2:\(broker.port)"
      let call = ["tare", "--config", broker.file("grampad.yaml", of: "anna"), "--broker", url, "--device", "kitchen"]
      let refused = try await Program.run(call)
      #expect(refused.complaints.contains("certificate is not valid for '127.0.0.2'"), "\(refused)")
      try await broker.made("renew", "127.0.0.2", "scale.example.org")
      try await broker.reload()
      let unheard = try await Program.run(call)
      #expect(unheard.complaints.contains("no subscriber"), "it is let in: \(unheard)")
      #expect(try text("\(broker.material)/ca.pem") == authority)
      let list = try await broker.tool(["list"])
      #expect(list.code == 0 && list.output.contains("127.0.0.2 scale.example.org"), "\(list)")
      #expect(list.output.contains("server          valid until ") && list.complaints.isEmpty)
    }

    @Test func whatIsRetainedOutlivesTheBroker() async throws {
      let broker = try await SecuredBroker()
      let words = try broker.login("kitchen") + ["-q", "1", "-r", "-t", "grampad/kitchen/weighing/last", "-m", "kept"]
      #expect(try await Program("mosquitto_pub", words).ended().code == 0)
      try await broker.stop()
      try await broker.start()
      let wall = try await SecuredListener(broker, as: "wall", to: ["grampad/#"])
      try await eventually("it is still there") { wall.payloads("grampad/kitchen/weighing/last") == ["kept"] }
    }

    /// An outbox is delivered faster than a subscriber reads: mosquitto silently drops messages beyond its limits.
    @Test func aSubscriberThatIsSlowGetsAWholeOutbox() async throws {
      let broker = try await SecuredBroker()
      let home = try await SecuredListener(broker, as: "homeassistant", to: ["grampad/#"])
      home.send(SIGSTOP)
      let folder = try TemporaryFolder()
      let filler = String(repeating: "x", count: 600)
      let lines = try folder.write("lines", (1...3000).map { "\($0) \(filler)\n" }.joined())
      let words = try broker.login("kitchen") + ["-q", "1", "-t", "grampad/kitchen/weighing", "-l"]
      #expect(try await Program("mosquitto_pub", words, input: lines).ended(within: .seconds(120)).code == 0)
      home.send(SIGCONT)
      try await eventually("all of them") { home.text.count(of: "> grampad/kitchen/weighing ") == 3000 }
    }

    /// A node of a cluster is a client of the other ones. A device with a certificate of the same CA could join them.
    @Test func aCertificateOfAClusterIsForClientsAsWell() async throws {
      let broker = try await SecuredBroker()
      func usage() async throws -> String {
        let words = ["x509", "-in", "\(broker.material)/server.pem", "-noout", "-ext", "extendedKeyUsage"]
        return try await Program("openssl", words).ended().output
      }
      #expect(try await usage().contains("TLS Web Server Authentication\n"))
      for words in [["init", "--cluster"], ["init"], ["renew"]] {
        #expect(try await broker.tool(words).code == 0)
        #expect(try await usage().contains("Server Authentication, TLS Web Client Authentication\n"), "\(words)")
      }
      let refused = try await broker.tool(["init", "--certificate-port", "8884"])
      #expect(refused.code == 64 && refused.complaints.contains("different folders"), "\(refused)")
    }

    /// With another prefix, the list has the topic on which the appliance announces itself.
    @Test func theListHasTheDiscoveryTopicOfThePrefix() async throws {
      let broker = try await SecuredBroker()
      func discovery() throws -> [Substring] {
        try lines("\(broker.material)/access").filter {
          $0.contains("homeassistant/device/kitchen/") || $0.contains("_kitchen-")
        }
      }
      #expect(try discovery() == ["topic readwrite homeassistant/device/kitchen/config"])
      try await broker.made("init", "--prefix", "lab")
      #expect(
        try discovery() == [
          "topic readwrite homeassistant/device/lab_kitchen-9915007b/config",
          "topic readwrite homeassistant/device/kitchen/config",
        ])
    }

    /// More clients than that are refused; each port counts its own.
    @Test func theNumberOfConnectionsIsASetting() async throws {
      let broker = try await SecuredBroker()
      func limits() throws -> [Substring] {
        try lines("\(broker.material)/mosquitto.conf").filter { $0.hasPrefix("max_connections ") }
      }
      #expect(try limits() == ["max_connections 1000"])
      try await broker.made("init", "--max-connections", "2")
      try await broker.stop()
      try await broker.start()
      let listeners = [
        try await SecuredListener(broker, as: "wall", to: ["#"]),
        try await SecuredListener(broker, as: "attic", to: ["#"]),
      ]
      #expect(
        try await !isLetIn(broker, broker.login("kitchen")), "\(listeners.map(\.text))\n\(broker.log)")
      try await broker.made("init", "--certificate-port", "8884")
      #expect(try limits() == ["max_connections 2", "max_connections 2"])
    }

    /// Rejected arguments, the exit code and the message.
    static let wrong: [([String], Int32, String)] =
      [
        ([], 64, "Usage"), (["frobnicate"], 64, "unknown command"), (["add-device"], 64, "requires a name"),
        (["add-device", "a/b"], 64, "1...64 letters"), (["add-device", "a:b"], 64, "1...64 letters"),
        (["add-device", "+"], 64, "1...64 letters"), (["remove", "unknown"], 66, "no such user"),
        (["init", "--port", "0"], 64, "1...65535"), (["init", "--prefix", "a/#"], 64, "--prefix"),
        (["init", "--max-connections", "0"], 64, "1...9999999"),
        (["init", "bad_name"], 64, "not a host name"), (["renew", "999.1.1.1"], 65, "cannot create a certificate"),
        (["--ask", "password", "kitchen"], 65, "no password"), (["set-outputs"], 64, "requires a name"),
        (["set-outputs", "anna", "plug"], 66, "no such device"),
      ]
      + [
        "", "#", "plug/+", "$SYS/x", " plug", "plug ", String(repeating: "k", count: 257), "grampad",
        "grampad/attic/command/tare", "homeassistant/status", "enroll/x/code",
      ]
      .map {
        (["set-outputs", "kitchen", "plug", $0], 64, "not a topic of an output")
      }

    @Test(arguments: ["--prefix", "--discovery"]) func keepsOutputsOutsideOfPrefixes(_ option: String) async throws {
      let broker = try await SecuredBroker()
      try await broker.made(words: ["set-outputs", "kitchen", "zigbee2mqtt/Kitchen plug/set"])
      let before = try files(broker.material)
      let ended = try await broker.tool(["init", option, "zigbee2mqtt"])
      #expect(
        ended.code == 65 && ended.complaints.contains("zigbee2mqtt/Kitchen plug/set, an output of kitchen"), "\(ended)")
      #expect(try files(broker.material) == before)
      try await broker.made("init", option, "zigbee")
    }

    @Test func refusesWhatIsWrong() async throws {
      let broker = try await SecuredBroker()
      let before = try files(broker.material)
      let colon = try TemporaryFolder()
      let refused = try await broker.tool(["--ask", "password", "kitchen"], input: colon.write("input", "a:b:c:d:e\n"))
      #expect(refused.code == 65 && refused.complaints.contains("without a colon"), "\(refused)")
      for (words, code, said) in Self.wrong {
        let ended = try await broker.tool(words)
        #expect(ended.code == code && ended.complaints.contains(said), "\(words): \(ended)")
      }
      #expect(try files(broker.material) == before)
      let folder = try TemporaryFolder()
      let nothing = try await Program("\(SecuredBroker.sources)/grampad-broker", ["--folder", folder.path, "list"])
        .ended()
      #expect(nothing.code == 66 && nothing.complaints.contains("run grampad-broker init first"), "\(nothing)")
    }
  }
}
