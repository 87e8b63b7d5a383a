/// Where a broker is: `mqtt://host:1883` or `mqtts://host:8883`.
package struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The host name or the numeric address, IPv6 without brackets.
  package var host: String
  /// The TCP port, 1...65535.
  package var port: UInt16
  /// Whether the connection is secured with TLS.
  package var isSecure: Bool

  /// Makes an address from its parts.
  package init(host: String, port: UInt16, isSecure: Bool = false) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
  }

  /// Reads `mqtt://host[:1883]` or `mqtts://host[:8883]`; an IPv6 address stands in brackets.
  ///
  /// Throws for any other scheme, user information, a path, a query, an empty host or a port out of 1...65535.
  package init(parsing text: String) throws(BrokerAddressError) {
    let (scheme, rest) = try Self.splitScheme(text)
    if rest.contains("@") { throw .userInformation(text) }
    var authority = rest
    if authority.last == "/" { authority = authority.dropLast() }
    if let bad = authority.first(where: { "/?#".contains($0) }) { throw .path(text, after: bad) }
    let (host, port) = try Self.splitPort(authority, of: text)
    if host.isEmpty || host.contains(where: { $0.isWhitespace || $0 == "\0" }) { throw .host(text) }
    self.init(host: host, port: port ?? (scheme == .mqtts ? 8883 : 1883), isSecure: scheme == .mqtts)
  }

  /// The address as it is written in a configuration, always with its port.
  package var description: String {
    "\(isSecure ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  private enum Scheme { case mqtt, mqtts }

  private static func splitScheme(_ text: String) throws(BrokerAddressError) -> (Scheme, Substring) {
    guard let mark = text.firstRange(of: "://") else { throw .scheme(text) }
    switch text[..<mark.lowerBound].lowercased() {
    case "mqtt": return (.mqtt, text[mark.upperBound...])
    case "mqtts": return (.mqtts, text[mark.upperBound...])
    default: throw .scheme(text)
    }
  }

  private static func splitPort(
    _ authority: Substring, of text: String
  ) throws(BrokerAddressError) -> (host: String, port: UInt16?) {
    var host = authority
    var tail: Substring = ""
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { throw .host(text) }
      host = authority[authority.index(after: authority.startIndex)..<end]
      tail = authority[authority.index(after: end)...]
      guard host.contains(":") else { throw .host(text) }
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      tail = authority[colon...]
    }
    if tail.isEmpty { return (String(host), nil) }
    let digits = tail.dropFirst()
    guard tail.first == ":", !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let port = UInt16(digits), port > 0
    else { throw .port(text) }
    return (String(host), port)
  }
}

/// Why a text is not the address of a broker.
package enum BrokerAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It does not begin with `mqtt://` or `mqtts://`.
  case scheme(String)
  /// It carries a user name or password, which would end up in logs.
  case userInformation(String)
  /// Something follows the host and port, from the given character on.
  case path(String, after: Character)
  /// The host is missing or malformed.
  case host(String)
  /// The port is not a number of 1...65535.
  case port(String)

  /// What is wrong with the address, and what to write instead.
  package var description: String {
    switch self {
    case .scheme(let text):
      "'\(text)' is not a broker address: write mqtt://HOST[:1883] or mqtts://HOST[:8883]"
    case .userInformation(let text):
      // Never repeat what may be a password.
      "the broker address for '\(text.split(separator: "@").last ?? "")' carries user information: "
        + "give username and password_file instead"
    case .path(let text, let mark):
      "the broker address '\(text)' has a '\(mark)' after the host: MQTT has no paths, write mqtt://HOST:PORT"
    case .host(let text):
      "the broker address '\(text)' has no usable host: write a name, an IPv4 address or an IPv6 address in brackets"
    case .port(let text):
      "the broker address '\(text)' has no usable port: write a number from 1 to 65535"
    }
  }
}
