import Foundation
import Testing

extension Secured {
  /// Hostile devices, requests and answers of `grampad enroll`.
  @Suite struct EnrollAttackTests {
    /// Publishes on a topic as the device; whether the broker permits it.
    @discardableResult
    private func publish(_ stage: EnrollmentStage, _ topic: String, _ more: [String]) async throws -> Bool {
      let ended = try await Program(
        "mosquitto_pub", stage.login() + ["-d", "-q", "1", "-t", topic] + more
      ).ended()
      return ended.output.contains("PUBACK") && !ended.output.contains("RC:135")
    }

    @Test func aDeviceActsOnlyForItself() async throws {
      let stage = try await EnrollmentStage()
      let server = try await stage.serve()
      _ = try await stage.enrolled()
      for topic in [
        "enroll/kitchen/renewal", "enroll/kitchen/installed", "enroll/kitchen/code", "enroll/cellar/code",
        "enroll/cellar/answer/1", "enroll/kitchen/answer/1", "enroll/../renewal", "enroll/enroll-cellar/renewal",
        "enroll/cellar/renewal/x", "enroll//renewal",
      ] {
        #expect(try await !publish(stage, topic, ["-m", "x"]), "\(topic)")
      }
      // A new code, for example for a replacement of this device, is not removed by a report of this device.
      let code = try await stage.code()
      let spy = try Program(
        "stdbuf", ["-oL", "mosquitto_sub", "-d", "-t", "enroll/#", "-F", "> %t"] + stage.login())
      try await eventually("it has subscribed") { spy.output.contains("Subscribed (mid") }
      #expect(try await publish(stage, "enroll/cellar/installed", ["-n"]))
      #expect(try await publish(stage, "enroll/cellar/renewal", ["-m", "x"]))
      try await eventually("the report, and then the request, are handled") {
        server.complaints.contains("the certificate request is invalid")
      }
      let other = try TemporaryFolder()
      let enrolled = try await stage.enroll(code, in: other.path)
      #expect(enrolled.code == 0, "\(enrolled)")
      try await eventually("its own answer") { spy.lines.contains { $0.hasPrefix("> enroll/cellar/answer/") } }
      // The answers to its own id, and neither codes nor requests.
      #expect(spy.lines.filter { $0.hasPrefix("> ") }.allSatisfy { $0.hasPrefix("> enroll/cellar/answer/") })
    }

    @Test func hostileRequestsAreRefusedAndHoldUpNothing() async throws {
      let stage = try await EnrollmentStage()
      let server = try await stage.serve()
      _ = try await stage.enrolled()
      let folder = stage.device
      let (key, request) = ("\(folder.path)/rsa", "\(folder.path)/request")
      for words in [
        ["genrsa", "-out", key, "2048"], ["req", "-new", "-key", key, "-subj", "/CN=prime256v1", "-out", request],
      ] {
        let ended = try await Program("openssl", words).ended()
        try #require(ended.code == 0, "\(ended)")
      }
      let trap = "\(folder.path)/trap"
      let payloads = try [
        folder.write("empty", ""), folder.write("long", String(repeating: "A", count: 100_000)),
        folder.write("limit", String(repeating: "-----BEGIN CERTIFICATE REQUEST-----\n", count: 113)),
        folder.write("shell", "$(touch \(trap))`touch \(trap)`;touch \(trap)\n"), request,
      ]
      for payload in payloads {
        #expect(try await publish(stage, "enroll/cellar/renewal", ["-f", payload]), "\(payload)")
      }
      #expect(try await publish(stage, "enroll/cellar/renewal", ["-r", "-m", "retained"]))
      try await eventually("the last one that is valid") { server.complaints.contains("not for a P-256 key") }
      #expect(!FileManager.default.fileExists(atPath: trap))
      // A flood of one device: at most one of its requests waits.
      let flood = try Program(
        "sh",
        ["-c", "seq 1 3000 | exec mosquitto_pub \"$@\"", "sh"] + stage.login() + [
          "-q", "1", "-l", "-t", "enroll/cellar/renewal",
        ])
      let other = try TemporaryFolder()
      let enrolled = try await stage.enroll(stage.code(of: "attic"), in: other.path)
      #expect(enrolled.code == 0, "\(enrolled)")
      flood.end()
      #expect(server.isRunning)
      #expect(try stage.issued().count == 2)
    }

    @Test func aDeviceCannotFillTheRecordsOfTheAuthority() async throws {
      let stage = try await EnrollmentStage()
      let server = try await stage.serve()
      let settings = try await stage.device.write("grampad.yaml", stage.enrolled())
      for number in 2...9 {
        let ended = try await Program.run(["enroll", "--renew", "--config", settings])
        #expect(ended.code == (number < 9 ? 0 : 77), "\(number): \(ended)")
        if number == 9 { #expect(ended.complaints.contains("8 valid certificates"), "\(ended)") }
      }
      #expect(try stage.issued().count == 8)
      #expect(try await stage.isAccepted(), "the present certificate still works")
      #expect(server.isRunning)
    }

    /// An answer that the server would not give.
    struct Answer: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let text: String
      let code: Int32
      let words: String
    }

