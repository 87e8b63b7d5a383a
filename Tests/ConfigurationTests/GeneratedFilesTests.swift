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

  /// What most people change comes first, in about ten lines, and every other key has a line with its value.
  @Test func theDefaultFileBeginsWithWhatMostPeopleChange() throws {
    let text = Configuration.defaultFileText
    let first = text.split(separator: "\n").drop { $0.hasPrefix("#") }.prefix { !$0.hasPrefix("#") }
    #expect(text.prefix(300).contains("\ndevice:\n") && first.count <= 12)
    for (name, _) in Configuration.firstKeys {
      let key = try #require(Configuration.allKeys.first { $0.name == name }, "\(name)")
      #expect(first.contains { $0.hasPrefix("  \(key.unqualifiedName): ") && $0.contains(" # ") }, "\(name)")
    }
    #expect(Configuration.groups.flatMap(\.value).sorted() == Configuration.keys.map(\.name).sorted())
    for key in Configuration.allKeys {
      let value = try #require(key.defaultValue() ?? key.example)
      let line = try #require(value.lines(key: key.unqualifiedName, indent: "").split(separator: "\n").first)
      let indent = key.name.contains(".") ? "  " : ""
      let isFirst = Configuration.firstKeys.contains { $0.key == key.name }
      // A key at the beginning has no second line, not even a comment: YAML permits it only once.
      #expect(["", "# "].contains { text.contains("\n\(indent)\($0)\(line)\n") } != isFirst, "\(key.name)")
      #expect(text.contains("\n  # \(key.unqualifiedName), set above: ") || !isFirst, "\(key.name)")
    }
  }

  /// A key of the last section of the beginning is set where it is documented; one of another section there is reported.
  @Test func aCommentOfTheDefaultFileBecomesASettingOrAnError() throws {
    func uncommented(_ line: String) -> String {
      Configuration.defaultFileText.replacing("\n  # \(line)\n", with: "\n  \(line)\n")
    }
    #expect(try Configuration.parse(uncommented("username: scale")).mqtt.username == "scale")
    let found = diagnostics(uncommented("rotate: 0"))
    #expect(found.count == 1 && found[0].description.contains("rotate: unknown key in mqtt; it belongs in pad"))
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
