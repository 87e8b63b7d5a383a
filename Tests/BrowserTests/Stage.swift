import Foundation
import Testing

/// An appliance in a separate process, see `StageProbe`.
final class Stage {
  let child: Child
  let port: UInt16

  /// - Parameter folder: Where the configuration is a file, if its settings are changed.
  convenience init(_ play: String, folder: String? = nil) throws {
    try self.init("stageprobe", [play] + (folder.map { [$0] } ?? []), naming: /^dashboard (\d+)$/)
  }

  /// Runs `grampad demo`, as deploy/demo does.
  static func demo() throws -> Stage {
    try Stage("grampad", ["demo", "--port", "0"], naming: /http:\/\/127\.0\.0\.1:(\d+)/)
  }

  /// Starts a program and waits for a line that names the port.
  private init(_ program: String, _ arguments: [String], naming line: Regex<(Substring, Substring)>) throws {
    child = try Child(Stage.built(program), arguments, input: 0, output: 1)
    var found: UInt16?
    while found == nil {
      let text = String(decoding: try child.read(upTo: UInt8(ascii: "\n"), before: .now + .seconds(30)), as: UTF8.self)
      if let match = try line.firstMatch(in: text) { found = UInt16(match.output.1) }
    }
    port = try #require(found)
  }

  var address: String { "http://127.0.0.1:\(port)/" }

  /// The path of a program that is built with the tests.
  private static func built(_ program: String) -> String {
    let sibling = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(program).path
    if let sibling, FileManager.default.isExecutableFile(atPath: sibling) { return sibling }
    return ".build/release/\(program)"
  }
}
