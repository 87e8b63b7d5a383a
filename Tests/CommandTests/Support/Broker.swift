import Foundation
import FreePorts
import Synchronization
import Testing

/// A real mosquitto on a free loopback port, with an empty store at each start.
final class Broker: Sendable {
  let port: UInt16
  private let folder: TemporaryFolder
  private let hasAccessList: Bool
  private let queue: Int
  private let logsPackets: Bool
  private let process: Mutex<Program?>

  ///
  /// - Parameters:
  ///   - access: The lines of an access control list; `nil` to allow everything.
  ///   - queue: Maximum number of messages that are queued for a subscriber. Never 0 (unlimited): mosquitto 2.0.11 then closes the
  ///     connection of a client when an access control list denies its message.
  ///   - logsPackets: Whether it logs each packet, for `payloadSizes`.
  init(access: String? = nil, queue: Int = 1_000_000, logsPackets: Bool = false) async throws {
    (self.queue, self.logsPackets) = (queue, logsPackets)
    folder = try TemporaryFolder()
    hasAccessList = access != nil
    if let access { try folder.write("access", access) }
    port = FreePort.any()
    process = Mutex(nil)
    try await start()
  }

  deinit { end() }

  /// Restarts the broker on the same port.
  func start() async throws {
    var text = "user root\nlistener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\n"
    text += "max_queued_messages \(queue)\n"
    if logsPackets { text += "log_type all\n" }
    if hasAccessList { text += "acl_file \(folder.path)/access\n" }
    // The threads of the tests block signals, and children inherit that: mosquitto would not hear of SIGHUP.
    let program = try Program(
      "env", ["--default-signal=HUP", Program.find("mosquitto"), "-c", folder.write("mosquitto.conf", text)])
    process.withLock { $0 = program }
    try await eventually("mosquitto listens") { FreePort.isTaken(port) }
  }

  /// Replaces the access control list.
  func allow(_ access: String) async throws {
    try folder.write("access", access)
    send(SIGHUP)
    // The broker logs this before it reloads, and serves no client in between.
    try await eventually("the list is in force") {
      log.contains("Reloading config")
    }
  }

  /// What it has logged since its start.
  var log: String { process.withLock { $0?.complaints ?? "" } }

  /// The sizes of the payloads that it has received on a topic since its start, in bytes.
  func payloadSizes(_ topic: String) -> [Int] {
    log.split(separator: "\n").compactMap { line in
      guard line.contains("Received PUBLISH"), let end = line.range(of: "'\(topic)', ... (")?.upperBound else {
        return nil
      }
      return Int(line[end...].prefix { $0.isNumber })
    }
  }

  func send(_ signal: Int32) { process.withLock { $0?.send(signal) } }

  /// Kills the broker.
  func end() { process.withLock { $0?.end() } }
}
