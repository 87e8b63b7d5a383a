import Configuration
import Foundation
import Glibc

/// Removes known secrets from text.
struct Redaction: Sendable {
  /// The replacement of a secret.
  static let mark = "[redacted]"
  /// The secrets in all their encodings, longest first.
  private let forms: [String]

  /// Makes a redaction of these secrets and of their encodings in JSON, URLs and Base64.
  init(_ secrets: [String]) {
    var forms: Set<String> = []
    for secret in secrets where !secret.isEmpty {
      forms.insert(secret)
      let escaped = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      forms.insert(escaped)
      forms.insert(escaped.replacing("/", with: "\\/"))
      if let percent = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) { forms.insert(percent) }
      if let percent = secret.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) { forms.insert(percent) }
      forms.insert(Data(secret.utf8).base64EncodedString())
    }
    self.forms = forms.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
  }

  /// The bytes, which may not be UTF-8, without secrets.
  ///
  /// User names and passwords in URLs are removed too, even if they are not known.
  func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for form in forms { bytes = Self.replace(Array(form.utf8), in: bytes) }
    return Self.withoutUserInfo(bytes)
  }

  /// The maximum length of a secret that is only removed as a whole word: removed within other words, it could be guessed.
  private static let shortest = 5

  private static func replace(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    guard let first = secret.first, isIn(bytes, secret) else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let end = index + secret.count
      guard bytes[index] == first, end <= bytes.count, bytes[index..<end].elementsEqual(secret),
        secret.count > shortest || isAlone(index..<end, in: bytes)
      else {
        result.append(bytes[index])
        index += 1
        continue
      }
      result += mark.utf8
      index = end
    }
    return result
  }

  /// Whether the bytes contain a word; fast if they do not, which is the usual case. `memchr(3)`, `memcmp(3)`
  private static func isIn(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let first = word.first, let base = bytes.baseAddress else { return false }
      var index = 0
      while index + word.count <= bytes.count {
        let room = bytes.count - word.count + 1 - index
        guard let found = memchr(base + index, Int32(first), room) else { return false }
        index = UnsafeRawPointer(found) - base
        if memcmp(base + index, word, word.count) == 0 { return true }
        index += 1
      }
      return false
    }
  }

  private static func isAlone(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
    (range.lowerBound == 0 || !isWordByte(bytes[range.lowerBound - 1]))
      && (range.upperBound == bytes.count || !isWordByte(bytes[range.upperBound]))
  }

  /// `mqtt://user:password@host` becomes `mqtt://[redacted]@host`.
  private static func withoutUserInfo(_ bytes: [UInt8]) -> [UInt8] {
    let separator = Array("://".utf8)
    guard isIn(bytes, separator) else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index...].starts(with: separator) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      result += separator
      index += separator.count
      let authority = bytes[index...].prefix { $0 > 0x20 && !#"/?#"'<>"#.utf8.contains($0) }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
        result += mark.utf8
        index = at
      }
    }
    return result
  }
}
