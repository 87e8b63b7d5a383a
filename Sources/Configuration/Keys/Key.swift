import Languages
import Weighing

/// The declaration of a key. Everything else follows from it: reading, printing, the schema, the default file, the
/// reference in the documentation, absolute paths, and the changes that need a restart. The default is the value in
/// `Section()`.
struct Key<Section: ConfigurationSection> {
  /// The name; with the section, `scale.capacity_g`, in a list of the keys of the whole configuration.
  let name: String
  /// The meaning in one or more sentences, without the accepted values and the default.
  let documentation: String
  /// The accepted values in words; `nil` for a section.
  let accepted: Sentence?
  /// The JSON schema of the accepted values.
  let schema: () -> OutputValue
  /// The default; `nil` without one, and for a section.
  let defaultValue: () -> OutputValue?
  /// An example, for keys without a default and for lists.
  let example: OutputValue?
  /// The key of the same section without which this one is an error.
  let requiredKey: String?
  /// Which changes need a restart, as a sentence; `nil` if none do.
  let restart: String?
  /// What the file is for, if the value is the path of a file.
  let file: FileUse?
  /// Where else than in the configuration file the value may be set.
  let settings: SettingsScope
  /// The keys below a section.
  let keys: () -> [Key]

  let read: (inout SectionReader, inout Section) -> Void
  /// The value to write; `nil` if it is not set.
  let output: (Section) -> OutputValue?
  /// Whether the change from the old to the new value needs a restart.
  let needsRestart: (_ old: Section, _ new: Section) -> Bool
  /// Copies the value.
  let copy: (_ from: Section, _ to: inout Section) -> Void
  /// Makes the path of a file absolute.
  let resolvePath: (_ section: inout Section, _ folder: String) -> Void
}

extension Key {
  /// The name of its field in the page and the group of it; `nil` if it is not set there.
  var pageNames: (name: TextKey, group: SettingsGroup)? {
    if case .page(let name, let group) = settings { (name, group) } else { nil }
  }

  /// Whether it is a section with keys of its own.
  var isSection: Bool { accepted == nil }

  /// The accepted values in English; empty for a section.
  var values: String { accepted?.description ?? "" }

  /// The name without the section.
  var unqualifiedName: String { name.split(separator: ".").last.map(String.init) ?? name }
}

extension Key {
  /// Declares a key with a default.
  ///
  /// - Parameters:
  ///   - example: A value that differs from the default.
  ///   - effect: When a new value takes effect.
  ///   - settings: Where else than in the configuration file the value may be set.
  init<Value: Equatable>(
    _ name: String, _ path: WritableKeyPath<Section, Value>, _ rule: ValueRule<Value>, example: Value? = nil,
    effect: ChangeEffect<Value> = .reload, settings: SettingsScope = .file, _ documentation: String
  ) {
    self.init(name, path, rule, example: example, requires: nil, effect: effect, settings: settings, documentation)
  }

  /// Declares a key without a default; it is omitted unless set.
  ///
  /// - Parameters:
  ///   - requiredKey: The key of the same section without which this one is an error.
  init<Value: Equatable>(
    _ name: String, _ path: WritableKeyPath<Section, Value?>, _ rule: ValueRule<Value>, example: Value,
    requires requiredKey: String? = nil, _ documentation: String
  ) {
    self.init(
      name, path, rule.optional, example: .some(example), requires: requiredKey, effect: .reload, settings: .file,
      documentation)
  }

  /// Declares a section with keys of its own.
  ///
  /// - Parameter settings: Where else than in the configuration file the section may be set, as a whole.
  init<Child: ConfigurationSection>(
    _ name: String, _ path: WritableKeyPath<Section, Child>, settings: SettingsScope = .file, _ documentation: String
  ) {
    self.init(
      name: name, documentation: documentation, accepted: nil, schema: { .schema(of: Child.self) },
      defaultValue: { nil }, example: nil, requiredKey: nil, restart: nil, file: nil, settings: settings,
      keys: { Child.keys.map { $0.lifted(to: path, in: name) } },
      read: { reader, section in reader.read(name, .section, into: &section[keyPath: path]) },
      output: { section in
        let entries = section[keyPath: path].entries
        return entries.isEmpty ? nil : .section(entries)
      }, needsRestart: { _, _ in false },
      copy: { $1[keyPath: path] = $0[keyPath: path] }, resolvePath: { _, _ in })
  }

  private init<Value: Equatable>(
    _ name: String, _ path: WritableKeyPath<Section, Value>, _ rule: ValueRule<Value>, example: Value?,
    requires requiredKey: String?, effect: ChangeEffect<Value>, settings: SettingsScope, _ documentation: String
  ) {
    self.init(
      name: name, documentation: documentation, accepted: rule.accepted, schema: rule.schema,
      defaultValue: { rule.output(Section()[keyPath: path]) }, example: example.flatMap(rule.output),
      requiredKey: requiredKey, restart: effect.restart, file: rule.file, settings: settings, keys: { [] },
      read: { reader, section in reader.read(name, rule, into: &section[keyPath: path]) },
      output: { rule.output($0[keyPath: path]) },
      needsRestart: { effect.needsRestart($0[keyPath: path], $1[keyPath: path]) },
      copy: { $1[keyPath: path] = $0[keyPath: path] },
      resolvePath: { $0[keyPath: path] = rule.resolvePath($0[keyPath: path], $1) })
  }

  /// This key as a key of the section that contains its own.
  private func lifted<Parent>(to path: WritableKeyPath<Parent, Section>, in section: String) -> Key<Parent> {
    Key<Parent>(
      name: "\(section).\(name)", documentation: documentation, accepted: accepted, schema: schema,
      defaultValue: defaultValue, example: example,
      requiredKey: requiredKey, restart: restart, file: file, settings: settings,
      keys: { keys().map { $0.lifted(to: path, in: section) } },
      read: { reader, parent in read(&reader, &parent[keyPath: path]) }, output: { output($0[keyPath: path]) },
      needsRestart: { needsRestart($0[keyPath: path], $1[keyPath: path]) },
      copy: { copy($0[keyPath: path], &$1[keyPath: path]) }, resolvePath: { resolvePath(&$0[keyPath: path], $1) })
  }
}

/// Where else than in the configuration file a value may be set.
enum SettingsScope: Equatable {
  /// Nowhere else.
  case file
  /// In the page, by users: the name of its field, and the group of fields that it is in.
  case page(TextKey, in: SettingsGroup)
  /// By the calibration, which is the only one that may name its files.
  case calibration
}

/// The groups of fields in the page, in their order.
enum SettingsGroup: CaseIterable {
  case scale, stability, pad, containers, actions, broker

  var title: TextKey {
    switch self {
    case .scale: .settingsScale
    case .stability: .settingsStability
    case .pad: .pagePad
    case .containers: .pageContainers
    case .actions: .pageQuickActions
    case .broker: .pageBroker
    }
  }
}

/// What a file is for whose path is in the configuration.
enum FileUse {
  /// Data of the service; a relative path starts from the state folder.
  case data
  /// Exists while the service runs; a relative path starts from the runtime folder.
  case runtime
  /// Written by a command; it need not exist.
  case optional
  /// Read by the service; it must exist.
  case required
  /// As `required`, with a secret in it.
  case secret
}
