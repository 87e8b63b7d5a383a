import Foundation
import Testing
import Weighing

@testable import Enrolling

/// Keys, requests, certificates and their files, against the openssl program.
@Suite struct CertificateTests {
  /// A folder of its own; removed with the value.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/grampad-enrolling-\(UUID())"
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ bytes: [UInt8] = []) throws -> String {
      if !bytes.isEmpty { try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
      return "\(path)/\(name)"
    }

    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
    }

    /// What the openssl program prints; its exit status has to be 0.
    @discardableResult func openssl(_ words: String...) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      process.arguments = words
      let output = Pipe()
      (process.standardOutput, process.standardError) = (output, output)
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(words): \(text)")
      return text
    }

    /// A certificate for a key, valid for a number of days from now on.
    func certificate(for key: [UInt8], days: Int) throws -> [UInt8] {
      let (key, certificate) = (try file("signing.pem", key), try file("certificate.pem"))
      try openssl(
        "req", "-x509", "-key", key, "-subj", "/CN=scale", "-days", String(days), "-out", certificate)
      return try bytes("certificate.pem")
    }
  }

  /// Why something was refused; `nil` if it was not.
  private func reason(_ body: () throws -> CertificateAnswer) -> Sentence? {
    do { _ = try body() } catch { return (error as? EnrollmentError)?.sentence }
    return nil
  }

  @Test func opensslAcceptsTheRequest() throws {
    let folder = try Folder()
    let made = try #require(CertificateRequest(name: "scale-1", key: nil))
    let request = try folder.file("request.pem", made.request)
    let text = try folder.openssl("req", "-in", request, "-verify", "-noout", "-text", "-nameopt", "RFC2253")
    #expect(text.contains("CN=scale-1") && text.contains("prime256v1") && text.contains("ecdsa-with-SHA256"), "\(text)")
    let again = try #require(CertificateRequest(name: "scale-1", key: made.key))
    #expect(again.key == made.key, "an attempt that is repeated asks for the same key")
    for unusable in [[], Array("no key".utf8), Array(made.key.dropLast(40))] {
      #expect(try #require(CertificateRequest(name: "scale-1", key: unusable)).key != made.key)
    }
  }

  /// OpenSSL would ask for the password on the terminal.
  @Test func anEncryptedKeyIsNotAskedFor() throws {
    let folder = try Folder()
    let made = try #require(CertificateRequest(name: "scale", key: nil))
    try folder.openssl(
      "pkcs8", "-topk8", "-in", try folder.file("key.pem", made.key), "-passout", "pass:secret", "-out",
      try folder.file("encrypted.pem"))
    #expect(CertificateRequest.parse(try folder.bytes("encrypted.pem")) == nil)
  }

  @Test func aCertificateKnowsItsTimeAndItsKey() throws {
    let folder = try Folder()
    let (own, other) = (
      try #require(CertificateRequest(name: "a", key: nil)), try #require(CertificateRequest(name: "b", key: nil))
    )
    let text = try folder.certificate(for: own.key, days: 30)
    let certificate = try #require(ClientCertificate(text))
    #expect(certificate.lifetime == 30 * 86_400)
    #expect((30 * 86_400 - 120...30 * 86_400).contains(certificate.secondsLeft) && !certificate.isDueForRenewal)
    #expect(ClientCertificate.matches(text, key: own.key) && !ClientCertificate.matches(text, key: other.key))
    // As in the file of a device: certificate, then key.
    #expect(ClientCertificate(text + own.key) == certificate)
    #expect(ClientCertificate(own.key) == nil && ClientCertificate([]) == nil)
  }

  @Test func anAnswerIsCheckedWhole() throws {
    let folder = try Folder()
    let (own, other) = (
      try #require(CertificateRequest(name: "a", key: nil)), try #require(CertificateRequest(name: "b", key: nil))
    )
    let certificate = String(decoding: try folder.certificate(for: own.key, days: 1), as: UTF8.self)
    func answer(_ changes: [String: Any?] = [:]) throws -> [UInt8] {
      var fields: [String: Any] = [
        "id": "scale", "prefix": "grampad", "brokers": ["mqtts://one.example", "mqtts://two.example:8884"],
        "certificate": certificate,
      ]
      for (name, value) in changes { fields[name] = value }
      return [UInt8](try JSONSerialization.data(withJSONObject: fields))
    }
    let good = try CertificateAnswer(try answer(), id: "scale", key: own.key)
    #expect(good.prefix == "grampad" && good.brokers.map(\.host) == ["one.example", "two.example"])
    #expect(good.certificate == Array(certificate.utf8))

    let malformed: [[String: Any?]] = [
      ["id": "other"], ["id": nil], ["prefix": 5], ["brokers": [String]()], ["brokers": ["mqtt://plain.example"]],
      ["brokers": ["mqtts://one.example", 7]], ["brokers": "mqtts://one.example"], ["certificate": "x"],
      ["certificate": String(repeating: "x", count: CertificateAnswer.maximumBytes)],
    ]
    for changes in malformed {
      #expect(
        reason { try CertificateAnswer(try answer(changes), id: "scale", key: own.key) }
          == EnrollmentError.invalidAnswer.sentence, "\(changes)")
    }
    #expect(
      reason { try CertificateAnswer(try answer(), id: "scale", key: other.key) }
        == EnrollmentError.invalidAnswer.sentence, "for another key")
    let refusal = Array(#"{"error": "the code has expired"}"#.utf8)
    #expect(
      reason { try CertificateAnswer(refusal, id: "scale", key: own.key) }
        == EnrollmentError.refused("the code has expired").sentence)
    let whole = try answer()
    for length in stride(from: 0, to: whole.count, by: 7) {
      let cut = whole.prefix(length)
      #expect(
        reason { try CertificateAnswer(Array(cut), id: "scale", key: own.key) }
          == EnrollmentError.invalidAnswer.sentence)
    }
  }

  @Test func theDraftBecomesTheCredentialAtOnce() throws {
    let folder = try Folder()
    let files = CredentialFiles(credential: "\(folder.path)/mqtt.pem")
    #expect(try files.draftedKey() == nil)
    let request = try #require(CertificateRequest(name: "scale", key: nil))
    try files.write(draft: request.key)
    #expect(try files.draftedKey() == request.key)
    #expect(try folder.mode("mqtt.pem.next") == 0o600)
    #expect(files.certificate == nil)
    try files.write(draft: try folder.certificate(for: request.key, days: 2) + request.key)
    try files.commit()
    #expect(files.certificate?.lifetime == 2 * 86_400)
    #expect(try folder.mode("mqtt.pem") == 0o600)
    #expect(try files.draftedKey() == nil)
    // Nothing to put in its place: the present one stays.
    #expect(throws: EnrollmentError.self) { try files.commit() }
    #expect(files.certificate?.lifetime == 2 * 86_400)
    #expect(throws: EnrollmentError.self) {
      try CredentialFiles.copy(authority: "\(folder.path)/none", to: files.draft)
    }
  }
}
