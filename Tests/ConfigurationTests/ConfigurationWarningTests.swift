import Foundation
import Testing
import Weighing

@testable import Configuration

/// Settings that are valid but probably not intended.
struct ConfigurationWarningTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("warnings-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var environment: [String: String] = [:]
    /// The beginnings of the warnings.
    var expected: [String] = []
    var change: @Sendable (inout Configuration) -> Void
  }

  static let cases = [
    Case(testDescription: "the defaults") { _ in },
    Case(
      testDescription: "behind a proxy without a token",
      expected: ["dashboard.hosts: anyone with access to the reverse proxy can read the dashboard at scale.example.org"]
    ) {
      $0.dashboard.hosts = ["scale.example.org"]
      $0.dashboard.allowsPairing = false
    },
    Case(testDescription: "behind a proxy with a token", environment: ["GRAMPAD_DASHBOARD_TOKEN": "x"]) {
      $0.dashboard.hosts = ["scale.example.org"]
    },
    Case(testDescription: "open to the network without a token", expected: ["dashboard.address: other machines"]) {
      $0.dashboard.address = "0.0.0.0"
      $0.dashboard.allowsPairing = false
    },
    Case(testDescription: "open to the network with pairing") { $0.dashboard.address = "0.0.0.0" },
    Case(testDescription: "no dashboard") {
      $0.dashboard.address = "0.0.0.0"
      $0.dashboard.isEnabled = false
    },
    Case(
      testDescription: "fingers on a plate",
      expected: ["pad.zones: the zone history has no effect", "pad.controls: no effect"]
    ) {
      $0.pad.surface = .platter
      $0.pad.zones = [.init(.history, .init(x: 0...0.1, y: 0...1))]
      $0.pad.controls = Zones.Zone.controlExample ?? []
    },
    Case(
      testDescription: "a mass above the capacity",
      expected: ["calibration.points: 500.5 g exceeds the capacity of 385 g"]
    ) {
      $0.calibration.points = [0, 385, 500.5].map { CalibrationPoint(counts: 2 * $0, mass: Grams($0)) }
    },
    Case(testDescription: "a mass at the capacity") {
      $0.calibration.points = [0, 385].map { CalibrationPoint(counts: 2 * $0, mass: Grams($0)) }
    },
    Case(
      testDescription: "secrets that everyone can read",
      expected: ["mqtt.password_file: readable by", "dashboard.token_file: readable by"]
    ) {
      $0.dashboard.tokenFile = "open"
      $0.mqtt.passwordFile = "open"
      $0.mqtt.keyFile = "closed"
    },
    Case(testDescription: "secrets of the owner and the group") {
      $0.dashboard.tokenFile = "closed"
      $0.mqtt.passwordFile = "closed"
    },
  ]

  @Test(arguments: cases)
  func warns(_ it: Case) throws {
    for (name, mode) in [("open", 0o644), ("closed", 0o640)] {
      let path = folder.appendingPathComponent(name).path
      try Data("0123456789abcdef".utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = Configuration()
    it.change(&configuration)
    let warnings = configuration.warnings(in: folder.path, environment: it.environment)
    #expect(warnings.count == it.expected.count, "\(warnings)")
    for (warning, beginning) in zip(warnings, it.expected) { #expect(warning.description.hasPrefix(beginning)) }
  }
}
