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
}
