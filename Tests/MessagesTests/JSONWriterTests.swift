import Foundation
import Messages
import Testing

/// What is written is JSON, read back by another hand.
@Suite struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// The value as Foundation reads it.
  private func parsed(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  @Test(arguments: [
    "", "plain", "a \"quote\" and a \\ backslash", "tab\tnewline\nreturn\r", "\u{0}\u{1}\u{1f}\u{7f}",
    "Zürich Kaffee ☕️",
    "👩‍👩‍👧‍👦", "\u{2028}\u{2029}", "</script>", "e\u{301}", "\u{FFFD}\u{10FFFF}",
  ])
  func stringsSurvive(_ text: String) throws {
    let json = written { $0.string(text) }
    #expect(try parsed(json) as? String == text)
    #expect(!json.utf8.contains { $0 < 0x20 || $0 == 0x7f }, "no control character is left bare")
    let object = written {
      $0.object {
        $0.key(text); $0.integer(1)
      }
    }
    #expect(try (parsed(object) as? [String: Int])?[text] == 1)
  }

  @Test func fieldsAreKeysWithValues() {
    let json = written {
      $0.object { json in
        json.field("text", "a")
        json.field("flag", true)
        json.field("count", 3)
        json.field("exact", 0.25)
        json.field("rounded", 0.25, decimals: 1)
        json.object("inner") { $0.field("no_text", nil as String?) }
        json.array("items", [1, 2]) { json, item in json.integer(item) }
        json.field("no_count", nil as Int?)
        json.field("no_number", nil as Double?, decimals: 1)
      }
    }
    #expect(
      json == #"{"text":"a","flag":true,"count":3,"exact":0.25,"rounded":0.3,"inner":{"no_text":null},"#
        + #""items":[1,2],"no_count":null,"no_number":null}"#)
  }

  @Test func everyControlCharacterIsEscaped() throws {
    for code in UInt8(0)...0x7f {
      let text = String(UnicodeScalar(code))
      #expect(try parsed(written { $0.string(text) }) as? String == text, "\(code)")
    }
    #expect(written { $0.string("\u{1b}\"\\") } == #""\u001b\"\\""#)
  }

  @Test(arguments: [
    (0.0, 0, "0"), (-0.0, 3, "0"), (-0.0004, 3, "0"), (0.0005, 3, "0.001"), (-0.0005, 3, "-0.001"), (1.5, 0, "2"),
    (73.25, 1, "73.3"), (73.2, 3, "73.2"), (-5, 1, "-5"), (100, 3, "100"), (0.1 + 0.2, 3, "0.3"), (0.05, 2, "0.05"),
    (12.305, 9, "12.305"), (0.000000001, 9, "0.000000001"), (999.9996, 3, "1000"), (1e12, 3, "1000000000000"),
    (8.9e15, 0, "8900000000000000"), (1e13, 3, "null"), (1e300, 0, "null"), (.infinity, 3, "null"),
    (-.infinity, 0, "null"), (.nan, 3, "null"),
  ])
  func numbersAreRounded(_ value: Double, _ decimals: Int, _ expected: String) {
    #expect(written { $0.number(value, decimals: decimals) } == expected)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (12, "12"), (-0.5, "-0.5"), (0.1 + 0.2, "0.30000000000000004"), (1e300, "1e+300"),
    (.leastNonzeroMagnitude, "5e-324"), (1e16, "1e+16"), (.infinity, "null"), (.nan, "null"),
  ])
  func numbersCanBeExact(_ value: Double, _ expected: String) throws {
    let text = written { $0.number(value) }
    #expect(text == expected)
    if value.isFinite { #expect(try JSONValue(Array(text.utf8), maximumBytes: 100) == .number(value)) }
  }

  /// Any number, as another parser reads it, is the number to half of the last decimal.
  @Test func numbersReadBack() throws {
    var state: UInt64 = 1
    for _ in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(Int64(bitPattern: state) >> 24) / 4096
      let decimals = Int(state >> 60) % 5
      let text = written { $0.number(value, decimals: decimals) }
      let back = try #require(Double(text))
      #expect((back - value).magnitude <= 0.50001 * pow(10, -Double(decimals)), "\(value) at \(decimals): \(text)")
    }
  }

  @Test(arguments: [(0, "0"), (7, "7"), (-10, "-10"), (.max, "9223372036854775807"), (.min, "-9223372036854775808")])
  func integersAreExact(_ value: Int, _ expected: String) {
    #expect(written { $0.integer(value) } == expected)
  }

  @Test func valuesAreSeparated() throws {
    let json = written {
      $0.object {
        $0.key("a")
        $0.array {
          $0.integer(1)
          $0.array { _ in }
          $0.object { _ in }
          $0.null()
          $0.boolean(true)
          $0.number(.nan, decimals: 1)
          $0.string("x")
        }
        $0.key("b")
        $0.verbatim(Array(#"{"c":[1]}"#.utf8))
        $0.key("d")
        $0.boolean(false)
      }
    }
    #expect(json == #"{"a":[1,[],{},null,true,null,"x"],"b":{"c":[1]},"d":false}"#)
    #expect(throws: Never.self) { try parsed(json) }
  }

  @Test func aWriterIsUsedAgain() {
    var json = JSONWriter()
    for _ in 0..<3 {
      json.reset()
      json.array { $0.integer(1) }
      #expect(String(decoding: json.bytes, as: UTF8.self) == "[1]")
    }
  }
}
