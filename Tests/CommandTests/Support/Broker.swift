import Foundation
import Synchronization
import Testing

/// A real mosquitto on a free loopback port, with an empty store at each start.
final class Broker: Sendable {
  let port: UInt16
  private let folder: TemporaryFolder
  private let process: Mutex<Program?>

  init() async throws {
    folder = try TemporaryFolder()
    port = try FreePort.any()
    process = Mutex(nil)
    try await start()
  }

  deinit { end() }

  /// Starts it again, on the same port.
  func start() async throws {
    let text = "user root\nlistener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\n"
    let program = try Program("mosquitto", ["-c", folder.write("mosquitto.conf", text)])
    process.withLock { $0 = program }
    try await eventually("mosquitto listens") { FreePort.isTaken(port) }
  }

  func send(_ signal: Int32) { process.withLock { $0?.send(signal) } }

  /// Kills it.
  func end() { process.withLock { $0?.end() } }
}
