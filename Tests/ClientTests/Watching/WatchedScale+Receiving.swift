import Messages
import Terminal

@testable import Client
@testable import GoldenCases
@testable import Weighing

/// A watched scale that receives messages without a broker.
extension WatchedScale {
  static let testTopics = Topics(prefix: "grampad", id: "kitchen")
  static let begin = Instant(nanoseconds: 1_000_000_000_000)

  /// A scale that has received messages.
  init(_ messages: [(Topic, String)]) {
    self.init(topics: Self.testTopics, heartbeat: .seconds(5))
    setConnection(.up("mqtt://h:1883"), at: Self.begin)
    for (topic, text) in messages { receive(topic, text) }
  }

  /// Receives a message.
  ///
  /// - Parameter name: The last level of the topic, if it has one of its own.
  mutating func receive(_ topic: Topic, _ text: String, name: String? = nil, isRetained: Bool = false) {
    let topic = Self.testTopics(topic) + (name.map { "/" + $0 } ?? "")
    update(with: IncomingMessage(topic: topic, payload: Array(text.utf8), isRetained: isRetained), at: Self.begin)
  }

  /// The lines of the screen without colours.
  func picture(
    _ columns: Int = 80, _ rows: Int = 24, isUTF8: Bool = true, after time: Interval = .zero
  ) -> [String] {
    let style = TerminalStyle(isUTF8: isUTF8, hasColour: true)
    return WatchScreen.lines(self, columns: columns, rows: rows, style, at: Self.begin + time)
      .map { $0.replacing(/\x{1b}\[[0-9;]*m/, with: "") }
  }

  /// The messages of a golden case.
  static func recorded(_ name: String) throws -> [(Topic, String)] {
    let lines = try String(decoding: GoldenCase.named(name).replayed(), as: UTF8.self).split(separator: "\n")
    return try lines.compactMap { line -> (Topic, String)? in
      let message = try JSONValue(Array(line.utf8), maximumBytes: 1 << 16)
      guard let topic = message["topic"]?.text.flatMap(Topic.init), let payload = message["payload"] else { return nil }
      if let text = payload.text { return (topic, text) }
      var writer = JSONWriter()
      writer.value(payload)
      return (topic, String(decoding: writer.bytes, as: UTF8.self))
    }
  }
}
