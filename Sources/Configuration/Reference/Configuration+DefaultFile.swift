extension Configuration {
  /// The file with all defaults and the documentation of every key, `config/grampad.yaml`.
  ///
  /// It begins with the keys that most people change. YAML permits a section only once, so the other keys of their sections
  /// follow as comments, and those at the beginning only with their documentation; all other sections follow with their values.
  static var defaultFileText: String {
    fileHead + firstSections + fileRules
      + groups.map { title, names in
        "\n" + comment(title, indent: "", mark: "##")
          + names.compactMap { name in keys.first { $0.name == name } }.map(defaultText).joined()
      }.joined()
  }

  /// The keys that most people change, each with a note. The keys of the last section can be set where they are documented,
  /// right below: those of a connection are the ones that are added most.
  static let firstKeys: KeyValuePairs = [
    "device.id": "part of every topic; each scale on a broker needs its own",
    "device.name": "the name that people read, for example Kitchen",
    "pad.device": "or {name: \"Some Touchpad\"}, {iio: hx711}: see `grampad devices`",
    "scale.capacity_g": "overload at or above it, in grams",
    "scale.division_g": "the step of the display, in grams: 1, 0.1, ...",
    "dashboard.address": "0.0.0.0 opens the page to the network; see token_file below",
    "mqtt.broker": "or mqtt://host:1883, mqtts://host:8883",
  ]

  /// All sections, in the order of the file.
  static let groups: KeyValuePairs = [
    "The keys of mqtt. Remove the `# ` to set one.": ["mqtt"],
    "The keys of the other sections above. To set one that is not there, copy its line to the section, without the `# `.":
      [
        "device", "pad", "scale", "dashboard",
      ],
    "Weighing": ["calibration", "stability", "timer", "target", "outputs", "containers", "containers_auto"],
    "Barcode and RFID readers": ["scanners", "codes", "scan_hold_s", "scan_commit"],
    "Presses, buttons and quick actions": ["confirm", "buttons", "actions", "history"],
    "Records and other programs": ["journal", "publish", "home_assistant", "metrics", "sics", "keyboard"],
  ]

  private static var firstSections: String {
    var (lines, section) = ("", "")
    for (name, note) in firstKeys {
      guard let key = allKeys.first(where: { $0.name == name }) else { continue }
      let own = String(name.prefix { $0 != "." })
      let line = "  \(key.unqualifiedName): \(key.defaultValue()?.flow ?? "")"
      lines += own == section ? "" : "\(own):\n"
      lines += line + String(repeating: " ", count: max(24 - line.count, 1)) + "# \(note)\n"
      section = own
    }
    return lines
  }

  private static func defaultText(of key: Key<Configuration>) -> String {
    guard key.isSection else { return "\n" + defaultLines(of: key, indent: "") }
    let isAbove = firstKeys.contains { name, _ in name.hasPrefix(key.name + ".") }
    return "\n" + comment((isAbove ? "\(key.name): " : "") + key.documentation, indent: "")
      + (isAbove ? "" : "\(key.name):\n")
      + key.keys().map { defaultLines(of: $0, indent: "  ", mark: isAbove ? "# " : "") }.joined()
  }

  /// The documentation and the default of a key.
  ///
  /// - Parameter mark: Precedes the default; `# ` makes it a comment.
  private static func defaultLines(of key: Key<Configuration>, indent: String, mark: String = "") -> String {
    let value = key.defaultValue()
    let name = key.unqualifiedName
    let isAbove = firstKeys.contains { $0.key == key.name }
    let notes = [
      "Value: \(key.values)" + (key.values.hasSuffix(".") ? "" : "."), value == nil ? "Not set by default." : nil,
      key.restart,
    ]
    var lines =
      comment((isAbove ? "\(name), set above: " : "") + key.documentation, indent: indent)
      + comment(notes.compactMap(\.self).joined(separator: " "), indent: indent)
    if let example = key.example, value != nil {
      lines += comment("Example:", indent: indent)
      for line in example.lines(key: name, indent: "  ").split(separator: "\n") { lines += "\(indent)# \(line)\n" }
    }
    // YAML permits a key only once. A key without a default is shown as a comment, ready to be used.
    if isAbove { return lines }
    return lines
      + (value?.lines(key: name, indent: indent + mark) ?? key.example?.lines(key: name, indent: indent + "# ") ?? "")
  }

  /// A text as comment lines of at most 120 characters.
  private static func comment(_ text: String, indent: String, mark: String = "#") -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= 120 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("\(indent)\(mark) \(word)")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let fileHead = """
    # yaml-language-server: $schema=grampad.schema.json
    # Grampad configuration: every setting with its default.

    ## What most people change

    """

  private static let fileRules = """

    # All keys are optional. A missing key has the default shown here, so your own file needs only the settings that differ.
    # `grampad check FILE` reports every error with its line and column and prints the resulting configuration with all
    # defaults filled in. The service reloads the file when it is saved and on SIGHUP. If the new file is invalid, the service
    # logs an error and keeps the previous settings. Changes that require a restart are marked.
    #
    # The format is YAML 1.2: true and false (not yes and no), a decimal point, no anchors, aliases or tags, at most 1 MiB.
    # Relative paths are resolved against the directory of this file; journal.path is resolved against $STATE_DIRECTORY if
    # systemd sets it.

    """
}
