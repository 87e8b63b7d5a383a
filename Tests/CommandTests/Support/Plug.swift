import Foundation
import Testing

/// What a plug receives: a subscriber written by others, to the topics below `plug/`.
final class Plug: Sendable {
  private let program: Program

  /// Subscribes and waits until that is in force.
  init(_ port: UInt16) async throws {
    program = try Program(
      "stdbuf",
      [
        "-oL", "mosquitto_sub", "-d", "-h", "127.0.0.1", "-p", "\(port)", "-V", "5", "-q", "1", "-t", "plug/#", "-F",
        "> %t %p %q %r",
      ])
    let program = program
    try await eventually("the plug has subscribed") { program.output.contains("Subscribed (mid") }
  }

  /// The payloads of an output so far. Each has come with QoS 1 and is not retained.
  func switched(_ name: String = "mill") -> [String] {
    program.lines.filter { $0.hasPrefix("> plug/\(name) ") }.map { line in
      let words = line.split(separator: " ")
      return words.count == 5 && words[3...] == ["1", "0"] ? String(words[2]) : String(line)
    }
  }

  /// The configuration of outputs with these names.
  static func outputs(_ names: String..., topic: String? = nil) -> String {
    "outputs: [\(names.map { "{name: \($0), topic: plug/\(topic ?? $0)}" }.joined(separator: ", "))]"
  }
}

extension Stage {
  /// Starts a dose that no load ends by reaching its target.
  func startDose(_ plug: Plug, _ name: String = "mill") async throws {
    let answer = try await command("dose", #","output":"\#(name)","target_g":380"#)
    #expect(answer("ok") as? Bool == true, "\(answer.payload)")
    try await eventually("the plug is switched on") { plug.switched(name).contains("ON") }
  }

  /// The reasons for which doses have ended.
  var ends: [String] {
    listener.messages("event").filter { $0("type") as? String == "dosed" }.compactMap { $0("reason") as? String }
  }
}
