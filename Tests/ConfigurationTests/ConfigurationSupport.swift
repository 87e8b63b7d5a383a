import Foundation
import Testing

@testable import Configuration

/// The project's commented default, `config/grampad.yaml`.
let defaultFile = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "config/grampad.yaml")

/// A YAML text in which `▸` marks where a diagnostic is expected.
struct MarkedYAML: CustomTestStringConvertible, Sendable {
  let text: String
  let position: SourcePosition
  let testDescription: String

  init(_ marked: String) {
    testDescription = marked
    text = marked.replacing("▸", with: "")
    let before = marked.prefix { $0 != "▸" }
    let line = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    position = SourcePosition(line: line.count, column: (line.last?.count ?? 0) + 1)
  }
}

/// The diagnostics of a text, empty when there are none.
func diagnostics(_ yaml: String, checks: Configuration.Checks = .init()) -> [ConfigurationDiagnostic] {
  diagnostics(Array(yaml.utf8), checks: checks)
}

/// The diagnostics of the bytes of a file, empty when there are none.
func diagnostics(_ bytes: [UInt8], checks: Configuration.Checks = .init()) -> [ConfigurationDiagnostic] {
  do throws(ConfigurationError) {
    _ = try Configuration.parse(bytes: bytes, file: "grampad.yaml", checks: checks)
    return []
  } catch {
    guard case .invalid(let diagnostics) = error else {
      Issue.record("not a list of diagnostics: \(error)")
      return []
    }
    return diagnostics
  }
}

/// A temporary folder for a test; removed by `remove()`.
struct TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/grampad-\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
