import Foundation
import FreePorts
import Synchronization
import Testing

/// Suites with a secured broker. They run one at a time, because each starts a dozen processes.
@Suite(.serialized) enum Secured {}

/// A real mosquitto with TLS, users and access list as configured by `grampad-broker`.
///
/// It starts as in Debian: as root, changing to the user mosquitto, and with Debian's own configuration file in addition.
final class SecuredBroker: Sendable {
  let port: UInt16
  /// The port for clients with a certificate, if it accepts them.
  let certificatePort: UInt16
  /// The directory in which `grampad-broker` keeps its files.
  let material: String
  private let folder: TemporaryFolder
  private let process: Mutex<Program?>

  /// The folder in the sources.
  static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/broker").path

  /// Creates the users and starts the broker: the devices `kitchen` and `attic`, the dashboard `wall`, the operator `anna`,
  /// the collector `store` and Home Assistant.
  ///
  /// - Parameter acceptsCertificates: Also creates the listener for certificates and the authority `ca`.
  init(acceptsCertificates: Bool = false) async throws {
    folder = try TemporaryFolder()
    material = "\(folder.path)/material"
    port = FreePort.any()
    certificatePort = FreePort.any()
    process = Mutex(nil)
    let certificates = acceptsCertificates ? ["--certificate-port", "\(certificatePort)"] : []
    try await made(words: ["init", "--port", "\(port)"] + certificates + ["localhost"])
    if acceptsCertificates { try await made("add-authority", "ca") }
    for words in [
      ["add-device", "kitchen", "attic"], ["add-dashboard", "wall"], ["add-operator", "anna"], ["add-home-assistant"],
      ["add-collector", "store"],
    ] {
      try await made(words: words)
    }
    try await start()
  }

  deinit { end() }

  /// Runs `grampad-broker` on the material.
  func tool(_ words: [String], input: String = "/dev/null") async throws -> Program.Ended {
    try await Program("\(Self.sources)/grampad-broker", ["--folder", material] + words, input: input).ended()
  }

  /// Runs it, which has to succeed.
  func made(_ words: String...) async throws { try await made(words: words) }

  /// Runs it, which has to succeed.
  func made(words: [String]) async throws {
    let ended = try await tool(words)
    try #require(ended.code == 0, "\(words): \(ended.complaints)")
  }

  /// The file with its process id.
  var pidFile: String { "\(folder.path)/store/pid" }

  /// Starts mosquitto, again too, on the same port.
  func start() async throws {
    let store = "\(folder.path)/store"
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    if geteuid() == 0 { try FileManager.default.setAttributes([.ownerAccountName: "mosquitto"], ofItemAtPath: store) }
    // Debian's /etc/mosquitto/mosquitto.conf, in a folder of ours.
    let configuration = try folder.write(
      "mosquitto.conf",
      "persistence true\npersistence_location \(store)/\npid_file \(pidFile)\nlog_dest stderr\ninclude_dir \(material)\n"
    )
    // The threads of the tests block signals, and children inherit that: mosquitto would hear of none.
    let program = try Program("env", ["--default-signal=HUP,TERM", Program.find("mosquitto"), "-c", configuration])
    process.withLock { $0 = program }
    try await eventually("mosquitto listens") { FreePort.isTaken(port) }
  }

  /// Has it read passwords, list and certificates again, as `systemctl reload mosquitto` does.
  func reload() async throws {
    let count = log.count(of: "Reloading config")
    process.withLock { $0?.send(SIGHUP) }
    try await eventually("it reloads") { log.count(of: "Reloading config") > count }
  }

  /// Runs `openssl ca` with the records of the CA.
  func authority(_ words: [String]) async throws {
    let configuration = try folder.write(
      "authority.cnf",
      String(contentsOfFile: "\(Self.sources)/authority.cnf", encoding: .utf8)
        .replacingOccurrences(of: "@FOLDER@", with: material))
    let ended = try await Program("openssl", ["ca", "-batch", "-notext", "-config", configuration] + words).ended()
    try #require(ended.code == 0, "\(ended)")
  }

  /// Revokes one certificate, for the next start or reload.
  func revoke(_ serial: String) async throws {
    try await authority(["-revoke", "\(material)/issued/\(serial).pem"])
    try await authority(["-gencrl", "-crldays", "9", "-out", "\(material)/revoked.pem"])
  }

  /// Kills it.
  func end() { process.withLock { $0?.end() } }

  /// Ends it in order.
  func stop() async throws {
    process.withLock { $0?.send(SIGTERM) }
    try await eventually("mosquitto ends") { process.withLock { $0?.isRunning } == false }
  }

  /// What it has written.
  var log: String { process.withLock { $0?.complaints ?? "" } }

  /// A file of a user's bundle: `grampad.yaml`, `mqtt.password` or `broker-ca.pem`.
  func file(_ name: String, of user: String) -> String { "\(material)/clients/\(user)/\(name)" }

  func password(of user: String) throws -> String {
    try String(contentsOfFile: file("mqtt.password", of: user), encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  /// The words for mosquitto_pub and mosquitto_sub to come in as a user.
  func login(_ user: String, version: String = "5") throws -> [String] {
    [
      "-h", "localhost", "-p", "\(port)", "--cafile", file("broker-ca.pem", of: user), "-u", user, "-P",
      try password(of: user), "-V", version == "5" ? "5" : "311",
    ]
  }

  /// A configuration for the simulated pad in the bundle of a device, to be run from there.
  func scale(_ device: String, version: String = "5", extra: String = "") throws -> String {
    let given = try String(contentsOfFile: file("grampad.yaml", of: device), encoding: .utf8)
    let path = file("scale.yaml", of: device)
    let text = given + "  version: \(version)\npad: \(RunningScale.plain)\ndashboard: {enabled: false}\n\(extra)\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}

extension String {
  /// How often a text is in it.
  func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
