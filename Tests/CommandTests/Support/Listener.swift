import Foundation
import Testing

/// What a subscriber of a broker gets, by mosquitto_sub.
final class Listener: Sendable {
  /// One message.
  struct Message {
    var isRetained: Bool
    var quality: Int
    /// When it came.
    var arrival: Date
    /// Below the appliance's.
    var topic: String
    var payload: String

    /// A value of a JSON payload.
    func callAsFunction(_ path: String...) -> Any? { value(in: payload, path) }

    /// The time of a JSON payload.
    var time: Date? {
      (self("time") as? String).flatMap { try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0) }
    }
  }

  /// Returns the number of messages on a topic, without parsing them.
  func count(of topic: String) -> Int {
    program.output.split(separator: "\n").count {
      $0.split(separator: " ", maxSplits: 5).dropFirst(4).first.map { $0 == Self.base + topic } ?? false
    }
  }

  private let program: Program
  private static let base = "grampad/grampad/"

  /// Subscribes to everything of the appliance and waits until that is in force.
  init(_ port: UInt16) async throws {
    program = try Program(
      // By the line: otherwise it says nothing until the first message.
      "stdbuf",
      [
        "-oL", "mosquitto_sub", "-d", "-h", "127.0.0.1", "-p", "\(port)", "-V", "5", "-q", "1", "-t", "\(Self.base)#",
        "-F", "> %r %q %U %t %p",
      ])
    let program = program
    try await eventually("subscribed") { program.output.contains("Subscribed (mid") }
  }

  /// All messages so far, of one topic.
  func messages(_ topic: String) -> [Message] {
    program.lines.compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 6, parts[0] == ">", parts[4] == Self.base + topic else { return nil }
      return Message(
        isRetained: parts[1] == "1", quality: Int(parts[2]) ?? -1,
        arrival: Date(timeIntervalSince1970: Double(parts[3]) ?? 0), topic: topic, payload: parts[5])
    }
  }

  /// The newest payload of a topic.
  func last(_ topic: String) -> String? { messages(topic).last?.payload }

  func end() { program.end() }
}

/// A value of a JSON text.
func value(in json: String, _ path: [String]) -> Any? {
  var value = try? JSONSerialization.jsonObject(with: Data(json.utf8))
  for key in path { value = (value as? [String: Any])?[key] }
  return value
}
