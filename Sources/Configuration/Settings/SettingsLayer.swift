import Languages
import Linux
import Messages
import Weighing

/// The values that override those of the configuration file, key by key.
///
/// A value replaces that of the configuration as a whole: a list, the zones, and the section `calibration` are not combined
/// with those of the configuration.
///
/// The file may have been written by a newer version, from which the appliance has gone back. What this version does not know stays in
/// the file, has no effect, and is listed in `Configuration.unknownSettings`.
struct SettingsLayer: Sendable {
  /// The values by the names of their keys: `pad.zones`.
  private(set) var values: [String: YAMLNode] = [:]
  /// The entries without effect, each with the names of its section and its key.
  private(set) var unknown: [(names: [String], node: YAMLNode)] = []
  /// The paths of their keys.
  private var unknownKeys: [String] = []
  /// The newest version that has written the file; `nil` if it does not say so.
  var version: String?

  /// No values.
  init() {}

  /// Reads the root of a settings file that a version has written; reports keys that may not be set there.
  init(_ root: YAMLNode?, version: String?, _ reporter: DiagnosticReporter) {
    self.version = version
    let settable = Set(Configuration.settableKeys.map(\.name))
    let sections = Set(Configuration.keys.filter(\.isSection).map(\.name)).subtracting(settable)
    let all = Set(Configuration.allKeys.map(\.name)).union(sections)
    for entry in Self.entries(of: root, reporter) {
      if sections.contains(entry.key) {
        let section = reporter.below(entry.key)
        for child in Self.entries(of: entry.value, section) {
          add(child, [entry.key, child.key], settable: settable, all: all, section)
        }
      } else {
        add(entry, [entry.key], settable: settable, all: all, reporter)
      }
    }
  }

  private mutating func add(
    _ entry: YAMLNode.Entry, _ names: [String], settable: Set<String>, all: Set<String>, _ reporter: DiagnosticReporter
  ) {
    let name = names.joined(separator: ".")
    let reporter = reporter.below(printable(entry.key))
    if settable.contains(name) {
      values[name] = entry.value
    } else if all.contains(name), !isFromNewerVersion {
      reporter.reportNotSettable(at: entry.position)
    } else {
      unknown.append((names, entry.value))
      unknownKeys.append(reporter.keyPath)
    }
  }

  /// Whether a value that this version refuses may be valid in the one that wrote it.
  private var isFromNewerVersion: Bool { version.map(Version.precedes) ?? false }

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
    set {
      values[key] = newValue
      unknown.removeAll { $0.names == key.split(separator: ".").map(String.init) }
      unknownKeys.removeAll { $0 == key }
    }
  }

  /// Reads a configuration with these values instead of its own. Of a newer version, values that are refused lose their effect, but not the
  /// calibration: every mass would be wrong.
  ///
  /// - Parameter path: The path of the settings file.
  mutating func configuration(
    over root: YAMLNode?, _ context: ParseContext, path: String
  ) throws(ConfigurationError) -> Configuration {
    do throws(ConfigurationError) {
      var configuration = try Configuration.read(merged(into: root), context)
      configuration.unknownSettings = unknownKeys + context.unknownSettings.map(\.keyPath)
      return configuration
    } catch {
      guard case .invalid(let diagnostics) = error else { throw error }
      let stored = diagnostics.filter { $0.position.layer == SourcePosition.storedLayer }.map(\.keyPath)
      let refused = values.filter { value in
        isFromNewerVersion && value.key != "calibration" && stored.contains { isKey($0, in: value.key) }
      }
      if refused.isEmpty { throw .invalidSettings(path: path, diagnostics) }
      for (key, node) in refused.sorted(by: { $0.key < $1.key }) {
        self[key] = nil
        unknown.append((key.split(separator: ".").map(String.init), node))
        unknownKeys.append(key)
      }
      return try configuration(over: root, context.emptied, path: path)
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

  /// The node with all positions in the settings file, or in a change of it.
  func inSettings(layer: Int = SourcePosition.storedLayer) -> YAMLNode {
    var node = self
    node.position.layer = layer
    switch content {
    case .scalar: break
    case .sequence(let items): node.content = .sequence(items.map { $0.inSettings(layer: layer) })
    case .mapping(let entries):
      node.content = .mapping(
        entries.map { entry in
          var position = entry.position
          position.layer = layer
          return Entry(key: entry.key, position: position, value: entry.value.inSettings(layer: layer))
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
      case .literal(let text): .scalar(text, isPlain: true)
      case .list(let items): .sequence(items.map(YAMLNode.init))
      case .map(let entries), .section(let entries):
        .mapping(entries.map { Entry(key: $0.key, position: .start, value: YAMLNode($0.value)) })
      }
    self.init(content: content, position: .start)
  }
}

/// Whether the path of a key, `actions[0].icon`, is that of `actions` or of a key in it.
func isKey(_ path: String, in key: String) -> Bool {
  path == key || path.hasPrefix(key + ".") || path.hasPrefix(key + "[")
}

extension [YAMLNode.Entry] {
  /// Replaces the value of a key, or appends the key.
  fileprivate mutating func set(_ key: String, to value: YAMLNode) {
    let entry = YAMLNode.Entry(key: key, position: value.position, value: value)
    if let index = firstIndex(where: { $0.key == key }) { self[index] = entry } else { append(entry) }
  }
}
