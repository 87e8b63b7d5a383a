import Foundation
import Synchronization
import Testing

/// What a subscriber of a broker gets, by mosquitto_sub.
final class Listener: Sendable {
  /// One message.
  struct Message: Sendable {
    var isRetained: Bool
    var quality: Int
    /// When it came.
    var arrival: Date
    /// Below the appliance's.
    var topic: String
    var payload: String

    /// A line of mosquitto_sub; `nil` for what it says about itself.
    fileprivate init?(line: String) {
      let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
      guard parts.count == 6, parts[0] == ">", parts[4].hasPrefix(Listener.base) else { return nil }
      isRetained = parts[1] == "1"
      quality = Int(parts[2]) ?? -1
      arrival = Date(timeIntervalSince1970: Double(parts[3]) ?? 0)
      topic = String(parts[4].dropFirst(Listener.base.count))
      payload = String(parts[5])
    }

    /// A value of a JSON payload.
    func callAsFunction(_ path: String...) -> Any? { value(in: payload, path) }

    /// The time of a JSON payload.
    var time: Date? {
      (self("time") as? String).flatMap { try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0) }
    }
  }

  /// The number of messages on a topic so far.
  func count(of topic: String) -> Int { messages(topic).count }

  private let program: Program
  private let heard = Mutex(Heard())
  private static let base = "grampad/grampad/"

  /// The messages by topic, of so many lines.
  private struct Heard {
    var messages: [String: [Message]] = [:]
    var lines = 0
  }

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
    heard.withLock { heard in
      let lines = program.lines
      for line in lines.dropFirst(heard.lines) {
        guard let message = Message(line: line) else { continue }
        heard.messages[message.topic, default: []].append(message)
      }
      heard.lines = lines.count
      return heard.messages[topic] ?? []
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
