import Foundation
import Testing

/// An appliance in a separate process, see `StageProbe`.
final class Stage {
  let child: Child
  let port: UInt16

  /// - Parameter folder: Where the configuration is a file, if its settings are changed.
  init(_ play: String, folder: String? = nil) throws {
    let program = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("stageprobe").path
    child = try Child(Stage.built(program), [play] + (folder.map { [$0] } ?? []), input: 0, output: 1)
    var found: UInt16?
    while found == nil {
      let line = String(decoding: try child.read(upTo: UInt8(ascii: "\n"), before: .now + .seconds(30)), as: UTF8.self)
      if line.hasPrefix("dashboard ") { found = UInt16(line.dropFirst("dashboard ".count)) }
    }
    port = try #require(found)
  }

  var address: String { "http://127.0.0.1:\(port)/" }

  /// Beside the tests, wherever those are.
  private static func built(_ beside: String?) throws -> String {
    if let beside, FileManager.default.isExecutableFile(atPath: beside) { return beside }
    return ".build/debug/stageprobe"
  }
}
