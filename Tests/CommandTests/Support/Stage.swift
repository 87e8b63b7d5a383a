import Foundation
import Testing

/// A running appliance, its broker and a subscriber to all its topics.
struct Stage {
  let broker: Broker
  let scale: RunningScale
  let listener: Listener

  /// Starts all three and waits for the first reading.
  init(
    _ broker: Broker? = nil, pad: String = RunningScale.show, extra: String = "", arguments: [String] = [],
    prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) async throws {
    if let broker { self.broker = broker } else { self.broker = try await Broker() }
    listener = try await Listener(self.broker.port)
    scale = try await RunningScale(self.broker, pad: pad, extra: extra, arguments: arguments, prepare: prepare)
    let listener = listener
    try await eventually("the appliance runs") { listener.last("live") != nil }
  }

  /// Combines a running appliance with another subscriber.
  init(_ broker: Broker, _ scale: RunningScale, _ listener: Listener) {
    (self.broker, self.scale, self.listener) = (broker, scale, listener)
  }

  /// The arguments of mosquitto_pub to publish to a topic of the appliance.
  func publication(_ topic: String, _ more: [String]) -> [String] {
    ["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", "grampad/grampad/\(topic)"] + more
  }

  /// Publishes a message and waits until the broker has received it.
  func publish(_ topic: String, _ more: [String]) async throws {
    let ended = try await Program("mosquitto_pub", publication(topic, more)).ended()
    #expect(ended.code == 0, "\(ended.complaints)")
  }

  func result(_ correlation: String, _ topic: String = "result") -> Listener.Message? {
    listener.messages(topic).first { $0("correlation") as? String == correlation }
  }

  func types() -> [String] { listener.messages("event").compactMap { $0("type") as? String } }

  /// A value of the newest health report.
  func health(_ section: String, _ key: String) -> Any? { listener.messages("health").last?(section, key) }

  /// Waits for a stable load.
  func settle() async throws {
    let count = listener.messages("stable").count
    try await eventually("a settled load") { listener.messages("stable").count > count }
  }

  /// The show goes on: what cannot be weighed at this moment is tried again.
  private static let passing: Set<String> = ["empty", "unstable", "overload", "below_minimum"]

  /// Commands something until the load lets it be done or another reason stands against it; returns the answer.
  ///
  /// - Parameter fields: More of the payload, `,"label":"beans"`.
  func command(_ name: String = "commit", _ fields: String = "") async throws -> Listener.Message {
    while true {
      try await eventually("a load at rest") { listener.messages("live").last?("state") as? String == "stable" }
      let token = UUID().uuidString
      try await publish("command/\(name)", ["-m", #"{"correlation":"\#(token)"\#(fields)}"#])
      try await eventually("an answer to \(name)") { result(token) != nil }
      let answer = try #require(result(token))
      if !Self.passing.contains(answer("reason") as? String ?? "") { return answer }
    }
  }

  /// The same from a terminal.
  func call(_ arguments: [String]) async throws -> Program.Ended {
    while true {
      try await eventually("a load at rest") { listener.messages("live").last?("state") as? String == "stable" }
      let ended = try await Program.run(arguments + ["--config", scale.path])
      if !Self.passing.contains(value(in: ended.output, ["reason"]) as? String ?? "") { return ended }
    }
  }

  /// The identifiers and numbers in the journal, read as the appliance runs.
  func history() async throws -> [(id: String, sequence: Int)] { try await recorded(in: scale.journal) }
}

/// The identifiers and numbers in a journal.
func recorded(in journal: String) async throws -> [(id: String, sequence: Int)] {
  let ended = try await Program.run(["history", "--json", "--journal", journal])
  try #require(ended.code == 0, "\(ended.complaints)")
  let list = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [[String: Any]] ?? []
  return list.map { ($0["id"] as? String ?? "", $0["sequence"] as? Int ?? 0) }
}