    @Test(arguments: [
      Answer(testDescription: "not JSON", text: "certificate", code: 65, words: "invalid"),
      Answer(testDescription: "another key", text: answer("cellar", "mqtts://h:1"), code: 65, words: "invalid"),
      Answer(testDescription: "another id", text: answer("attic", "mqtts://h:1"), code: 65, words: "invalid"),
      Answer(testDescription: "no TLS", text: answer("cellar", "mqtt://h:1"), code: 65, words: "invalid"),
      Answer(testDescription: "nested", text: String(repeating: "[", count: 9000), code: 65, words: "invalid"),
      Answer(
        testDescription: "control characters", text: #"{"error": "\u001b[2Jx\u0007"}"#, code: 77, words: #"\u{1B}[2Jx"#),
    ])
    func aWrongAnswerInstallsNothing(_ answer: Answer) async throws {
      let stage = try await EnrollmentStage()
      // With the stolen password of the server.
      let requests = try Program(
        "stdbuf",
        ["-oL", "mosquitto_sub", "-d", "-q", "1", "-t", "enroll/+/code", "-F", "> %x"] + stage.broker.login("ca"))
      try await eventually("it has subscribed") { requests.output.contains("Subscribed (mid") }
      let device = try stage.enrolling(try await stage.code())
      try await eventually("the request") { requests.lines.contains { $0.hasPrefix("> ") } }
      let hexadecimal = try #require(requests.lines.first { $0.hasPrefix("> ") }).dropFirst(2)
      let topic = "enroll/cellar/answer/\(String(Self.fnv1a(hexadecimal), radix: 16))"
      let payload = try stage.device.write("answer", answer.text)
      let words = try stage.broker.login("ca") + ["-q", "1", "-t", topic, "-f", payload]
      #expect(try await Program("mosquitto_pub", words).ended().code == 0)
      let ended = try await device.ended(within: .seconds(120))
      #expect(ended.code == answer.code && ended.complaints.contains(answer.words), "\(ended)")
      #expect(ended.output.isEmpty && !FileManager.default.fileExists(atPath: stage.credential))
    }

    /// An answer with a certificate for another key.
    private static func answer(_ id: String, _ broker: String) -> String {
      #"{"id": "\#(id)", "brokers": ["\#(broker)"], "prefix": "grampad", "certificate": "\#(foreign)"}"#
    }

    /// Made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj /CN=cellar -days 36500`.
    private static let foreign = [
      "-----BEGIN CERTIFICATE-----",
      "MIIBeTCCAR+gAwIBAgIUbauyur8FPVH5UU+tFthsNZRf1t8wCgYIKoZIzj0EAwIw",
      "ETEPMA0GA1UEAwwGY2VsbGFyMCAXDTI2MTEyMzE0MzQ1NFoYDzIxMjYxMDMwMTQz",
      "NDU0WjARMQ8wDQYDVQQDDAZjZWxsYXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC",
      "AAQgIXthBop0lVB0C0A3l3NLkaxnDYO9+ZDnmYuUvLbSc/KNr67cMFIOeuZb1fnC",
      "vbRoS5tw2Y7gWWj+L7M6dPtLo1MwUTAdBgNVHQ4EFgQUdCwLQinE+b8ZHYaVAzZm",
      "S4EQO3gwHwYDVR0jBBgwFoAUdCwLQinE+b8ZHYaVAzZmS4EQO3gwDwYDVR0TAQH/",
      "BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA2tvutXVWjaFkNOMVxRneZuCCyN0Y",
      "UW2QETkEamtUtdwCIG9AXali1uT8uTsMH2Xsrr2pOL/iBIneeKKiov5yAjud",
      "-----END CERTIFICATE-----",
    ].map { $0 + #"\n"# }.joined()

    /// The 64-bit FNV-1a hash of bytes in hexadecimal.
    private static func fnv1a(_ hexadecimal: Substring) -> UInt64 {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      var rest = hexadecimal
      while let byte = UInt8(rest.prefix(2), radix: 16) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        rest = rest.dropFirst(2)
      }
      return hash
    }

    @Test(arguments: ["invite", "issue", "withdraw", "installed", "add-device", "remove", "password"])
    func namesArePartsOfNoPath(_ command: String) async throws {
      let stage = try await EnrollmentStage()
      let victim = try stage.device.write("victim", "1")
      for name in [
        "..", ".", "../victim", "a/b", "/etc/passwd", "a b", "a\nb", "a.b", "+", "#", "enroll-attic", "ä", "",
      ] {
        let ended = try await stage.broker.tool([command, name])
        #expect([64, 66].contains(ended.code), "\(name): \(ended)")
      }
      #expect(FileManager.default.fileExists(atPath: victim))
      let users = try String(contentsOfFile: "\(stage.broker.material)/users", encoding: .utf8)
      #expect(users.split(separator: "\n").count == 7, "\(users)")
    }
  }
}
