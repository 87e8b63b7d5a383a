/// A service of this machine that other machines find by its type (DNS-SD, RFC 6763).
package struct Announcement: Hashable, Sendable {
  /// The type, such as `_http._tcp`.
  package let type: String
  /// The name that users see, at most 63 bytes (RFC 6763, 4.1.1).
  package let name: String
  /// The port.
  package let port: UInt16
  /// The TXT record: `key=value`, each at most 255 bytes (RFC 6763, 6.1).
  package let texts: [String]

  /// Makes an announcement. What is too long is cut at a character.
  ///
  /// - Parameter texts: Keys and values; the keys are short.
  package init(type: String, name: String, port: UInt16, texts: KeyValuePairs<String, String>) {
    (self.type, self.port) = (type, port)
    self.name = name.prefix(bytes: 63)
    self.texts = texts.map { "\($0)=\($1)".prefix(bytes: 255) }
  }
}

extension String {
  /// The longest beginning of whole characters that is not longer than a number of bytes.
  fileprivate func prefix(bytes limit: Int) -> String {
    var result = self
    while result.utf8.count > limit { result.removeLast() }
    return result
  }
}
