import Foundation
import Testing

/// What a user of a secured broker gets to see, by mosquitto_sub.
final class SecuredListener: Sendable {
  private let program: Program
  /// Its client identifier.
  let id = "listener-\(UUID().uuidString)"

  /// Subscribes as a user and waits until that is in force.
  init(_ broker: SecuredBroker, as user: String, to filters: [String], version: String = "5") async throws {
    program = try Program(
      "stdbuf",
      ["-oL", "mosquitto_sub", "-d", "-i", id, "-q", "1", "-F", "> %t %p"] + broker.login(user, version: version)
        + filters.flatMap { ["-t", $0] })
    let program = program
    try await eventually("\(user) has subscribed") { program.output.contains("Subscribed (mid") }
  }

  /// The payloads of a topic so far.
  func payloads(_ topic: String) -> [String] {
    program.lines.filter { $0.hasPrefix("> \(topic) ") }.map { String($0.dropFirst(topic.count + 3)) }
  }

  /// All topics so far.
  var topics: Set<String> {
    Set(
      program.lines.filter { $0.hasPrefix("> ") }.compactMap {
        $0.split(separator: " ").dropFirst().first.map(String.init)
      })
  }

  func send(_ signal: Int32) { program.send(signal) }

  /// Everything so far.
  var text: String { program.output }

  func end() { program.end() }
}
