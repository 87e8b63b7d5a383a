import Foundation
import Testing

extension Secured {
  /// `grampad enroll` with a real mosquitto, as `deploy/broker` configures it.
  @Suite struct EnrollTests {
    @Test func aCodeIsForOneDevice() async throws {
      let stage = try await EnrollmentStage()
      let server = try await stage.serve()
      let code = try await stage.code()
      let enrolled = try await stage.enroll(code)
      try #require(enrolled.code == 0, "\(enrolled) \(server.complaints)")
      let settings = try stage.device.write("grampad.yaml", enrolled.output)
      let checked = try await Program.run(["check", settings])
      #expect(checked.code == 0 && checked.output.contains("id: cellar"), "\(checked)")
      let attributes = try FileManager.default.attributesOfItem(atPath: stage.credential)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let names = try FileManager.default.contentsOfDirectory(atPath: stage.device.path)
      #expect(names.sorted() == ["broker-ca.pem", "grampad.yaml", "mqtt.pem"])
      #expect(try await stage.isAccepted())
      #expect(try await !stage.isAccepted(topic: "grampad/kitchen/live"))

      try await eventually("the user of the code is removed") {
        try !String(contentsOfFile: "\(stage.broker.material)/users", encoding: .utf8).contains("enroll-cellar")
          && stage.broker.log.count(of: "Reloading config") == 2
      }
      let other = try TemporaryFolder()
      let again = try await stage.enroll(code, in: other.path)
      #expect(again.code == 77 && again.complaints.contains("did not accept the code (0x87): it may"), "\(again)")
      let wrong = try await stage.enroll("attic.AAAAAAAAAAAAAAAAAAAAAAAA", in: other.path)
      #expect(wrong.code == 77, "\(wrong)")
      for malformed in ["attic", "../attic.x", "a/b.x", "enroll-attic.x", ".x", "attic.", "attic.x.y", "a\u{7}.x"] {
        let ended = try await stage.enroll(malformed, in: other.path)
        #expect(ended.code == 65 && ended.complaints.contains("invalid code"), "\(malformed): \(ended)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(other.path)/mqtt.pem"))
    }

    /// Faults that do not go away while the command waits.
    @Test func aBrokerThatCannotBeTrustedEndsTheCommandAtOnce() async throws {
      let stage = try await EnrollmentStage()
      let folder = stage.device.path
      let text = try stage.device.write("text.pem", "no certificate\n")
      let foreign = "\(folder)/foreign.pem"
      let made = try await Program(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-subj", "/CN=other",
          "-keyout", "\(folder)/foreign.key", "-out", foreign,
        ]
      ).ended()
      try #require(made.code == 0, "\(made)")
      let authority = "\(stage.broker.material)/ca.pem"
      let cases: [(file: String?, host: String, code: Int32, words: String)] = [
        ("/nosuch/ca.pem", "localhost", 66, "cannot use '/nosuch/ca.pem': No such file or directory"),
        (text, "localhost", 65, "contains no certificate in PEM format"),
        (foreign, "localhost", 69, "the broker's certificate is not trusted"),
        (nil, "localhost", 69, "--ca-file"),
        (authority, "127.0.0.2", 69, "is not valid for '127.0.0.2'"),
      ]
      for (file, host, code, words) in cases {
        let option = file.map { ["--ca-file", $0] } ?? []
        let start = ContinuousClock.now
        let ended = try await Program.run(
          ["enroll", "cellar.AAAA", "--folder", folder, "--broker", "mqtts://\(host):\(stage.broker.port)"] + option)
        #expect(ended.code == code && ended.complaints.contains(words), "\(ended)")
        #expect(ContinuousClock.now - start < .seconds(50), "\(words)")
      }
    }

    @Test(.enabled(if: geteuid() == 0, "capabilities are those of root"))
    func theServiceHasTheCapabilitiesThatItNeeds() async throws {
      let unit = "\(SecuredBroker.sources)/../debian/grampad-fleet.grampad-enroll.service"
      let lines = try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n")
      let setting = try #require(lines.first { $0.hasPrefix("CapabilityBoundingSet=") })
      let names = setting.split(separator: "=")[1].split(separator: " ").map { $0.dropFirst("CAP_".count).lowercased() }
      let stage = try await EnrollmentStage()
      let server = try await stage.serve(capabilities: names)
      _ = try await stage.enrolled()
      try await eventually("the broker no longer knows the user of the code") {
        stage.broker.log.count(of: "Reloading config") == 2
      }
      #expect(try await stage.isAccepted())
      #expect(!server.complaints.contains("cannot"), "\(server.complaints)")
    }

