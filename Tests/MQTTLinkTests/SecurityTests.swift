import FreePorts
import Messages
import Testing
import Weighing

@testable import MQTTLink

/// TLS, certificates and passwords against a real mosquitto.
@Suite struct SecurityTests {
  /// A mosquitto that asks for a certificate of `authority` and, if wanted, for the password `right`.
  private func broker(
    _ authority: Certificates, name: String = "localhost", days: Int = 2, asksForCertificate: Bool = true
  ) async throws -> TestBroker {
    let own = try await authority.issue(name, days: days)
    var lines = [
      "cafile \(authority.ca)", "certfile \(own.certificate)", "keyfile \(own.key)", "allow_anonymous false",
    ]
    if asksForCertificate { lines.append("require_certificate true") }
    let passwords = try authority.folder.write("passwords", "")
    let maker = try ChildProcess("mosquitto_passwd", ["-b", passwords, "scale", "right"])
    try await eventually("mosquitto_passwd") { !maker.isRunning }
    lines.append("password_file \(passwords)")
    return try await TestBroker(lines, in: authority.folder)
  }

  private let right = Credentials(username: "scale", password: "right")

  @Test(arguments: ProtocolVersion.allCases)
  func connectsWithCertificateAndPassword(version: ProtocolVersion) async throws {
    let authority = try await Certificates()
    let broker = try await broker(authority)
    let own = try await authority.issue("scale")
    let scale = TestLink([broker.secured()], filters: ["scale/#"]) {
      $0.version = version
      $0.tls = TLSSettings(caFile: authority.ca, certificateFile: own.certificate, keyFile: own.key)
      $0.credentials = right
    }
    try await scale.subscribed()
    // Larger than a TLS record and than what the kernel takes at once.
    scale.link.publish(Message("scale/large", String(repeating: "x", count: 200_000), .assured))
    try await eventually("the large message") { scale.messages.contains { $0.payload.count == 200_000 } }
    #expect(scale.faults.isEmpty)
  }

  @Test func aWrongAuthorityIsNotTrusted() async throws {
    let authority = try await Certificates()
    let other = try await Certificates("other")
    let broker = try await broker(authority)
    let scale = TestLink([broker.secured()]) { $0.tls = TLSSettings(caFile: other.ca) }
    try await eventually("a refusal") { !scale.faults.isEmpty }
    #expect(scale.faults.first == .untrustedCertificate("self-signed certificate in certificate chain"))
  }

  /// `localhost` may resolve to ::1 first, where no server listens. The next address is tried only after an address was
  /// unreachable, which the library hides with TLS.
  @Test func aClosedPortIsUnreachable() async throws {
    let authority = try await Certificates()
    let port = FreePort.any()
    let scale = TestLink([BrokerAddress(host: "127.0.0.1", port: port, isSecure: true)]) {
      $0.tls = TLSSettings(caFile: authority.ca)
    }
    try await eventually("a refusal") { !scale.faults.isEmpty }
    #expect(scale.faults.first == .unreachable("Connection refused"))
  }

  @Test func aCertificateForAnotherNameIsRefused() async throws {
    let authority = try await Certificates()
    let broker = try await broker(authority, name: "kitchen.example", asksForCertificate: false)
    let scale = TestLink([broker.secured()]) {
      $0.tls = TLSSettings(caFile: authority.ca)
      $0.credentials = right
    }
    try await eventually("a refusal") { !scale.faults.isEmpty }
    #expect(scale.faults.first == .wrongServerName("localhost"))
    #expect(scale.connections == 0)
  }

  @Test func anExpiredCertificateIsNamedAsSuchAndItsRenewalPickedUp() async throws {
    let authority = try await Certificates()
    let expired = try await broker(authority, days: -1, asksForCertificate: false)
    let scale = TestLink([expired.secured()]) {
      $0.tls = TLSSettings(caFile: authority.ca)
      $0.credentials = right
    }
    try await eventually("a refusal") { !scale.faults.isEmpty }
    guard case .certificateOutOfDate? = scale.faults.first else {
      Issue.record("out of date: \(scale.faults)")
      return
    }
    _ = try await authority.issue("localhost")
    expired.end()
    try await expired.start()
    try await scale.connected()
  }

  @Test func aMissingOwnCertificateIsToldAndPickedUpOnceItIsThere() async throws {
    let authority = try await Certificates()
    let broker = try await broker(authority)
    let files = TLSSettings(
      caFile: authority.ca, certificateFile: "\(authority.folder.path)/late.pem",
      keyFile: "\(authority.folder.path)/late.key")
    let scale = TestLink([broker.secured()]) {
      $0.tls = files
      $0.credentials = right
    }
    try await eventually("a refusal") { !scale.faults.isEmpty }
    guard case .unusableFile(files.certificateFile, _)? = scale.faults.first else {
      Issue.record("the file: \(scale.faults)")
      return
    }
    _ = try await authority.issue("late")
    try await scale.connected()
  }

