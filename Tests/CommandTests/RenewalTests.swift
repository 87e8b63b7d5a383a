import Foundation
import Testing

extension Secured {
  /// Certificates that are renewed while the scale works.
  @Suite struct RenewalTests {
    /// A subscriber to the weighings whose session survives a restart of the broker.
    private func keeper(_ stage: EnrollmentStage) async throws -> Program {
      let keeper = try Program(
        "stdbuf",
        ["-oL", "mosquitto_sub", "-d", "-c", "-i", "keeper", "-q", "1", "-t", "grampad/cellar/weighing", "-F", "> %p"]
          + stage.broker.login("wall"))
      try await eventually("it has subscribed") { keeper.output.contains("Subscribed (mid") }
      return keeper
    }

    private func sequences(_ keeper: Program) -> [Int] {
      keeper.lines.filter { $0.hasPrefix("> ") }.compactMap {
        let object = try? JSONSerialization.jsonObject(with: Data($0.dropFirst(2).utf8)) as? [String: Any]
        return object?["sequence"] as? Int
      }
    }

    /// Commits weighings; attempts while the load is not at rest are rejected.
    private func commit(_ count: Int, _ settings: String) async throws {
      var done = 0
      for _ in 0..<(30 + count) where done < count {
        if try await Program.run(["commit", "--config", settings]).code == 0 { done += 1 }
      }
      try #require(done == count)
    }

    @Test func aCertificateIsRenewedByTheCommandWhileWeighingsAreCommitted() async throws {
      let stage = try await EnrollmentStage()
      let server = try await stage.serve()
      let settings = try stage.device.write(
        "grampad.yaml", try await stage.enrolled() + "pad: \(RunningScale.plain)\ndashboard: {enabled: false}\n")
      let keeper = try await keeper(stage)
      let scale = try Program.grampad(["run", "--config", settings])
      try await commit(1, settings)
      let before = try Data(contentsOf: URL(fileURLWithPath: stage.credential))
      async let renewed = Program.run(["enroll", "--renew", "--config", settings])
      try await commit(3, settings)
      let ended = try await renewed
      #expect(ended.code == 0, "\(ended) \(server.complaints)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: stage.credential)) != before)
      #expect(!FileManager.default.fileExists(atPath: stage.credential + ".next"))
      #expect(try stage.issued().count == 2)
      try await commit(1, settings)
      try await eventually("all weighings") { Set(sequences(keeper)) == Set(1...5) }
      // The connection was not interrupted.
      #expect(!scale.complaints.contains("connection to the broker lost"), "\(scale.complaints)")
    }

    @Test func anApplianceRenewsItsCertificateInItsLastThird() async throws {
      let stage = try await EnrollmentStage()
      let server = try await stage.serve()
      let settings = try stage.device.write(
        "grampad.yaml", try await stage.enrolled() + "pad: \(RunningScale.plain)\ndashboard: {enabled: false}\n")
      #expect(try String(contentsOfFile: settings, encoding: .utf8).contains("renew_certificate: true"))
      let keeper = try await keeper(stage)
      let young = try await stage.serial(of: stage.credential)
      try await stage.age()
      let old = try stage.device.write("old.pem", String(contentsOfFile: stage.credential, encoding: .utf8))
      let scale = try Program.grampad(["run", "--config", settings])
      try await commit(1, settings)
      try await eventually("it is renewed") { scale.complaints.contains("renewed the client certificate") }
      #expect(try await ![young, stage.serial(of: old)].contains(stage.serial(of: stage.credential)))
      let attributes = try FileManager.default.attributesOfItem(atPath: stage.credential)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      try await commit(1, settings)

      // The next connection uses the new certificate: the old one is revoked.
      try await stage.broker.stop()
      try await stage.broker.revoke(stage.serial(of: old))
      try await eventually("it is offline") { scale.complaints.contains("connection to the broker lost") }
      try await stage.broker.start()
      #expect(try await !stage.isAccepted(certificate: old, key: old))
      try await commit(2, settings)
      try await eventually("all weighings") { Set(sequences(keeper)) == Set(1...4) }
      // Not due any more.
      #expect(server.complaints.count(of: "enroll.kind=renewal") == 1, "\(server.complaints)")
    }
  }
}
