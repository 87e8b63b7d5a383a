extension Configuration {
  /// The file with all defaults and the documentation of every key, `config/grampad.yaml`.
  static var defaultFileText: String {
    fileHead
      + keys.map { key in
        guard key.isSection else { return "\n" + defaultLines(of: key, indent: "") }
        return "\n" + comment(key.documentation, indent: "") + "\(key.name):\n"
          + key.keys().map { defaultLines(of: $0, indent: "  ") }.joined()
      }.joined()
  }

  private static func defaultLines(of key: Key<Configuration>, indent: String) -> String {
    let value = key.defaultValue()
    let name = key.unqualifiedName
    let notes = [
      "Value: \(key.values)" + (key.values.hasSuffix(".") ? "" : "."), value == nil ? "Not set by default." : nil,
      key.restart,
    ]
    var lines =
      comment(key.documentation, indent: indent)
      + comment(notes.compactMap(\.self).joined(separator: " "), indent: indent)
    if let example = key.example, value != nil {
      lines += comment("Example:", indent: indent)
      for line in example.lines(key: name, indent: "  ").split(separator: "\n") { lines += "\(indent)# \(line)\n" }
    }
    // A key without a default is shown as a comment, ready to be used.
    return lines
      + (value?.lines(key: name, indent: indent) ?? key.example?.lines(key: name, indent: indent + "# ") ?? "")
  }

  /// A text as comment lines of at most 120 characters.
  private static func comment(_ text: String, indent: String) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= 120 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("\(indent)# \(word)")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let fileHead = """
    # yaml-language-server: $schema=grampad.schema.json
    # Grampad configuration: every setting with its default.
    #
    # All keys are optional. A missing key has the default shown here, so your own file needs only the settings that differ.
    # `grampad check --config FILE` reports every error with its line and column and prints the resulting configuration with
    # all defaults filled in. The service reloads the file when it is saved and on SIGHUP. If the new file is invalid, the
    # service logs an error and keeps the previous settings. Changes that require a restart are marked.
    #
    # The format is YAML 1.2: true and false (not yes and no), a decimal point, no anchors, aliases or tags, at most 1 MiB.
    # Relative paths are resolved against the directory of this file; journal.path is resolved against $STATE_DIRECTORY if
    # systemd sets it.

    """
}
