import Foundation
import Testing

/// `devices` and `record` with the devices of this machine.
@Suite struct DeviceCommandTests {
  @Test func listsDevices() async throws {
    let table = try await Program.run(["devices"])
    #expect(!table.complaints.isEmpty, "what auto picks, or why it picks none")
    let list = try await Program.run(["devices", "--json"])
    #expect(list.complaints.isEmpty)
    let entries = try #require(try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
    for ended in [table, list] { #expect(ended.code == (entries.isEmpty ? 66 : 0), "\(ended.complaints)") }
    for entry in entries {
      #expect(entry["path"] is String)
      #expect((entry["can_weigh"] as? Bool == true) || entry["reason"] is String)
      let measures = try #require(entry["measures"] as? String)
      #expect(["force", "area", "unknown"].contains(measures))
      #expect(measures == "unknown" || entry["measures_reason"] is String)
      #expect((entry["can_scan"] as? Bool == true) != entry["scan_reason"] is String)
    }
    #expect(entries.count { $0["chosen"] as? Bool == true } <= 1)
  }

  /// The layouts of the machine, not those that the environment names.
  @Test(arguments: [("us", Int32(0)), ("de(nodeadkeys)", 0), ("nosuch", 78), ("us,de", 78)])
  func checkKnowsTheLayouts(layout: String, code: Int32) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "scanners: [{device: {name: Reader}, layout: '\(layout)'}]\n")
    let ended = try await Program.run(["check", path], environment: ["XKB_DEFAULT_LAYOUT": "de"])
    #expect(ended.code == code && ended.output.isEmpty == (code != 0), "\(ended)")
    #expect(ended.complaints.contains(code == 0 ? "valid" : "no keyboard layout \(layout)"), "\(ended.complaints)")
  }

  @Test(arguments: [
    (["--udev", "/dev/input/no-such"], Int32(66), "/dev/input/no-such"),
    (["--udev", "No Such Pad"], 66, "No Such Pad"),
    (["--udev", "x", "--json"], 64, "--udev"),
  ]) func printsNoRule(words: [String], code: Int32, complaint: String) async throws {
    let ended = try await Program.run(["devices"] + words)
    #expect(ended.code == code)
    #expect(ended.output.isEmpty)
    #expect(ended.complaints.contains(complaint), "\(ended.complaints)")
  }

  @Test(arguments: ["/dev/input/no-such", "/dev/null"]) func recordsNoSuchDevice(_ device: String) async throws {
    let folder = try TemporaryFolder()
    let ended = try await Program.run(["record", device, "-o", "\(folder.path)/press.evemu"])
    #expect(ended.code == 66)
    #expect(ended.output.isEmpty)
    #expect(ended.complaints.hasPrefix("grampad: "))
    #expect(ended.complaints.contains(device), "\(ended.complaints)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/press.evemu"))
  }
}
