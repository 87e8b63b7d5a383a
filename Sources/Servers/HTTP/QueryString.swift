import Languages
import Weighing

/// Why the parameters of a request are rejected.
struct QueryError: Error, Hashable, Sendable {
  /// What is wrong and what to do, for users.
  let sentence: Sentence

  init(_ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]) {
    sentence = Sentence(key, values)
  }
}

/// The parameters of a request, as forms encode them (URL standard, `application/x-www-form-urlencoded`).
struct QueryString: Sendable {
  private var values: [String: String] = [:]

  /// Parses the query of a request; rejects parameters that are not in `names`.
  init(_ request: Request, names: [String]) throws(QueryError) {
    for pair in request.head.query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : "") else {
        throw QueryError(.httpQueryEncoding)
      }
      guard names.contains(name) else {
        throw QueryError(.httpQueryParameter, ["names": names.joined(separator: ", ")])
      }
      guard values.updateValue(value, forKey: name) == nil else { throw QueryError(.httpQueryTwice, ["name": name]) }
    }
  }

  /// The value of a parameter; `nil` without it.
  subscript(name: String) -> String? { values[name] }

  /// A number from `range`; `nil` without the parameter.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(QueryError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw QueryError(
        .httpQueryNumber, ["name": name, "least": range.lowerBound, "most": range.upperBound])
    }
    return number
  }

  /// Decodes `+` and percent-encoded bytes; `nil` if that is no UTF-8.
  private static func decode(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let code = UInt8(digits, radix: 16) else {
          return nil
        }
        bytes.append(code)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)  // not an enum of ours
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
