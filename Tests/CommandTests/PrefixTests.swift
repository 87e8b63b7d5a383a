import Foundation
import Testing

/// Two scales with the same `device.id` below two prefixes at one broker.
@Suite struct PrefixTests {
  @Test func scalesWithOneIdStayApart() async throws {
    let broker = try await Broker()
    let folder = try TemporaryFolder()
    let scales = try ["grampad", "lab"].map { prefix in
      let path = try folder.write(
        "\(prefix).yaml",
        """
        device: {id: kitchen}
        pad: {device: simulated}
        mqtt: {broker: "mqtt://127.0.0.1:\(broker.port)", prefix: \(prefix)}
        dashboard: {enabled: false}
        journal: {path: \(folder.path)/\(prefix).db}
        """)
      return try Program.grampad(["run", "--config", path])
    }
    let listed = try Program(
      Program.find("mosquitto_sub"),
      ["-p", "\(broker.port)", "-t", "+/kitchen/availability", "-t", "homeassistant/device/+/config", "-F", "%t"])
    let expected: Set = [
      "grampad/kitchen/availability", "lab/kitchen/availability", "homeassistant/device/kitchen/config",
      "homeassistant/device/lab_kitchen-9915007b/config",
    ]
    try await eventually("both announce themselves") { Set(listed.lines) == expected }
    for name in ["grampad-kitchen", "grampad-lab/kitchen"] {
      #expect(broker.log.components(separatedBy: "as \(name) (").count == 2, "one connection of \(name)")
    }
    for program in scales + [listed] { program.end() }
  }

  /// A card that was copied with its journal, and got an id of its own.
  @Test func aJournalOfAnotherDeviceIsNamed() async throws {
    let broker = try await Broker()
    let first = try await RunningScale(broker, extra: "device: {id: kitchen}")
    let listed = try Program(
      Program.find("mosquitto_sub"), ["-p", "\(broker.port)", "-t", "grampad/+/health", "-F", "%t %p"])
    try await eventually("the journal is there") {
      listed.lines.contains {
        $0.hasPrefix("grampad/kitchen/health") && $0.contains(#""journal":{"state":"available""#)
      }
    }
    first.program.send(SIGTERM)
    _ = try await first.program.ended()
    #expect(!first.program.complaints.contains("another device"))
    let copy = try await RunningScale(broker, extra: "device: {id: copy}") { folder in
      try FileManager.default.copyItem(atPath: first.journal, toPath: "\(folder.path)/grampad.db")
    }
    try await eventually("the log says so") { copy.program.complaints.contains("made under device.id kitchen") }
    try await eventually("health says so") {
      listed.lines.contains {
        $0.hasPrefix("grampad/copy/health") && $0.contains(#""warning":"the journal was made under device.id kitchen;"#)
      }
    }
    for program in [copy.program, listed] { program.end() }
  }
}
