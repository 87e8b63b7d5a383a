extension Configuration {
  /// The reference of all keys in the documentation, `Configuration.md`.
  static var keyReferenceText: String {
    referenceHead
      + keys.map { key in
        let rows = key.isSection ? key.keys() : [key]
        return "\n## \(key.name)\n\n"
          + (key.isSection ? "\(key.documentation)\n\n" : "")
          + "| key | default | value | meaning |\n| --- | --- | --- | --- |\n" + rows.map(row).joined()
      }.joined()
  }

  private static func row(of key: Key<Configuration>) -> String {
    let value = key.defaultValue().map { "`\($0.flow)`" } ?? "not set"
    let page = key.pageNames != nil ? "Can be set in the page." : nil
    let meaning = [key.documentation, key.restart, page].compactMap(\.self).joined(separator: " ")
    return "| `\(key.unqualifiedName)` | \(value) | \(key.values) | \(meaning) |\n"
  }

  private static let referenceHead = """
    # Configuration reference

    Every key of the configuration file, with its default.

    ## Overview

    All keys are optional. A running appliance applies a new value when the file is saved and on SIGHUP, unless the table says
    that the change requires a restart. Users can set some keys in the page; see [Settings in the page](Settings.md).
    `config/grampad.yaml` contains the same keys, ready to be copied, and `config/grampad.schema.json` describes them for editors.
    [Installing](Installing.md) explains where the file is.

    This page and both files are generated from the declarations in `Sources/Configuration`; see [Testing](Testing.md).

    """
}
