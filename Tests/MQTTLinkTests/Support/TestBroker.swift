import Foundation
import FreePorts
import Messages
import Synchronization
import Testing

@testable import MQTTLink

/// A real mosquitto on a free loopback port, with an empty store at each start.
final class TestBroker: Sendable {
  let port: UInt16
  private let configuration: String
  private let folder: TemporaryFolder
  private let process: Mutex<ChildProcess?>

  /// Starts a broker; `lines` are added to its configuration, after the listener.
  init(_ lines: [String] = ["allow_anonymous true"], in folder: TemporaryFolder? = nil) async throws {
    self.folder = try folder ?? TemporaryFolder()
    port = FreePort.any()
    let text = (["user root", "listener \(port) 127.0.0.1"] + lines).joined(separator: "\n") + "\n"
    configuration = try self.folder.write("mosquitto-\(port).conf", text)
    process = Mutex(nil)
    try await start()
  }

  deinit { end() }

  /// Starts it again on the same port.
  func start() async throws {
    let child = try ChildProcess("mosquitto", ["-c", configuration])
    process.withLock { $0 = child }
    try await eventually("mosquitto runs") { child.lines.contains { $0.hasSuffix(" running") } }
  }

  func send(_ signal: Int32) { process.withLock { $0?.send(signal) } }

  /// Kills it.
  func end() { process.withLock { $0?.end() } }

  var lines: [String] { process.withLock { $0?.lines ?? [] } }
  var address: BrokerAddress { BrokerAddress(host: "127.0.0.1", port: port) }
  func secured(host: String = "localhost") -> BrokerAddress { BrokerAddress(host: host, port: port, isSecure: true) }
}
