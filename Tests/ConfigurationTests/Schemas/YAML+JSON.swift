import Foundation
import Messages

@testable import Configuration

/// The folder `config` of the project.
let configurationFolder = defaultFile.deletingLastPathComponent()

extension JSONValue {
  /// A JSON file of the project.
  init(file: URL) throws {
    try self.init(Array(Data(contentsOf: file)), maximumBytes: 1 << 20, depth: 64)
  }

  /// YAML text as an editor that knows JSON Schema sees it; `nil` for text that is no YAML.
  init?(yaml: String) {
    let context = ParseContext(file: "", checks: Configuration.Checks())
    guard let node = YAMLDocument(Array(yaml.utf8), DiagnosticReporter(context: context, keyPath: "")).load() else {
      guard context.diagnostics.isEmpty else { return nil }
      self = .null
      return
    }
    guard context.diagnostics.isEmpty, let value = Self.value(of: node) else { return nil }
    self = value
  }

  private static func value(of node: YAMLNode) -> JSONValue? {
    switch node.content {
    case .sequence(let nodes):
      let items = nodes.compactMap(value)
      return items.count == nodes.count ? .array(items) : nil
    case .mapping(let entries):
      var writer = JSONWriter()
      for entry in entries where value(of: entry.value) == nil { return nil }
      writer.object { json in
        for entry in entries {
          json.key(entry.key)
          if let value = value(of: entry.value) { json.value(value) }
        }
      }
      return try? JSONValue(writer.bytes, maximumBytes: 1 << 20, depth: 64)
    case .scalar:
      switch node.scalar {
      case .null, nil: return .null
      case .flag(let flag): return .boolean(flag)
      case .number(let number): return .number(number)
      case .text(let text): return .string(text)
      case .notFinite: return nil
      }
    }
  }
}
