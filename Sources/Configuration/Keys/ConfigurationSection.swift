/// A section of the configuration: its keys, each declared once.
protocol ConfigurationSection: Equatable {
  /// All defaults.
  init()
  /// The keys in the documented order.
  @KeyBuilder<Self> static var keys: [Key<Self>] { get }
  /// Checks the values against each other, after all keys have been read.
  func check(_ section: inout SectionReader)
}

extension ConfigurationSection {
  func check(_: inout SectionReader) {}

  /// Reads the given keys; the others keep their defaults.
  init(from section: inout SectionReader) {
    self.init()
    for key in Self.keys { key.read(&section, &self) }
    for key in Self.keys {
      if let other = key.requiredKey, section.isGiven(key.name), !section.isGiven(other) {
        section.report(key.name, .configRequires, ["key": other])
      }
    }
    check(&section)
  }

  /// The keys and values in the documented order, without the keys that are omitted unless set.
  var entries: [OutputEntry] { Self.keys.compactMap { key in key.output(self).map { OutputEntry(key.name, $0) } } }
}

/// Collects the keys of a section.
@resultBuilder enum KeyBuilder<Section: ConfigurationSection> {
  static func buildExpression(_ key: Key<Section>) -> Key<Section> { key }
  static func buildBlock(_ keys: Key<Section>...) -> [Key<Section>] { keys }
}
