import Foundation
import Languages
import Linux
import Messages
import Weighing

extension ValueRule<String> {
  /// Any string for which `problem` returns `nil`.
  private static func text(
    _ values: String, expected: Sentence = Sentence(.acceptsString), schema: @autoclosure @escaping () -> OutputValue,
    problem: @escaping (String) -> Sentence?
  ) -> Self {
    ValueRule(values, schema: schema(), output: { .text($0) }) { node, reporter in
      guard case .text(let text) = node.scalar else {
        return reporter.reportUnexpected(node, expected: expected, suggestion: node.numberAsText)
      }
      if let problem = problem(text) { return reporter.report(problem, at: node.position) }
      return text
    }
  }

  /// A line of text for display.
  static func text(maximumBytes: Int) -> Self {
    text(
      "a string of 1 to \(maximumBytes) bytes",
      schema: [
        "type": "string", "minLength": 1, "maxLength": .integer(maximumBytes),
        "pattern": .text("^\(character)*[^\\s\(controls)]\(character)*$"),
      ]
    ) { text in
      if text.allSatisfy(\.isWhitespace) { return Sentence(.configEmpty) }
      if text.utf8.count > maximumBytes { return tooLong(text, maximumBytes) }
      if text.unicodeScalars.contains(where: \.isCategoryControl) { return Sentence(.configControlCharacters) }
      return nil
    }
  }

  /// One level of a topic: MQTT 5, 4.7.1 and 1.5.4 (no wildcards, no control characters).
  static func topicLevel(maximumBytes: Int) -> Self {
    text(
      "a string of 1 to \(maximumBytes) bytes without + # / and not beginning with $",
      schema: [
        "type": "string", "maxLength": .integer(maximumBytes),
        "pattern": .text("^(?=.*\\S)[^$/+#\(controls)][^/+#\(controls)]*$"),
      ]
    ) { text in
      topicProblem(text, maximumBytes: maximumBytes) ?? (text.contains("/") ? Sentence(.configSlash) : nil)
    }
  }

  /// The first levels of a topic.
  static var topicPrefix: Self {
    text(
      "a topic of 1 to 256 bytes without + and #, not beginning with $",
      schema: [
        "type": "string", "maxLength": 256,
        "pattern": .text("^[^$/+#\(controls)][^/+#\(controls)]*(/[^/+#\(controls)]+)*$"),
      ]
    ) { text in
      if let problem = topicProblem(text, maximumBytes: 256) { return problem }
      let levels = text.split(separator: "/", omittingEmptySubsequences: false)
      return levels.contains(where: \.isEmpty) ? Sentence(.configLevels) : nil
    }
  }

  /// The topic of an output, as `is_output` of `grampad-broker` accepts it; unlike a prefix it may have empty levels, because those of some
  /// devices do. An access control list of mosquitto cannot contain a space at its beginning or end.
  static var topic: Self {
    let maximum = OutputSwitch.maximumTopicBytes
    return text(
      "a topic of 1 to \(maximum) bytes without + and #, not beginning with $",
      schema: [
        "type": "string", "maxLength": .integer(maximum),
        "pattern": .text("^(?=.*\\S)[^ $+#\(controls)]([^+#\(controls)]*[^ +#\(controls)])?$"),
      ]
    ) { text in
      topicProblem(text, maximumBytes: maximum)
        ?? (text.utf8.first == 0x20 || text.utf8.last == 0x20 ? Sentence(.configSpace) : nil)
    }
  }

