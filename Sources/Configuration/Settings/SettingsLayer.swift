import Languages
import Linux
import Messages
import Weighing

/// The values that override those of the configuration file, key by key.
///
/// A value replaces that of the configuration as a whole: a list, the zones, and the section `calibration` are not combined
/// with those of the configuration.
struct SettingsLayer: Sendable {
  /// The values by the names of their keys: `pad.zones`.
  private(set) var values: [String: YAMLNode] = [:]

  /// No values.
  init() {}

  /// Reads the root of a settings file; reports keys that may not be set there.
  init(_ root: YAMLNode?, _ reporter: DiagnosticReporter) {
    let keys = Configuration.settableKeys.map(\.name)
    let sections = Set(keys.compactMap { name in name.split(separator: ".").dropLast().first.map(String.init) })
    for entry in Self.entries(of: root, reporter) {
      if keys.contains(entry.key) {
        values[entry.key] = entry.value
      } else if sections.contains(entry.key) {
        let section = reporter.below(entry.key)
        for child in Self.entries(of: entry.value, section) {
          let name = "\(entry.key).\(child.key)"
          if keys.contains(name) {
            values[name] = child.value
          } else {
            section.below(printable(child.key)).reportNotSettable(at: child.position)
          }
        }
      } else {
        reporter.below(printable(entry.key)).reportNotSettable(at: entry.position)
      }
    }
  }

  /// The entries of a mapping, without duplicates, which are reported.
  private static func entries(of node: YAMLNode?, _ reporter: DiagnosticReporter) -> [YAMLNode.Entry] {
    guard let node, node.scalar != .null else { return [] }
    guard case .mapping(let entries) = node.content else {
      let _: Never? = reporter.reportUnexpected(node, expected: Sentence(.acceptsKeys))
      return []
    }
    return entries.filter { !reporter.below($0.key).reportsDuplicate($0, in: entries) }
  }

  /// Sets the value of a key, or removes it.
  subscript(_ key: String) -> YAMLNode? {
    get { values[key] }
    set { values[key] = newValue }
  }

  /// Reads a configuration with these values instead of its own.
  ///
  /// - Parameter path: The path of the settings file.
  func configuration(
    over root: YAMLNode?, _ context: ParseContext, path: String
  ) throws(ConfigurationError) -> Configuration {
    do throws(ConfigurationError) {
      return try Configuration.read(merged(into: root), context)
    } catch {
      guard case .invalid(let diagnostics) = error else { throw error }
      throw .invalidSettings(path: path, diagnostics)
    }
  }

  /// The root of a configuration with these values instead of its own.
  func merged(into root: YAMLNode?) -> YAMLNode {
    var entries = root?.entries ?? []
    for (key, node) in values.sorted(by: { $0.key < $1.key }) {
      let names = key.split(separator: ".").map(String.init)
      if names.count == 1 {
        entries.set(names[0], to: node)
      } else {
        let section = entries.first { $0.key == names[0] }
        var keys = section?.value.entries ?? []
        keys.set(names[1], to: node)
        entries.set(
          names[0], to: YAMLNode(content: .mapping(keys), position: section?.value.position ?? node.position))
      }
    }
    return YAMLNode(content: .mapping(entries), position: root?.position ?? .start)
  }
}

extension YAMLNode {
  /// The entries of a mapping; empty for everything else.
  fileprivate var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

  /// The node with all positions in the settings file.
  func inSettings() -> YAMLNode {
    var node = self
    node.position.layer = 1
    switch content {
    case .scalar: break
    case .sequence(let items): node.content = .sequence(items.map { $0.inSettings() })
    case .mapping(let entries):
      node.content = .mapping(
        entries.map { entry in
          var position = entry.position
          position.layer = 1
          return Entry(key: entry.key, position: position, value: entry.value.inSettings())
        })
    }
    return node
  }

  /// A JSON value as it would be read from a settings file.
  init(_ json: JSONValue) {
    let content: Content =
      switch json {
      case .null: .scalar("null", isPlain: true)
      case .boolean(let flag): .scalar(flag ? "true" : "false", isPlain: true)
      case .number(let number): .scalar(numberText(number), isPlain: true)
      case .string(let text): .scalar(text, isPlain: false)
      case .array(let items): .sequence(items.map(YAMLNode.init))
      case .object(let fields):
        .mapping(
          fields.keys.map { key in
            Entry(key: key, position: .start, value: fields[key].map(YAMLNode.init) ?? YAMLNode(.null))
          })
      }
    self.init(content: content, position: .start)
  }
}

extension YAMLNode {
  /// A written value as it would be read from a settings file.
  init(_ output: OutputValue) {
    let content: Content =
      switch output {
      case .text(let text): .scalar(text, isPlain: false)
      case .number(let number): .scalar(numberText(number), isPlain: true)
      case .integer(let integer): .scalar(String(integer), isPlain: true)
      case .hexadecimal(let number): .scalar(String(number), isPlain: true)
      case .flag(let flag): .scalar(flag ? "true" : "false", isPlain: true)
      case .list(let items): .sequence(items.map(YAMLNode.init))
      case .map(let entries), .section(let entries):
        .mapping(entries.map { Entry(key: $0.key, position: .start, value: YAMLNode($0.value)) })
      }
    self.init(content: content, position: .start)
  }
}

extension [YAMLNode.Entry] {
  /// Replaces the value of a key, or appends the key.
  fileprivate mutating func set(_ key: String, to value: YAMLNode) {
    let entry = YAMLNode.Entry(key: key, position: value.position, value: value)
    if let index = firstIndex(where: { $0.key == key }) { self[index] = entry } else { append(entry) }
  }
}
