import Foundation
import Testing

@testable import Configuration

/// The files that are generated from the declarations of the keys are up to date.
///
/// With GRAMPAD_REWRITE_GOLDEN=1 they are rewritten, see Testing.md.
@Suite struct GeneratedFilesTests {
  struct File: Sendable, CustomTestStringConvertible {
    let path: String
    let text: @Sendable () -> String

    var testDescription: String { path }
    var location: URL {
      defaultFile.deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
    }
  }

  static let files = [
    File(path: "config/grampad.yaml") { Configuration.defaultFileText },
    File(path: "config/grampad.schema.json") { Configuration.schemaText },
    File(path: "Sources/Appliance/Appliance.docc/Configuration.md") { Configuration.keyReferenceText },
  ]

  @Test(arguments: files) func isUpToDate(_ file: File) throws {
    let text = file.text()
    if ProcessInfo.processInfo.environment["GRAMPAD_REWRITE_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: file.location)
    }
    #expect(try String(contentsOf: file.location, encoding: .utf8) == text, "rewrite it with GRAMPAD_REWRITE_GOLDEN=1")
  }

  /// All examples together are a valid configuration.
  @Test func theExamplesAreValid() throws {
    let yaml = Configuration.keys.map { key in
      guard key.isSection else { return key.example?.lines(key: key.name, indent: "") ?? "" }
      let examples = key.keys().compactMap { $0.example?.lines(key: $0.unqualifiedName, indent: "  ") }
      return examples.isEmpty ? "" : "\(key.name):\n" + examples.joined()
    }.joined()
    let read = try Configuration.parse(yaml)
    for key in Configuration.allKeys {
      if let example = key.example { #expect(key.output(read) == example, "\(key.name)") }
      #expect(
        key.example != nil || key.defaultValue() != nil, "\(key.name) has neither a default nor an example")
    }
  }

  /// A key without documentation, or with a text that breaks the table, is a mistake in its declaration.
  @Test func everyKeyIsDocumented() {
    for key in Configuration.keys + Configuration.allKeys {
      #expect(key.documentation.hasSuffix("."), "\(key.name)")
      #expect(!key.documentation.contains("|") && !key.values.contains("|"), "\(key.name)")
    }
  }
}