  /// The control characters in a class of a regular expression.
  private static var controls: String { #"\u0000-\u001f\u007f-\u009f"# }
  private static var character: String { "[^\(controls)]" }

  private static func tooLong(_ text: String, _ maximumBytes: Int) -> Sentence {
    Sentence(.configTooLong, ["count": text.utf8.count, "maximum": maximumBytes])
  }

  private static func topicProblem(_ text: String, maximumBytes: Int) -> Sentence? {
    if text.allSatisfy(\.isWhitespace) { return Sentence(.configEmpty) }
    if text.utf8.count > maximumBytes { return tooLong(text, maximumBytes) }
    if text.hasPrefix("$") { return Sentence(.configDollar) }
    if let wildcard = text.first(where: { $0 == "+" || $0 == "#" }) {
      return Sentence(.configWildcard, ["character": wildcard])
    }
    return text.unicodeScalars.contains(where: \.isCategoryControl) ? Sentence(.configControlCharacters) : nil
  }

  /// The path of a file.
  static func file(_ use: FileUse) -> Self {
    let path = text(
      "the path of a file", expected: Sentence(.acceptsPath),
      schema: ["type": "string", "minLength": 1, "maxLength": 4095, "pattern": #"^[^\u0000]*[^/\u0000]$"#]
    ) { path in
      if path.isEmpty { return Sentence(.configEmpty) }
      if path.utf8.count >= 4096 { return tooLong(path, 4095) }
      if path.utf8.contains(0) { return Sentence(.configNUL) }
      return path.hasSuffix("/") ? Sentence(.configFolder) : nil
    }
    var rule = ValueRule(path.accepted, schema: path.schema(), output: path.output) { node, reporter in
      guard let text = path.read(node, reporter) else { return nil }
      guard use == .required || use == .secret, let problem = reporter.checks.file(text) else { return text }
      return reporter.report(problem, at: node.position)
    }
    rule.file = use
    rule.resolvePath = { absolutePath($0, in: $1) }
    return rule
  }

  /// The URL of a web page: a scheme, a host as in the URL of a broker, an optional port and path (RFC 3986).
  static var webURL: Self {
    text(
      "a URL http://host or https://host",
      schema: [
        "type": "string", "maxLength": 1024,
        "pattern": #"^https?://([A-Za-z0-9_.-]+|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?(/[!-~]*)?$"#,
      ]
    ) { text in
      if text.utf8.count > 1024 { return tooLong(text, 1024) }
      let scheme = ["https://", "http://"].first(where: text.hasPrefix)
      let rest = text.dropFirst(scheme?.count ?? 0)
      let authority = rest.prefix { $0 != "/" }
      let isURL =
        scheme != nil && rest.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) && !authority.contains("%")
        && (try? BrokerAddress(url: "mqtt://" + authority)) != nil
      return isURL ? nil : Sentence(.configWebURL)
    }
  }

  /// An IPv4 or IPv6 address.
  static var address: Self {
    let expected = Sentence(.acceptsAddress)
    return ValueRule(
      expected,
      schema: [
        "type": "string",
        "anyOf": [
          ["pattern": #"^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\.(?=.)|$)){4}$"#],
          ["pattern": "^(?=.*:)[0-9a-fA-F:.]+$"],
        ],
      ],
      output: { .text($0) }
    ) { node, reporter in
      guard case .text(let text) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      if isAddress(text, family: .four) || isAddress(text, family: .six) { return text }
      let bare = text.trimmingCharacters(in: ["[", "]"])
      let meant = ["localhost": "127.0.0.1", "*": "0.0.0.0", "any": "0.0.0.0"][text.lowercased()]
      return reporter.reportUnexpected(
        node, expected: expected, suggestion: meant ?? (isAddress(bare, family: .six) ? bare : nil))
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is one of the 65 control characters (Unicode category Cc).
  fileprivate var isCategoryControl: Bool { properties.generalCategory == .control }
}

/// The two families of IP addresses.
enum AddressFamily {
  case four, six
}

/// Whether a text is an address of a family; inet_pton(3).
func isAddress(_ text: String, family: AddressFamily) -> Bool {
  var storage = in6_addr()
  return !text.utf8.contains(0) && inet_pton(family == .four ? AF_INET : AF_INET6, text, &storage) == 1
}
