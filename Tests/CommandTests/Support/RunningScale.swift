import Foundation
import Testing

/// `grampad run` with a simulated pad and its own configuration.
final class RunningScale: Sendable {
  let program: Program
  let folder: TemporaryFolder
  /// The broker's port.
  let port: UInt16
  /// The path of the configuration as given to the program.
  let path: String

  /// The simulated pad, whose script also confirms by force.
  static let show = "{device: simulated}"
  /// The simulated pad without zones: fingers count as loads, and only commands commit.
  static let plain = "{device: simulated, zones: {}}"

  /// The file of its journal.
  var journal: String { "\(folder.path)/grampad.db" }

  /// Starts it against a broker of the test, or with the embedded one.
  ///
  /// - Parameters:
  ///   - arguments: Additional arguments of `run`.
  ///   - environment: Additional environment variables.
  ///   - prepare: Prepares the folder before the start. The journal is `grampad.db` in it.
  init(
    _ broker: Broker? = nil, pad: String = RunningScale.show, extra: String = "", arguments: [String] = [],
    environment: [String: String] = [:], prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    try prepare(folder)
    path = try folder.write("scale.yaml", Self.yaml(broker?.port, pad: pad, extra))
    program = try Program.grampad(["run", "--config", path] + arguments, environment: environment)
    let program = program
    if let broker {
      port = broker.port
    } else {
      try await eventually("the embedded broker is started") { Self.port(in: program.complaints) != nil }
      port = try #require(Self.port(in: program.complaints))
    }
  }

  /// Its configuration, with lines of the test from line 5 on; the points are of the simulated pad's curve.
  static func yaml(_ port: UInt16?, pad: String = show, _ extra: String) -> String {
    """
    pad: \(pad)
    mqtt: {broker: \(port.map { "mqtt://127.0.0.1:\($0)" } ?? "embedded"), embedded_port: 0}
    dashboard: {enabled: false}
    calibration: {points: [{raw: 0, grams: 0}, {raw: 330, grams: 96.33}, {raw: 588, grams: 192.34}, {raw: 968, grams: 385}]}
    \(extra)

    """
  }

  /// The port of the log's `broker.address=127.0.0.1:PORT`.
  private static func port(in log: String) -> UInt16? {
    guard let mark = log.range(of: "broker.port=") else { return nil }
    return UInt16(log[mark.upperBound...].prefix { $0.isNumber })
  }
}