    @Test func aCodeIsBoundToTheKeyOfItsFirstRequest() async throws {
      let stage = try await EnrollmentStage()
      let code = try await stage.code()
      // A device that is killed while it waits, with no server to answer.
      let killed = try stage.enrolling(code)
      let draft = stage.credential + ".next"
      try await eventually("the key is made") { FileManager.default.fileExists(atPath: draft) }
      killed.end()
      let key = try String(contentsOfFile: draft, encoding: .utf8)
      // A server that is killed after it has signed, and before it has answered.
      let request = "\(stage.device.path)/request"
      let made = try await Program("openssl", ["req", "-new", "-key", draft, "-subj", "/CN=x", "-out", request]).ended()
      try #require(made.code == 0, "\(made)")
      let signed = try await stage.broker.tool(["--code", "issue", "cellar"], input: request)
      #expect(signed.code == 0, "\(signed)")

      let server = try await stage.serve()
      let other = try TemporaryFolder()
      let thief = try await stage.enroll(code, in: other.path)
      #expect(thief.code == 77 && thief.complaints.contains("already used"), "\(thief)")
      let enrolled = try await stage.enroll(code)
      #expect(enrolled.code == 0, "\(enrolled) \(server.complaints)")
      #expect(try String(contentsOfFile: stage.credential, encoding: .utf8).hasSuffix(key), "the same key")
      #expect(try stage.issued().count == 1)
    }

    @Test func aRequestIsRepeatedUntilThereIsAServer() async throws {
      let stage = try await EnrollmentStage()
      let device = try stage.enrolling(try await stage.code())
      try await eventually("it asks") { stage.broker.log.contains("u'enroll-cellar'") }
      let server = try await stage.serve()
      let ended = try await device.ended(within: .seconds(120))
      #expect(ended.code == 0, "\(ended) \(server.complaints)")
      #expect(try stage.issued().count == 1)
    }

    @Test func certificatesThatAreExpiredForeignOrRevokedAreRefused() async throws {
      let stage = try await EnrollmentStage()
      let server = try await stage.serve()
      _ = try await stage.enrolled()
      let folder = stage.device.path
      func openssl(_ words: [String]) async throws {
        let ended = try await Program("openssl", words).ended()
        try #require(ended.code == 0, "\(words): \(ended)")
      }
      let (key, request) = ("\(folder)/key", "\(folder)/request")
      try await openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key])
      try await openssl(["req", "-new", "-key", key, "-subj", "/CN=cellar", "-out", request])
      let usage = try stage.device.write("usage", "extendedKeyUsage=clientAuth\n")
      let authority = stage.broker.material
      for (days, isValid) in [("1", true), ("-1", false)] {
        let certificate = "\(folder)/certificate"
        try await openssl([
          "x509", "-req", "-in", request, "-days", days, "-extfile", usage, "-out", certificate, "-set_serial", "7",
          "-CA", "\(authority)/ca.pem", "-CAkey", "\(authority)/ca.key",
        ])
        #expect(try await stage.isAccepted(certificate: certificate, key: key) == isValid, "\(days) days")
      }
      let foreign = "\(folder)/foreign"
      try await openssl(["req", "-x509", "-new", "-key", key, "-subj", "/CN=cellar", "-days", "1", "-out", foreign])
      #expect(try await !stage.isAccepted(certificate: foreign, key: key))
      // The certificate of the broker is from the same CA, but not for clients.
      let own = (certificate: "\(authority)/server.pem", key: "\(authority)/server.key")
      #expect(try await !stage.isAccepted(certificate: own.certificate, key: own.key, topic: "x"))

      let settings = try stage.device.write(
        "grampad.yaml",
        "device: {id: cellar}\nmqtt: {broker: \"mqtts://localhost:\(stage.broker.certificatePort)\", ca_file: broker-ca.pem, "
          + "certificate_file: mqtt.pem, key_file: mqtt.pem}\n")
      let open = try Program(
        "stdbuf", ["-oL", "mosquitto_sub", "-d", "-t", "grampad/cellar/#", "-F", "> %p"] + stage.login())
      try await eventually("it has subscribed") { open.output.contains("Subscribed (mid") }
      #expect(try await stage.isAccepted(message: "before"))
      try await eventually("it receives") { open.lines.contains("> before") }
      try await stage.broker.made("remove", "cellar")
      try await stage.broker.reload()
      #expect(try await !stage.isAccepted(message: "after"))
      let renewed = try await Program.run(["enroll", "--renew", "--config", settings])
      #expect(renewed.code == 77 && renewed.complaints.contains("did not accept the certificate ("), "\(renewed)")
      #expect(renewed.complaints.contains("alert certificate revoked"), "\(renewed)")
      // The id, given to another device.
      let other = try TemporaryFolder()
      let enrolled = try await stage.enroll(stage.code(), in: other.path)
      #expect(enrolled.code == 0, "\(enrolled) \(server.complaints)")
      let new = "\(other.path)/mqtt.pem"
      #expect(try await stage.isAccepted(certificate: new, key: new, message: "new"))
      #expect(try await !stage.isAccepted())
      #expect(!open.lines.contains("> after"))
    }

    @Test func anExpiredCodeIsRefused() async throws {
      let stage = try await EnrollmentStage()
      let server = try await stage.serve()
      let code = try await stage.code()
      try Data("1000000000\n".utf8).write(to: URL(fileURLWithPath: "\(stage.broker.material)/invitations/cellar"))
      let ended = try await stage.enroll(code)
      #expect(ended.code == 77 && ended.complaints.contains("has expired"), "\(ended) \(server.complaints)")
      // The next invitation removes the user.
      _ = try await stage.code(of: "attic")
      let again = try await stage.enroll(code)
      #expect(again.code == 77 && again.complaints.contains("did not accept"), "\(again)")
    }
  }
}
