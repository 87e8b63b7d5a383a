/// One section of the configuration: read from a file, written to one.
protocol ConfigurationSection {
  /// Reads what the section gives over the defaults.
  init(from section: inout SectionReader)
  /// Its keys and values in the contract's order.
  var entries: [YAMLEntry] { get }
}

/// Reads the keys of one mapping, and knows afterwards which were not asked for.
struct SectionReader {
  let faults: FaultReporter
  /// The keys that were asked for, in order.
  private(set) var known: [String] = []
  private let entries: [YAMLNode.Entry]
  private let position: SourcePosition
  private var refused: Set<String> = []
  private var isMapping = true

  /// Reads a section; one that is absent or empty gives nothing.
  init(section node: YAMLNode?, _ faults: FaultReporter) {
    self.init(node, expected: "a mapping of keys", mayBeEmpty: true, faults)
  }

  /// Reads an item of a list or the like, which has to be a mapping.
  init(item node: YAMLNode, _ expected: String, _ faults: FaultReporter) {
    self.init(node, expected: expected, mayBeEmpty: false, faults)
  }

  private init(_ node: YAMLNode?, expected: String, mayBeEmpty: Bool, _ faults: FaultReporter) {
    self.faults = faults
    position = node?.position ?? .start
    if let node, case .mapping(let entries) = node.content {
      self.entries = entries
      return
    }
    entries = []
    if let node, !(mayBeEmpty && node.scalar == .null) {
      isMapping = false
      let _: Never? = faults.refuse(node, expected: expected)
    }
  }

  /// Reads a key where it is given; the old value stays where it is not, or is refused.
  mutating func read<Value>(_ key: String, _ rule: ValueRule<Value>, into value: inout Value) {
    if let new = take(key, rule) { value = new }
  }

  /// Reads a key that may be absent for good.
  mutating func read<Value>(_ key: String, _ rule: ValueRule<Value>, into value: inout Value?) {
    if let new = take(key, rule) { value = new }
  }

  /// Reads a key that has to be there.
  mutating func require<Value>(_ key: String, _ rule: ValueRule<Value>, into value: inout Value?) {
    value = take(key, rule)
    if isMapping, !isGiven(key) { refuse(key, "missing; required in every entry", at: position) }
  }

  /// Whether the file gives the key.
  func isGiven(_ key: String) -> Bool { entries.contains { $0.key == key } }

  /// Whether nothing was refused in the key so far.
  func isSound(_ key: String) -> Bool { !refused.contains(key) }

  /// Reports a fault at the value of a key, or at the section where the key is not given.
  mutating func report(_ key: String, _ message: String) {
    refuse(key, message, at: entries.first { $0.key == key }?.value.position ?? position)
  }

  /// Reports the keys that nothing asked for; whether the whole mapping was sound.
  mutating func finish() -> Bool {
    for entry in entries where !known.contains(entry.key) {
      refused.insert(entry.key)
      faults.refuseUnknown(entry, among: known)
    }
    return isMapping && refused.isEmpty
  }

  private mutating func refuse(_ key: String, _ message: String, at position: SourcePosition) {
    refused.insert(key)
    faults.below(key).report(message, at: position)
  }

  private mutating func take<Value>(_ key: String, _ rule: ValueRule<Value>) -> Value? {
    known.append(key)
    var result: Value?
    for entry in entries where entry.key == key {
      if faults.below(key).refusesDuplicate(entry, in: entries) { refused.insert(key) }
      faults.list.locate(faults.below(key).keyPath, at: entry.value.position)
      let value = rule.read(entry.value, faults.below(key))
      if value == nil { refused.insert(key) }
      result = result ?? value
    }
    return result
  }
}
