import EventLoop

/// Collects faults while a configuration is read.
final class FaultList {
  let file: String
  let checks: Configuration.Checks
  private(set) var faults: [ConfigurationFault] = []
  /// The types of the quick actions.
  private(set) var types: [String] = []
  /// The quick actions that zones and buttons refer to.
  private(set) var references: [(type: String, position: SourcePosition, faults: FaultReporter)] = []

  init(file: String, checks: Configuration.Checks) {
    self.file = file
    self.checks = checks
  }

  /// The position of each given key, by the key with its section: `confirm.full_g`.
  private(set) var positions: [String: SourcePosition] = [:]

  /// Records the position of a given key.
  func locate(_ keyPath: String, at position: SourcePosition) { positions[keyPath] = positions[keyPath] ?? position }

  /// The maximum number of faults; a file of garbage has a fault on every line.
  static let most = 200

  /// Whether the maximum is reached.
  var isFull: Bool { faults.count >= Self.most }

  /// Appends a fault once: an aliased value appears in several places.
  func append(_ fault: ConfigurationFault) {
    if !isFull, !faults.contains(fault) { faults.append(fault) }
  }

  func declare(_ type: String) { types.append(type) }

  func refer(to type: String, at position: SourcePosition, by faults: FaultReporter) {
    references.append((type, position, faults))
  }
}

/// Reports the faults of one key.
struct FaultReporter {
  let list: FaultList
  /// The key with its section.
  var keyPath: String

  var checks: Configuration.Checks { list.checks }

  /// The reporter for a key or item below this one.
  func below(_ key: String) -> FaultReporter {
    let separator = keyPath.isEmpty || key.hasPrefix("[") ? "" : "."
    return FaultReporter(list: list, keyPath: keyPath + separator + key)
  }

  /// Reports a fault; always returns `nil`, so that a rule can return the result.
  @discardableResult
  func report<Value>(_ message: String, at position: SourcePosition, suggestion: String? = nil) -> Value? {
    list.append(
      ConfigurationFault(
        file: list.file, position: position, keyPath: keyPath, message: message, suggestion: suggestion))
    return nil
  }

  /// Reports a fault.
  func report(_ message: String, at position: SourcePosition, suggestion: String? = nil) {
    let _: Never? = report(message, at: position, suggestion: suggestion)
  }

  /// Reports an unexpected value.
  func refuse<Value>(_ node: YAMLNode, expected: String, suggestion: String? = nil) -> Value? {
    report("expected \(expected), found \(node.found)", at: node.position, suggestion: suggestion)
  }

  /// Reports a duplicate key.
  func refusesDuplicate(_ entry: YAMLNode.Entry, in entries: [YAMLNode.Entry]) -> Bool {
    guard let first = entries.first(where: { $0.key == entry.key }), first.position < entry.position else {
      return false
    }
    report("duplicate key, first given on line \(first.position.line)", at: entry.position)
    return true
  }

  /// Reports an unknown key.
  func refuseUnknown(_ entry: YAMLNode.Entry, among known: [String]) {
    guard !list.isFull else { return }
    var fault = ConfigurationFault(
      file: list.file, position: entry.position, keyPath: below(printable(entry.key)).keyPath,
      message: keyPath.isEmpty ? "unknown section" : "unknown key in \(keyPath)",
      suggestion: closest(to: entry.key, in: known), unknownKey: printable(entry.key))
    let homes = Configuration.keys.filter { $0.section != keyPath && $0.keys.contains(entry.key) }.map(\.section)
    if fault.suggestion == nil, let home = homes.first {
      fault.message += "; it belongs in \(homes.joined(separator: " or "))"
      fault.suggestion = "\(home).\(entry.key)"
    }
    list.append(fault)
  }

  /// Records the type of a quick action, for references to it.
  func declare(_ type: String) { list.declare(type) }

  /// Records a reference to an action; it is checked when all actions are known.
  func note(_ action: Configuration.ActionReference, at position: SourcePosition) {
    if case .quick(let type) = action { list.refer(to: type, at: position, by: self) }
  }
}
