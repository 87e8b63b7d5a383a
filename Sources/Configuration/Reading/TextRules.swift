import Foundation

extension ValueRule<String> {
  /// Any string for which `problem` returns `nil`.
  private static func text(
    _ expected: String = "a string", problem: @escaping (String) -> String?
  ) -> Self {
    ValueRule { node, reporter in
      guard case .text(let text) = node.scalar else {
        return reporter.reportUnexpected(node, expected: expected, suggestion: node.numberAsText)
      }
      if let problem = problem(text) { return reporter.report(problem, at: node.position) }
      return text
    }
  }

  /// A line of text for display.
  static func text(maximumBytes: Int) -> Self {
    text { text in
      if text.allSatisfy(\.isWhitespace) { return "must not be empty" }
      if text.utf8.count > maximumBytes { return "too long: \(text.utf8.count) bytes, maximum \(maximumBytes)" }
      if text.unicodeScalars.contains(where: \.isCategoryControl) { return "must not contain control characters" }
      return nil
    }
  }

  /// One level of a topic: MQTT 5, 4.7.1 and 1.5.4 (no wildcards, no control characters).
  static func topicLevel(maximumBytes: Int) -> Self {
    text { text in
      topicProblem(text, maximumBytes: maximumBytes) ?? (text.contains("/") ? "must not contain /" : nil)
    }
  }

  /// The first levels of a topic.
  static var topicPrefix: Self {
    text { text in
      if let problem = topicProblem(text, maximumBytes: 256) { return problem }
      let levels = text.split(separator: "/", omittingEmptySubsequences: false)
      return levels.contains(where: \.isEmpty) ? "must not begin or end with / or contain //" : nil
    }
  }

  private static func topicProblem(_ text: String, maximumBytes: Int) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "must not be empty" }
    if text.utf8.count > maximumBytes { return "too long: \(text.utf8.count) bytes, maximum \(maximumBytes)" }
    if text.hasPrefix("$") { return "must not begin with $, which is reserved for brokers" }
    if let wildcard = text.first(where: { $0 == "+" || $0 == "#" }) {
      return "must not contain \(wildcard), which is a wildcard in MQTT topics"
    }
    return text.unicodeScalars.contains(where: \.isCategoryControl) ? "must not contain control characters" : nil
  }

  /// The path of a file that need not exist.
  static var path: Self {
    text("a path") { path in
      if path.isEmpty { return "must not be empty" }
      if path.utf8.count >= 4096 { return "too long: \(path.utf8.count) bytes, maximum 4095" }
      if path.utf8.contains(0) { return "must not contain a NUL character" }
      return path.hasSuffix("/") ? "must be a file, not a folder" : nil
    }
  }

  /// The path of a file that must exist.
  static var readableFile: Self {
    ValueRule { node, reporter in
      guard let path = path.read(node, reporter) else { return nil }
      if let refusal = reporter.checks.file(path) { return reporter.report(refusal, at: node.position) }
      return path
    }
  }

  /// An IPv4 or IPv6 address.
  static var address: Self {
    ValueRule { node, reporter in
      let expected = "an IP address"
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