  @Test func withoutOurCertificateABrokerThatAsksForOneRefuses() async throws {
    let authority = try await Certificates()
    let broker = try await broker(authority)
    let scale = TestLink([broker.secured()]) {
      $0.tls = TLSSettings(caFile: authority.ca)
      $0.credentials = right
    }
    try await eventually("a refusal") { !scale.faults.isEmpty }
    // The alert may be lost: the broker resets the connection when our CONNECT is still unread.
    let fault = try #require(scale.faults.first)
    #expect(fault.description.contains("certificate"), "\(fault)")
    #expect(scale.connections == 0)
  }

  @Test(arguments: ProtocolVersion.allCases)
  func aWrongPasswordIsToldAsSuch(version: ProtocolVersion) async throws {
    let authority = try await Certificates()
    let broker = try await broker(authority, asksForCertificate: false)
    let scale = TestLink([broker.secured()]) {
      $0.version = version
      $0.tls = TLSSettings(caFile: authority.ca)
      $0.credentials = Credentials(username: "scale", password: "wrong")
    }
    try await eventually("two refusals: it goes on trying") { scale.faults.count >= 2 }
    #expect(scale.faults.allSatisfy { if case .credentialsRefused = $0 { true } else { false } }, "\(scale.faults)")
    #expect(scale.connections == 0)
  }

  @Test func aBrokerWithoutTLSIsNotTakenForOne() async throws {
    let broker = try await TestBroker()
    let scale = TestLink([broker.secured()])
    try await eventually("a refusal") { !scale.faults.isEmpty }
    #expect(scale.connections == 0)
  }

  /// What OpenSSL would say only when a connection is made.
  @Test func unusableFilesAreNamedWithoutAConnection() async throws {
    let authority = try await Certificates()
    let own = try await authority.issue("scale")
    let other = try await authority.issue("other")
    let folder = authority.folder
    let encrypted = "\(folder.path)/encrypted.key"
    let maker = try ChildProcess(
      "openssl", ["pkey", "-in", own.key, "-aes256", "-passout", "pass:secret", "-out", encrypted])
    try await eventually("an encrypted key") { !maker.isRunning }
    let text = try folder.write("text.pem", "no certificate\n")
    func fault(ca: String? = nil, certificate: String? = nil, key: String? = nil) -> TLSFileError? {
      do throws(TLSFileError) {
        try TLSSettings(caFile: ca, certificateFile: certificate, keyFile: key).check()
        return nil
      } catch {
        return error
      }
    }
    #expect(fault(ca: authority.ca, certificate: own.certificate, key: own.key) == nil)
    let cases: [(fault: TLSFileError?, role: TLSFileError.Role, path: String, words: String)] = [
      (fault(ca: text), .authority, text, "no certificate"),
      (fault(ca: own.key), .authority, own.key, "no certificate"),
      (fault(ca: folder.path + "/none"), .authority, folder.path + "/none", "No such file"),
      (fault(certificate: text, key: own.key), .certificate, text, "no certificate"),
      (fault(certificate: own.certificate, key: text), .key, text, "no private key"),
      (fault(certificate: own.certificate, key: other.key), .key, other.key, "does not match the certificate"),
      (fault(certificate: own.certificate, key: encrypted), .key, encrypted, "passphrase"),
    ]
    for (fault, role, path, words) in cases {
      #expect(fault?.role == role && fault?.path == path, "\(String(describing: fault))")
      #expect(fault?.reason.description.contains(words) == true, "\(String(describing: fault))")
    }
    let scale = TestLink([BrokerAddress(host: "127.0.0.1", port: 1, isSecure: true)]) {
      $0.tls = TLSSettings(caFile: authority.ca, certificateFile: own.certificate, keyFile: encrypted)
    }
    try await eventually("a refusal") { !scale.faults.isEmpty }
    #expect(scale.faults.first?.description.contains("passphrase") == true, "\(scale.faults)")
  }

  @Test func aPasswordIsNoPartOfADescription() {
    let settings = LinkSettings(
      brokers: [], clientID: "scale", credentials: Credentials(username: "scale", password: "hunter2"))
    var dumped = ""
    dump(settings, to: &dumped)
    for text in ["\(settings)", String(reflecting: settings), dumped] {
      #expect(text.contains("scale") && !text.contains("hunter2"), "\(text)")
    }
  }
}
