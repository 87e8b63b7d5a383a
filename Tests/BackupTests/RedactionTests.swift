import Configuration
import Foundation
import Testing

@testable import Backup

/// What leaves the machine with a report.
@Suite struct RedactionTests {
  @Test(arguments: [
    ("a password", "the log says geheim-42 twice: geheim-42.", "the log says [redacted] twice: [redacted]."),
    ("in JSON", #"{"p":"say \"geheim\"\\now"}"#, #"{"p":"[redacted]"}"#),
    ("in a URL", "x?p=say%20%22geheim%22%5Cnow", "x?p=[redacted]"),
    ("in Base64", Data("geheim-42".utf8).base64EncodedString(), "[redacted]"),
    ("a short one alone", "pin is abc, alphabcd is not", "pin is [redacted], alphabcd is not"),
    ("user of a URL", "mqtts://me:pw@host:8883 me@home", "mqtts://[redacted]@host:8883 me@home"),
    ("nothing", "http://host/a@b and 73 g", "http://host/a@b and 73 g"),
  ]) func leavesOut(_ name: String, _ text: String, _ expected: String) {
    let redaction = Redaction(["geheim-42", "say \"geheim\"\\now", "abc", ""])
    #expect(String(decoding: redaction(Array(text.utf8)), as: UTF8.self) == expected, "\(name)")
  }

  @Test func leavesOtherBytesAsTheyAre() {
    let bytes: [UInt8] = [0xff, 0, 0x80] + Array("geheim-42".utf8) + [0xfe]
    #expect(Redaction(["geheim-42"])(bytes) == [0xff, 0, 0x80] + Array("[redacted]".utf8) + [0xfe])
  }

  @Test func secretsAreFoundWhereTheyAre() throws {
    let folder = try TestFolder()
    try folder.write("password", Array("first line\nsecond line\n".utf8))
    try folder.write("token", Array("0123456789abcdef\n".utf8))
    let line = String(repeating: "k", count: 64)
    try folder.write("key.pem", Array("-----BEGIN PRIVATE KEY-----\n\(line)\n-----END PRIVATE KEY-----\n".utf8))
    try folder.write("environment", Array("GRAMPAD_MQTT_PASSWORD='from a file'\nOTHER=x\n".utf8))
    var configuration = Configuration()
    configuration.mqtt.passwordFile = "password"
    configuration.mqtt.keyFile = "key.pem"
    configuration.dashboard.tokenFile = "token"
    let service = ServiceEnvironment(
      """
      Environment=A=b GRAMPAD_DASHBOARD_TOKEN=token-of-the-unit "GRAMPAD_MQTT_PASSWORD=two words"
      EnvironmentFiles=\(folder.file("environment")) (ignore_errors=no)
      """)
    let secrets = KnownSecrets(configuration, folder: folder.path, service: service)
    for value in [
      "first line", "second line", "0123456789abcdef", line, "token-of-the-unit", "two words", "from a file",
    ] {
      #expect(secrets.values.contains(value), "\(value)")
    }
    #expect(secrets.unread.isEmpty)
  }

  @Test func theConfigurationIsSharedWithoutWhatIsPrivate() throws {
    let yaml = """
      mqtt: {broker: "mqtts://broker.example.org", username: alice}
      actions: [{type: beans, title: Beans, user_info: {label: for Bob, hook: 5}}]
      """
    let shared = try Configuration.parse(yaml).shareableYAML
    for word in ["alice", "Bob", "hook: 5"] { #expect(!shared.contains(word), "\(word)") }
    for word in ["broker.example.org", "beans", "Beans", "hook:"] { #expect(shared.contains(word), "\(word)") }
  }
}
