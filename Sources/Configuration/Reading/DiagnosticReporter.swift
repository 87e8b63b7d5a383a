import Languages
import Linux
import Weighing

/// Reports the errors of one key.
struct DiagnosticReporter {
  let context: ParseContext
  /// The key with its section.
  var keyPath: String

  var checks: Configuration.Checks { context.checks }

  /// The reporter for a key or item below this one.
  func below(_ key: String) -> DiagnosticReporter {
    let separator = keyPath.isEmpty || key.hasPrefix("[") ? "" : "."
    return DiagnosticReporter(context: context, keyPath: keyPath + separator + key)
  }

  /// Reports an error; always returns `nil`, so that a rule can return the result.
  @discardableResult
  func report<Value>(_ message: Sentence, at position: SourcePosition, suggestion: String? = nil) -> Value? {
    context.append(
      ConfigurationDiagnostic(
        file: context.file(at: position), position: position, keyPath: keyPath, message: message, suggestion: suggestion
      ))
    return nil
  }

  /// Reports an error.
  func report(_ message: Sentence, at position: SourcePosition, suggestion: String? = nil) {
    let _: Never? = report(message, at: position, suggestion: suggestion)
  }

  /// Reports an error by its text and values; always returns `nil`.
  @discardableResult
  func report<Value>(
    _ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:], at position: SourcePosition,
    suggestion: String? = nil
  ) -> Value? {
    report(Sentence(key, values), at: position, suggestion: suggestion)
  }

  /// Reports an error by its text and values.
  func report(
    _ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:], at position: SourcePosition,
    suggestion: String? = nil
  ) {
    let _: Never? = report(Sentence(key, values), at: position, suggestion: suggestion)
  }

  /// Reports an unexpected value.
  func reportUnexpected<Value>(_ node: YAMLNode, expected: Sentence, suggestion: String? = nil) -> Value? {
    context.append(
      ConfigurationDiagnostic(
        file: context.file(at: node.position), position: node.position, keyPath: keyPath,
        message: Sentence(.configFound, ["accepts": expected, "value": node.found]), suggestion: suggestion,
        accepted: expected))
    return nil
  }

  /// Reports a duplicate key; false if the entry is the first with its key.
  func reportsDuplicate(_ entry: YAMLNode.Entry, in entries: [YAMLNode.Entry]) -> Bool {
    guard let first = entries.first(where: { $0.key == entry.key }), first.position < entry.position else {
      return false
    }
    report(.configDuplicate, ["line": first.position.line], at: entry.position)
    return true
  }

  /// Reports an unknown key; returns whether it is an error. In the settings file it has no effect: a newer version may know it.
  func reportUnknown(_ entry: YAMLNode.Entry, among known: [String]) -> Bool {
    guard !context.isFull else { return true }
    var diagnostic = ConfigurationDiagnostic(
      file: context.file(at: entry.position), position: entry.position, keyPath: below(printable(entry.key)).keyPath,
      message: keyPath.isEmpty
        ? Sentence(.configUnknownSection) : Sentence(.configUnknownKey, ["section": keyPath]),
      suggestion: closest(to: entry.key, in: known), unknownKey: printable(entry.key))
    let homes = Configuration.keys.map(\.name).filter { $0 != keyPath && Self.keyNames.contains("\($0).\(entry.key)") }
    if diagnostic.suggestion == nil, let home = homes.first {
      let sections = homes.count == 1 ? .verbatim(home) : Sentence.oneOf(homes)
      diagnostic.message =
        keyPath.isEmpty
        ? Sentence(.configUnknownSectionElsewhere, ["sections": sections])
        : Sentence(.configUnknownKeyElsewhere, ["section": keyPath, "sections": sections])
      diagnostic.suggestion = "\(home).\(entry.key)"
    }
    guard entry.position.layer == SourcePosition.storedLayer else {
      context.append(diagnostic)
      return true
    }
    context.ignore(diagnostic)
    return false
  }

  private static let keyNames = Set(Configuration.allKeys.map(\.name))

  /// Records the type of a quick action, for references to it.
  func declare(_ type: String) { context.declare(type) }

  /// Records a reference to an action; it is checked when all actions are known.
  func addReference(to action: String, at position: SourcePosition) {
    if Action(rawValue: action) == nil { context.addReference(to: action, at: position, by: self) }
  }
}
