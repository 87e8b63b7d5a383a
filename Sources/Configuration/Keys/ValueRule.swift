import Languages
import Weighing

/// The rule for the value of a key: how it is read, written and described.
struct ValueRule<Value> {
  /// The accepted values in words.
  let accepted: Sentence
  /// The JSON schema of the accepted values.
  let schema: () -> OutputValue
  /// Converts a value for writing; `nil` if it is omitted.
  let output: (Value) -> OutputValue?
  /// What the file is for, if the value is the path of a file.
  var file: FileUse?
  /// Makes the path of a file absolute; without effect on other values.
  var resolvePath: (Value, _ folder: String) -> Value = { value, _ in value }
  /// Converts a node; `nil` if it was rejected, in which case at least one error was reported.
  let read: (YAMLNode, DiagnosticReporter) -> Value?

  init(
    _ accepted: Sentence, schema: @autoclosure @escaping () -> OutputValue,
    output: @escaping (Value) -> OutputValue?, read: @escaping (YAMLNode, DiagnosticReporter) -> Value?
  ) {
    (self.accepted, self.schema, self.output, self.read) = (accepted, schema, output, read)
  }

  /// - Parameter values: The accepted values in words, for the default file and the reference only.
  init(
    _ values: String, schema: @autoclosure @escaping () -> OutputValue,
    output: @escaping (Value) -> OutputValue?, read: @escaping (YAMLNode, DiagnosticReporter) -> Value?
  ) {
    self.init(.verbatim(values), schema: schema(), output: output, read: read)
  }

  /// A rule for reading only: for the items of other files, which have no schema.
  init(reading read: @escaping (YAMLNode, DiagnosticReporter) -> Value?) {
    self.init("", schema: [:], output: { _ in nil }, read: read)
  }

  /// The same rule for another type.
  func map<Other>(
    _ transform: @escaping (Value) -> Other, _ inverse: @escaping (Other) -> Value
  ) -> ValueRule<Other> {
    ValueRule<Other>(accepted, schema: schema(), output: { output(inverse($0)) }) { node, reporter in
      read(node, reporter).map(transform)
    }
  }

  /// The same rule for a key without a default.
  var optional: ValueRule<Value?> {
    var rule = ValueRule<Value?>(accepted, schema: schema(), output: { $0.flatMap(output) }) { node, reporter in
      read(node, reporter).map(Optional.some)
    }
    rule.file = file
    rule.resolvePath = { value, folder in value.map { resolvePath($0, folder) } }
    return rule
  }
}

extension ValueRule where Value: ConfigurationSection {
  /// A whole section; an empty one has all defaults.
  static var section: Self {
    ValueRule(reading: { node, reporter in
      var section = SectionReader(section: node, reporter)
      let value = Value(from: &section)
      _ = section.finish()
      return value
    })
  }
}

extension ValueRule {
  /// One of the cases of an enumeration.
  static func oneOf(_ type: Value.Type) -> Self where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    let names = Value.allCases.map(\.rawValue)
    let expected = Sentence.oneOf(names)
    return ValueRule(expected, schema: ["enum": .list(names.map { .text($0) })], output: { .text($0.rawValue) }) {
      node, reporter in
      guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      return Value(rawValue: name)
        ?? reporter.reportUnexpected(node, expected: expected, suggestion: closest(to: name, in: names))
    }
  }
}

extension ValueRule {
  /// A list with a maximum number of items; one without content is empty.
  static func list<Item>(atMost limit: Int, of items: String, _ item: ValueRule<Item>) -> Self where Value == [Item] {
    list(atMost: limit, of: items) { _ in item }
  }

  /// A list in which the rule for an item depends on the items before it.
  static func list<Item>(
    atMost limit: Int, of items: String, _ rule: @escaping (_ others: [Item]) -> ValueRule<Item>
  ) -> Self where Value == [Item] {
    ValueRule(
      "a list of up to \(limit) \(items)",
      schema: ["type": ["array", "null"], "maxItems": .integer(limit), "items": rule([]).schema()],
      output: { .list($0.compactMap(rule([]).output)) }
    ) { node, reporter in
      var others: [Item] = []
      return reporter.items(of: node, atMost: limit) { node, reporter in
        let item = rule(others).read(node, reporter)
        if let item { others.append(item) }
        return item
      }
    }
  }
}

extension DiagnosticReporter {
  /// Reads the items of a list with a maximum number of items; one without content is empty.
  func items<Item>(
    of node: YAMLNode, atMost limit: Int, _ read: (YAMLNode, DiagnosticReporter) -> Item?
  ) -> [Item]? {
    if node.scalar == .null { return [] }
    guard case .sequence(let nodes) = node.content else {
      return reportUnexpected(node, expected: Sentence(.acceptsList))
    }
    if nodes.count > limit {
      report(.configManyEntries, ["count": nodes.count, "limit": limit], at: nodes[limit].position)
    }
    let items = nodes.prefix(limit).enumerated().compactMap { read($1, below("[\($0)]")) }
    return items.count == nodes.count ? items : nil
  }
}

extension ValueRule<Bool> {
  /// `true` or `false`. The other booleans of YAML 1.1 are rejected, so that the YAML version does not matter.
  static var flag: Self {
    let expected = Sentence.oneOf(["true", "false"])
    return ValueRule(expected, schema: ["type": "boolean"], output: { .flag($0) }) { node, reporter in
      if case .flag(let flag) = node.scalar { return flag }
      var suggestion: String?
      if case .text(let word) = node.scalar {
        switch word.lowercased() {
        case "yes", "y", "on", "true": suggestion = "true"
        case "no", "n", "off", "false": suggestion = "false"
        default: suggestion = closest(to: word, in: ["true", "false"])
        }
      }
      if case .number(let number) = node.scalar, number == 0 || number == 1 {
        suggestion = number == 1 ? "true" : "false"
      }
      return reporter.reportUnexpected(node, expected: expected, suggestion: suggestion)
    }
  }
}
