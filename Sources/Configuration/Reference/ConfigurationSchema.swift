import Weighing

extension Configuration {
  /// The JSON schema (draft 7) of the configuration, `config/grampad.schema.json`.
  static var schemaText: String {
    let names = [("axis", AxisCode.allNames), ("key", KeyCode.allNames)]
    let definitions = names.map { OutputEntry($0, ["enum": .list($1.map { .text($0) })]) }
    let head: OutputValue = [
      "$schema": "http://json-schema.org/draft-07/schema#", "title": "Grampad configuration",
      "description":
        "Settings in grampad.yaml. `grampad check` also verifies what a schema cannot express: that calibration points increase, that zones do not overlap and that files exist.",
    ]
    let content = OutputValue.schema(of: Configuration.self).entries
    return OutputValue.map(head.entries + content + [OutputEntry("definitions", .map(definitions))]).json() + "\n"
  }
}

extension OutputValue {
  /// The schema of a section with its keys.
  static func schema<Section: ConfigurationSection>(of _: Section.Type) -> OutputValue {
    let required = Section.keys.compactMap { key in key.requiredKey.map { OutputEntry(key.name, [.text($0)]) } }
    return .record([
      "type": ["object", "null"], "additionalProperties": false,
      "properties": .map(
        Section.keys.map { key in
          let value = key.defaultValue()
          let entries = key.schema().described(key.documentation).entries
          return OutputEntry(key.name, .map(entries + (value.map { [OutputEntry("default", $0)] } ?? [])))
        }),
      "dependencies": required.isEmpty ? nil : .map(required),
    ])
  }

  /// The schema of a mapping with these keys and no others.
  static func objectSchema(_ properties: KeyValuePairs<String, OutputValue>, required: [String]) -> OutputValue {
    [
      "type": "object", "additionalProperties": false, "required": .list(required.map { .text($0) }),
      "properties": .map(properties.map { OutputEntry($0, $1) }),
    ]
  }

  /// This schema with a description, which comes first.
  func described(_ description: String) -> OutputValue {
    .map([OutputEntry("description", .text(description))] + entries)
  }
}
