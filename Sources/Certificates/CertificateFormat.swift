/// A format of a certificate, with the digest of its content on the last line.
///
/// In each format the last line holds the SHA-256 digest of all lines before it, so that `head -n -1 FILE | sha256sum`
/// computes it again.
package enum CertificateFormat: String, Hashable, Sendable, CaseIterable {
  case text
  case json
  case html

  /// The format that the name of a file stands for: `.json`, `.html` or `.htm`; text for other names.
  package init(path: String) {
    let name = path.lowercased()
    self = name.hasSuffix(".json") ? .json : name.hasSuffix(".html") || name.hasSuffix(".htm") ? .html : .text
  }

  /// A certificate in this format.
  ///
  /// - Parameter digest: Computes the SHA-256 digest of a content as hexadecimal digits.
  package func content(of certificate: CalibrationCertificate, digest: ([UInt8]) -> String) -> String {
    let body: String
    switch self {
    case .text: body = certificate.text + "\(Self.explanation)\n"
    case .json: body = certificate.json.dropLast() + ",\n"
    case .html: body = certificate.page + "<p class=\"digest\">\(escaped(Self.explanation))\n"
    }
    let sum = digest(Array(body.utf8))
    return switch self {
    case .text: body + sum + "\n"
    case .json: body + "\"sha256\":\"\(sum)\"}\n"
    case .html: body + "<br><code>\(sum)</code></p></main></body></html>\n"
    }
  }

  private static let explanation = "SHA-256 of all lines before the last (head -n -1 FILE | sha256sum):"

  /// Whether the last line of a content holds the digest of the lines before it.
  package static func isIntact(_ content: [UInt8], digest: ([UInt8]) -> String) -> Bool {
    guard content.last == UInt8(ascii: "\n") else { return false }
    let end = content.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let lastLine = String(decoding: content[end...], as: UTF8.self)
    return lastLine.contains(digest(Array(content[..<end])))
  }
}
