import Languages
import Messages
import Weighing

/// Why a string is not a broker address, and a suggestion. Never contains user names or passwords.
package struct BrokerAddressError: Error, Equatable {
  /// What is wrong.
  package var message: Sentence
  /// A suggestion.
  package var suggestion: String?

  /// What is wrong, with the suggestion.
  package var explanation: Sentence {
    suggestion.map { Sentence(.configSuggestion, ["fault": message, "suggestion": $0]) } ?? message
  }
}

extension BrokerAddress {
  /// Parses a URL of the form `mqtt[s]://host[:port]`.
  package init(url: String) throws(BrokerAddressError) {
    let schemeEnd = url.firstRange(of: "://")
    var scheme = schemeEnd.map { url[..<$0.lowerBound].lowercased() } ?? ""
    var rest = schemeEnd.map { url[$0.upperBound...] } ?? url[...]
    var problems: [Sentence] = []
    // Before or after the scheme: this part may be a password.
    for part in [scheme[...], rest] where part.contains("@") && problems.isEmpty {
      problems.append(Sentence(.configURLPassword))
    }
    if let at = scheme.lastIndex(of: "@") { scheme = String(scheme[scheme.index(after: at)...]) }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    let encrypted = ["mqtts", "ssl", "tls", "wss"].contains(scheme)
    switch scheme {
    case "mqtt", "mqtts": break
    case "": problems.append(Sentence(.configURLExpected))
    case "ws", "wss": problems.append(Sentence(.configURLWebSocket))
    case _ where scheme.utf8.allSatisfy { isWordByte($0) }:
      problems.append(Sentence(.configURLScheme, ["scheme": scheme.debugDescription]))
    default: problems.append(Sentence(.configURLStart))
    }
    if let end = rest.firstIndex(where: { "/?#".contains($0) }) {
      problems.append(Sentence(.configURLPath))
      rest = rest[..<end]
    }
    let (host, port) = Self.split(rest)
    guard let host, Self.isHost(host) else {
      throw BrokerAddressError(
        message: problems.first ?? Sentence(.configURLHost), suggestion: problems.isEmpty ? "mqtt://host:1883" : nil)
    }
    var number: UInt16?
    if let port {
      number = port.utf8.allSatisfy({ isDigitByte($0) }) ? UInt16(port) : nil
      guard let number, number > 0 else {
        throw BrokerAddressError(
          message: Sentence(.configURLPort),
          suggestion: "\(BrokerAddress(host: host, isEncrypted: encrypted))")
      }
    }
    self.init(host: host, port: number, isEncrypted: encrypted)
    if let message = problems.first { throw BrokerAddressError(message: message, suggestion: description) }
  }

  /// Makes an address; the default port is 1883, or 8883 with TLS (IANA).
  package init(host: String, port: UInt16? = nil, isEncrypted: Bool) {
    self.init(host: host, port: port ?? (isEncrypted ? 8883 : 1883), isSecure: isEncrypted)
  }

  /// The host without brackets and the text after the colon, if any.
  private static func split(_ text: Substring) -> (host: String?, port: Substring?) {
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return (nil, nil) }
      let host = String(text[text.index(after: text.startIndex)..<end])
      let tail = text[text.index(after: end)...]
      guard host.contains(":"), tail.isEmpty || tail.first == ":" else { return (nil, nil) }
      return (host, tail.isEmpty ? nil : tail.dropFirst())
    }
    guard let colon = text.firstIndex(of: ":") else { return (String(text), nil) }
    let host = String(text[..<colon])
    let port = text[text.index(after: colon)...]
    return port.contains(":") ? (nil, nil) : (host, port)
  }

  private static func isHost(_ host: String) -> Bool {
    if host.contains(":") {
      let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
      return isAddress(String(parts[0]), family: .six) && (parts.count == 1 || !parts[1].isEmpty)
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...253).contains(host.utf8.count), let last = labels.last(where: { !$0.isEmpty }) else { return false }
    // A name whose last label is all digits can only be an IPv4 address (WHATWG URL, "ends in a number").
    if last.utf8.allSatisfy({ isDigitByte($0) }) { return isAddress(host, family: .four) }
    return labels.enumerated().allSatisfy { index, label in
      let isTrailingDot = label.isEmpty && index == labels.count - 1
      return isTrailingDot
        || (1...63).contains(label.utf8.count) && label.utf8.allSatisfy({ isWordByte($0) }) && label.first != "-"
          && label.last != "-"
    }
  }
}
