import EventLoop

/// Collects what is wrong while a configuration is read.
final class FaultList {
  let file: String
  let checks: Configuration.Checks
  private(set) var faults: [ConfigurationFault] = []
  /// The types of the quick actions.
  private(set) var types: [String] = []
  /// Quick actions that zones and buttons name.
  private(set) var references: [(type: String, position: SourcePosition, faults: FaultReporter)] = []

  init(file: String, checks: Configuration.Checks) {
    self.file = file
    self.checks = checks
  }

  /// Where the file gives a key, by the key with its sections: `confirm.full_g`.
  private(set) var positions: [String: SourcePosition] = [:]

  /// Notes where the file gives a key.
  func locate(_ keyPath: String, at position: SourcePosition) { positions[keyPath] = positions[keyPath] ?? position }

  /// Nobody reads more; a file of garbage has a fault in every line.
  static let most = 200

  /// Whether no more are taken.
  var isFull: Bool { faults.count >= Self.most }

  /// Takes a fault, once: an aliased value is seen in several places.
  func append(_ fault: ConfigurationFault) {
    if !isFull, !faults.contains(fault) { faults.append(fault) }
  }

  func declare(_ type: String) { types.append(type) }

  func refer(to type: String, at position: SourcePosition, by faults: FaultReporter) {
    references.append((type, position, faults))
  }
}

/// Reports what is wrong with one key.
struct FaultReporter {
  let list: FaultList
  /// The key with the sections around it.
  var keyPath: String

  var checks: Configuration.Checks { list.checks }

  /// The reporter of a key or item in this one.
  func below(_ key: String) -> FaultReporter {
    let separator = keyPath.isEmpty || key.hasPrefix("[") ? "" : "."
    return FaultReporter(list: list, keyPath: keyPath + separator + key)
  }

  /// Reports a fault; always `nil`, so that a rule can return it.
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

  /// Reports that a value is not what is expected.
  func refuse<Value>(_ node: YAMLNode, expected: String, suggestion: String? = nil) -> Value? {
    report("expected \(expected), found \(node.found)", at: node.position, suggestion: suggestion)
  }

  /// Reports an entry whose key stands in the mapping before it already.
  func refusesDuplicate(_ entry: YAMLNode.Entry, in entries: [YAMLNode.Entry]) -> Bool {
    guard let first = entries.first(where: { $0.key == entry.key }), first.position < entry.position else {
      return false
    }
    report("duplicate key, first given on line \(first.position.line)", at: entry.position)
    return true
  }

  /// Reports a key that is not known here.
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

  /// Remembers the type of a quick action, for those who name it.
  func declare(_ type: String) { list.declare(type) }

  /// Remembers that an action is named here, to be looked for when all are known.
  func note(_ action: Configuration.ActionReference, at position: SourcePosition) {
    if case .quick(let type) = action { list.refer(to: type, at: position, by: self) }
  }
}
