import Foundation
import Testing

/// A broker that accepts certificates, `grampad enroll --serve` next to its CA, and the folder of a device.
final class EnrollmentStage: Sendable {
  let broker: SecuredBroker
  let device: TemporaryFolder

  init() async throws {
    broker = try await SecuredBroker(acceptsCertificates: true)
    device = try TemporaryFolder()
  }

  /// Starts `grampad enroll --serve` and waits until it receives requests.
  ///
  /// - Parameter capabilities: Those that it has as root, such as `chown`; `nil` for all.
  func serve(capabilities: [String]? = nil) async throws -> Program {
    let words = [
      try Program.path(), "enroll", "--serve", "--config", broker.file("grampad.yaml", of: "ca"), "--tool",
      "\(SecuredBroker.sources)/grampad-broker", "--authority", broker.material, "--pid", broker.pidFile,
    ]
    let limits = capabilities.map { names in
      let set = ["-all"] + names.map { "+" + $0 }
      return ["--no-new-privs", "--inh-caps=-all", "--bounding-set=" + set.joined(separator: ",")]
    }
    let server = try Program("setpriv", (limits ?? []) + ["--"] + words)
    try await eventually("the server is ready") { server.complaints.count(of: "ready") == 3 }
    return server
  }

  /// A new code for a device.
  func code(of id: String = "cellar", hours: Int = 24) async throws -> String {
    let invited = try await broker.tool(["--pid", broker.pidFile, "--hours", "\(hours)", "invite", id])
    try #require(invited.code == 0, "\(invited)")
    return invited.output.trimmingCharacters(in: .newlines)
  }

  /// Starts `grampad enroll` on the device.
  func enrolling(_ code: String, in folder: String? = nil) throws -> Program {
    let arguments = [
      "enroll", "--broker", "mqtts://localhost:\(broker.port)", "--ca-file", "\(broker.material)/ca.pem", "--folder",
      folder ?? device.path,
    ]
    let input = try TemporaryFolder()
    return try Program.grampad(arguments, input: input.write("code", code + "\n"))
  }

  /// Runs `grampad enroll` on the device.
  func enroll(_ code: String, in folder: String? = nil) async throws -> Program.Ended {
    try await enrolling(code, in: folder).ended(within: .seconds(120))
  }

  /// Gets a certificate for the device `cellar`; returns the settings that the command prints.
  func enrolled() async throws -> String {
    let ended = try await enroll(code())
    try #require(ended.code == 0, "\(ended)")
    return ended.output
  }

  /// Certificate and key of the device.
  var credential: String { "\(device.path)/mqtt.pem" }

  /// The certificates that the CA has issued.
  func issued() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(broker.material)/issued").filter { $0.hasSuffix(".pem") }
  }

  /// The arguments for mosquitto_pub to connect with a certificate.
  func login(certificate: String? = nil, key: String? = nil) -> [String] {
    [
      "-V", "5", "-h", "localhost", "-p", "\(broker.certificatePort)", "--cafile", "\(broker.material)/ca.pem",
      "--cert", certificate ?? credential, "--key", key ?? credential,
    ]
  }

  /// Whether the broker accepts a message of a device with a certificate.
  func isAccepted(
    certificate: String? = nil, key: String? = nil, topic: String = "grampad/cellar/live", message: String = "x"
  ) async throws -> Bool {
    let words = login(certificate: certificate, key: key) + ["-d", "-q", "1", "-t", topic, "-m", message]
    let ended = try await Program("mosquitto_pub", words).ended()
    return ended.code == 0 && !ended.output.contains("RC:135") && ended.output.contains("PUBACK")
  }

  /// The number of a certificate.
  func serial(of path: String) async throws -> String {
    let ended = try await Program("openssl", ["x509", "-in", path, "-noout", "-serial"]).ended()
    return ended.output.dropFirst("serial=".count).trimmingCharacters(in: .newlines)
  }

  /// Replaces the certificate of the device by one for the same key that is in its last third.
  func age() async throws {
    let (request, certificate) = ("\(device.path)/request", "\(device.path)/certificate")
    let made = try await Program("openssl", ["req", "-new", "-key", credential, "-subj", "/CN=x", "-out", request])
      .ended()
    try #require(made.code == 0, "\(made)")
    let format = DateFormatter()
    format.dateFormat = "yyyyMMddHHmmss'Z'"
    format.timeZone = TimeZone(identifier: "UTC")
    func day(_ number: Double) -> String { format.string(from: Date(timeIntervalSinceNow: number * 86_400)) }
    try await broker.authority([
      "-in", request, "-subj", "/CN=cellar", "-startdate", day(-300), "-enddate", day(20), "-out", certificate,
    ])
    let text = try String(contentsOfFile: credential, encoding: .utf8)
    let key = try #require(text.range(of: "-----BEGIN PRIVATE KEY-----"))
    try device.write("mqtt.pem", String(contentsOfFile: certificate, encoding: .utf8) + text[key.lowerBound...])
  }
}
