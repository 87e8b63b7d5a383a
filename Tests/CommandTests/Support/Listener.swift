import Foundation
import Testing

/// What a subscriber of a broker gets, by mosquitto_sub.
final class Listener: Sendable {
  /// One message.
  struct Message {
    var isRetained: Bool
    var quality: Int
    /// Below the appliance's.
    var topic: String
    var payload: String

    /// A value of a JSON payload.
    func callAsFunction(_ path: String...) -> Any? {
      var value = try? JSONSerialization.jsonObject(with: Data(payload.utf8))
      for key in path { value = (value as? [String: Any])?[key] }
      return value
    }

    /// The time of a JSON payload.
    var time: Date? {
      (self("time") as? String).flatMap { try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0) }
    }
  }

  private let program: Program
  private static let base = "grampad/grampad/"

  /// Subscribes to everything of the appliance and waits until that is in force.
  init(_ port: UInt16) async throws {
    program = try Program(
      "mosquitto_sub",
      ["-d", "-h", "127.0.0.1", "-p", "\(port)", "-V", "5", "-q", "1", "-t", "\(Self.base)#", "-F", "> %r %q %t %p"])
    let program = program
    try await eventually("subscribed") { program.output.contains("Subscribed (mid") }
  }

  /// All messages so far, of one topic.
  func messages(_ topic: String) -> [Message] {
    program.lines.compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 5, parts[0] == ">", parts[3] == Self.base + topic else { return nil }
      return Message(isRetained: parts[1] == "1", quality: Int(parts[2]) ?? -1, topic: topic, payload: parts[4])
    }
  }

  /// The newest payload of a topic.
  func last(_ topic: String) -> String? { messages(topic).last?.payload }

  func end() { program.end() }
}
