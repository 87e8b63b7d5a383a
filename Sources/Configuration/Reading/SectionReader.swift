import Languages
import Weighing

/// Reads the keys of a mapping, and reports the unknown ones at the end.
struct SectionReader {
  let reporter: DiagnosticReporter
  /// The keys that were requested, in order.
  private(set) var known: [String] = []
  private let entries: [YAMLNode.Entry]
  private let position: SourcePosition
  private var rejected: Set<String> = []
  private var isMapping = true

  /// Makes a reader for a section; an absent or empty one has no keys.
  init(section node: YAMLNode?, _ reporter: DiagnosticReporter) {
    self.init(node, expected: Sentence(.acceptsKeys), mayBeEmpty: true, reporter)
  }

  /// Makes a reader for a list item, which must be a mapping.
  init(item node: YAMLNode, _ expected: Sentence, _ reporter: DiagnosticReporter) {
    self.init(node, expected: expected, mayBeEmpty: false, reporter)
  }

  private init(_ node: YAMLNode?, expected: Sentence, mayBeEmpty: Bool, _ reporter: DiagnosticReporter) {
    self.reporter = reporter
    position = node?.position ?? .start
    if let node, case .mapping(let entries) = node.content {
      self.entries = entries
      return
    }
    entries = []
    if let node, !(mayBeEmpty && node.scalar == .null) {
      isMapping = false
      let _: Never? = reporter.reportUnexpected(node, expected: expected)
    }
  }

  /// Reads a key; the value is unchanged if the key is absent or rejected.
  mutating func read<Value>(_ key: String, _ rule: ValueRule<Value>, into value: inout Value) {
    if let new = readValue(of: key, rule) { value = new }
  }

  /// Reads an optional key without a default.
  mutating func read<Value>(_ key: String, _ rule: ValueRule<Value>, into value: inout Value?) {
    if let new = readValue(of: key, rule) { value = new }
  }

  /// Reads a required key.
  mutating func require<Value>(_ key: String, _ rule: ValueRule<Value>, into value: inout Value?) {
    value = readValue(of: key, rule)
    if isMapping, !isGiven(key) { reject(key, Sentence(.configMissing), at: position) }
  }

  /// Whether the file has the key.
  func isGiven(_ key: String) -> Bool { entries.contains { $0.key == key } }

  /// Whether no error was reported for the key so far.
  func isValid(_ key: String) -> Bool { !rejected.contains(key) }

  /// Reports an error at the value of a key, or at the section if the key is absent.
  mutating func report(_ key: String, _ message: Sentence) {
    reject(key, message, at: entries.first { $0.key == key }?.value.position ?? position)
  }

  /// Reports an error by its text and values at the value of a key, or at the section if the key is absent.
  mutating func report(
    _ key: String, _ text: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
  ) {
    report(key, Sentence(text, values))
  }

  /// Reports the unknown keys; returns whether the whole mapping is valid.
  mutating func finish() -> Bool {
    for entry in entries where !known.contains(entry.key) {
      if reporter.reportUnknown(entry, among: known) { rejected.insert(entry.key) }
    }
    return isMapping && rejected.isEmpty
  }

  private mutating func reject(_ key: String, _ message: Sentence, at position: SourcePosition) {
    rejected.insert(key)
    reporter.below(key).report(message, at: position)
  }

  private mutating func readValue<Value>(of key: String, _ rule: ValueRule<Value>) -> Value? {
    known.append(key)
    var result: Value?
    for entry in entries where entry.key == key {
      if reporter.below(key).reportsDuplicate(entry, in: entries) { rejected.insert(key) }
      reporter.context.locate(reporter.below(key).keyPath, at: entry.value.position)
      let value = rule.read(entry.value, reporter.below(key))
      if value == nil { rejected.insert(key) }
      result = result ?? value
    }
    return result
  }
}
