/// The request line and the headers of a request, parsed strictly: an ambiguous request is rejected, which prevents
/// request smuggling (RFC 9112, 11.2).
struct RequestHead: Hashable, Sendable {
  /// `GET`, in upper case.
  var method: String
  /// The path as sent, without the query.
  var path: String
  /// Whether the connection stays open after the response.
  var keepsAlive: Bool
  /// What follows `?`, as sent; empty without a query.
  var query: String
  /// The headers by their names in lower case; the values of a repeated header are joined by a comma.
  private var headers: [String: String]
  /// Length of the body in bytes.
  var bodyLength: Int
  /// Whether the request is HTTP/1.1; HTTP/1.0 has no chunks (RFC 9112, 7.1).
  var hasChunks: Bool
  /// Whether the client waits for 100 Continue before it sends the body (RFC 9110, 10.1.1).
  var expectsContinue: Bool

  /// Parses the bytes before the empty line.
  init(_ bytes: some Sequence<UInt8>, limits: Limits) throws(RequestError) {
    let bytes = Array(bytes)
    guard bytes.allSatisfy({ $0 == 0x0d || $0 == 0x0a || $0 == 0x09 || (0x20...0x7e).contains($0) }) else {
      throw .malformed
    }
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    guard let line = lines.popFirst() else { throw .malformed }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].utf8.allSatisfy(Self.isCapital), words[1].hasPrefix("/") else {
      throw .malformed
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .version }
    method = String(words[0])
    path = String(words[1].prefix { $0 != "?" })
    query = String(words[1].dropFirst(path.count + 1))
    headers = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line.utf8.contains(0x0d),
        !line.utf8.contains(0x0a), line[..<colon].utf8.allSatisfy(Self.isToken)
      else { throw .malformed }
      let header = line[..<colon].lowercased()
      let value = String(line[line.index(after: colon)...].trimming { $0 == " " || $0 == "\t" })
      if let before = headers[header] {
        guard !Self.single.contains(header) else { throw .malformed }
        headers[header] = before + ", " + value
      } else {
        headers[header] = value
      }
    }
    guard headers["transfer-encoding"] == nil else { throw .lengthRequired }
    bodyLength = 0
    if let text = headers["content-length"] {
      guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy(Self.isDigit), let length = Int(text) else {
        throw .malformed
      }
      let isLong = [DashboardRouter.settingsPath, DashboardRouter.machineRestore].contains(path)
      let most = isLong ? limits.settingsBytes : limits.bodyBytes
      guard length <= most else { throw .bodyTooLarge }
      bodyLength = length
    }
    hasChunks = words[2] == "HTTP/1.1"
    // An HTTP/1.0 client that sends Expect does not wait for 100 Continue.
    let expectation = hasChunks ? headers["expect"] : nil
    guard expectation == nil || expectation?.lowercased() == "100-continue" else { throw .expectation }
    expectsContinue = expectation != nil
    let connection = headers["connection"]?.lowercased() ?? ""
    keepsAlive = hasChunks ? !connection.contains("close") : connection.contains("keep-alive")
  }

  /// The value of a header.
  ///
  /// - Parameter name: In lower case.
  subscript(name: String) -> String? { headers[name] }

  /// Headers that may occur only once.
  private static let single: Set = [
    "host", "content-length", "content-type", "authorization", "transfer-encoding", "origin", "sec-fetch-site",
    "sec-websocket-key", "sec-websocket-version",
  ]

  private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// A character of a token (RFC 9110, 5.6.2).
  private static func isToken(_ byte: UInt8) -> Bool {
    isCapital(byte & 0xdf) && byte > 0x40 || isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

extension Substring {
  fileprivate func trimming(_ isBlank: (Character) -> Bool) -> Substring {
    var text = self.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }
}
