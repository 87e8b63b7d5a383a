extension Configuration {
  /// The record of weighings (`journal`).
  package struct Journal: Hashable, Sendable {
    /// The SQLite file; see `resolvingPaths(in:stateFolder:)` for the base of a relative path.
    package var path = "grampad.db"

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Journal: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("path", .path, into: &path)
  }

  var entries: [YAMLEntry] { [("path", .text(path))] }
}
