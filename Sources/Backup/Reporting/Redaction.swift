import Configuration
import Foundation
import Glibc

/// Takes known secrets out of text.
struct Redaction: Sendable {
  /// What stands in the place of a secret.
  static let mark = "[left out]"
  /// All ways in which the secrets may be written, longest first.
  private let forms: [String]

  /// Makes one that takes out each of these, also as JSON, URLs and Base64 have them.
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

  /// The bytes without secrets; what is not UTF-8 is looked through all the same.
  ///
  /// User names and passwords in URLs go too, whosever they are.
  func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for form in forms { bytes = Self.replace(Array(form.utf8), in: bytes) }
    return Self.withoutUserInfo(bytes)
  }

  /// A word as short as this is only taken out where it stands alone: what else it is part of would tell it.
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

  /// Whether a word is anywhere, found quickly where it is nearly always not. `memchr(3)`, `memcmp(3)`
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

  /// `mqtt://user:password@host` becomes `mqtt://[left out]@host`.
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
