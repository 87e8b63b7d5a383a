import ArgumentParser
import Commands
import Configuration
import Enrolling
import Glibc
import Languages
import Linux
import MQTTLink
import Messages
import SystemPackage
import Terminal

/// `enroll`
struct Enroll: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Get a client certificate for this device, or renew it.",
    discussion: """
      On a device: makes a key, gets a certificate for it over MQTT with TLS, checks that the broker accepts it, and prints the \
      settings for grampad.yaml. `grampad-broker invite` prints the one-time code. The key never leaves the device. If the command \
      fails, for example without a network, repeat it with the same code. Run it as the user of the service, which must be able \
      to read and replace the certificate. Paste the code when the command asks for it, or pass it on standard input: other users can \
      see an argument while the command runs.

      --renew replaces the certificate now. A running appliance with mqtt.renew_certificate does that itself before the \
      certificate expires.

      --serve issues certificates, next to the certificate authority; it is in the package grampad-fleet.

      Examples:
        grampad enroll --broker mqtts://scale.example.org:8883 --ca-file ca.pem
        sudo -u grampad grampad enroll --renew
      """)

  @Argument(help: "The one-time code. Default: a line of standard input.")
  var code: String?
  @Option(help: "The broker, mqtts://HOST:PORT.")
  var broker: String?
  @Option(help: "The CA certificate of the broker. Default: those of the system.", completion: .file())
  var caFile: String?
  @Option(help: "The folder for mqtt.pem and broker-ca.pem.", completion: .directory)
  var folder = "/var/lib/grampad"
  @Flag(help: "Renew the certificate of the configuration.")
  var renew = false
  @OptionGroup var options: ConfigurationOptions
  @OptionGroup var log: LogOptions

  func validate() throws {
    guard !renew else {
      if code != nil { throw ValidationError("A code is only for a device without a certificate.") }
      return
    }
    guard let broker, try BrokerArgument.address(broker).isSecure else {
      throw ValidationError("--broker mqtts://HOST:PORT is required.")
    }
  }

  func run() throws {
    try failing {
      if renew {
        try runRenewal()
      } else {
        try runEnrollment()
      }
    }
  }

  // MARK: - Device

  private func runEnrollment() throws {
    let code = try EnrollmentCode(code ?? askForCode())
    guard let broker = try broker.map(BrokerArgument.address) else { return }
    let folder = absolutePath(folder, in: workingFolder())
    try checkOwner(of: folder)
    let files = CredentialFiles(credential: folder + "/mqtt.pem")
    let enrollment = Enrollment(id: code.id, files: files, logger: log.logger(default: .error))
    let answer: CertificateAnswer = try enrollment.enroll(code, broker: broker, authorityFile: caFile)
    var authority: String?
    if let caFile {
      authority = folder + "/broker-ca.pem"
      try CredentialFiles.copy(authority: caFile, to: folder + "/broker-ca.pem")
    }
    print(settings(answer, code.id, files, authority), terminator: "")
  }

  /// The lines for `grampad.yaml`; a JSON string is also one in YAML.
  private func settings(
    _ answer: CertificateAnswer, _ id: String, _ files: CredentialFiles, _ authority: String?
  ) -> String {
    func quoted(_ text: String) -> String {
      var writer = JSONWriter()
      writer.string(text)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    return """
      device: {id: \(quoted(id))}
      mqtt:
        broker: [\(answer.brokers.map { quoted($0.description) }.joined(separator: ", "))]
        prefix: \(quoted(answer.prefix))
      \(authority.map { "  ca_file: \(quoted($0))\n" } ?? "")\
        certificate_file: \(quoted(files.credential))
        key_file: \(quoted(files.credential))
        renew_certificate: true

      """
  }

  /// Files that root makes in the folder of the service would not be readable for the service.
  private func checkOwner(of folder: String) throws {
    guard geteuid() == 0, let owner = FileSystem.owner(of: folder), owner != 0 else { return }
    throw Failure(.noPermission, .enrollAsRoot, ["folder": folder])
  }

  private func runRenewal() throws {
    guard let file = try options.file() else { throw Failure(.configuration, .enrollNoConfiguration) }
    let configuration = file.current.resolvingPaths(in: file.folder)
    guard let path = configuration.mqtt.certificateFile, path == configuration.mqtt.keyFile else {
      throw Failure(.configuration, .enrollOneFile)
    }
    let id = configuration.device.id
    let settings = try LinkSettings(configuration.mqtt, folder: file.folder, clientID: "grampad-enroll-\(id)")
    let enrollment = Enrollment(
      id: id, files: CredentialFiles(credential: path), logger: log.logger(default: .error))
    try enrollment.renew(settings)
    printMessage(.enrollRenewed, ["id": id])
  }

  /// Reads the code; on a terminal, asks for it.
  private func askForCode() -> String {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
    let dialog = TerminalDialog(texts: .ofUser)
    return dialog.ask(dialog.texts(.enrollAsk) + " ") ?? ""
  }
}

extension Failure {
  init(_ error: EnrollmentError) {
    let code: Sysexit =
      switch error {
      case .malformedCode, .invalidAnswer: .badData
      case .notAccepted, .refused: .noPermission
      case .unreachable, .untrusted, .noAnswer, .newCertificateRefused: .unavailable
      case .unusableFile(let error):
        switch error.errno {
        case nil: .badData
        case .permissionDenied, .notPermitted: .noPermission
        default: .noInput
        }
      case .noKey: .internal
      case .unreadable: .noInput
      case .notWritable: .cannotCreate
      }
    self.init(code, error.sentence)
  }
}
