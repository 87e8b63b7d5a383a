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
  static var keys: [Key<Self>] {
    Key("path", \.path, .file(.data), effect: .restart, "The SQLite database with all weighings.")
  }
}
