import Messages
import Testing

/// Accepts exactly the JSON of RFC 8259.
@Suite struct JSONValueTests {
  @Test(arguments: [
    ("null", JSONValue.null), (" true ", .boolean(true)), ("false", .boolean(false)), ("0", .number(0)),
    ("-0.5e-2", .number(-0.005)), ("1E+3", .number(1000)),
    (#""\"\\\/\b\f\n\r\t\u0000""#, .string("\"\\/\u{8}\u{c}\n\r\t\0")),
    ("[1,[],{}]", .array([.number(1), .array([]), .object([:])])),
    (#"{"a":{"b":[null]},"":"é"}"#, .object(["a": .object(["b": .array([.null])]), "": .string("é")])),
  ])
  func readsWhatIsJSON(_ text: String, _ value: JSONValue) throws {
    #expect(try JSONValue(Array(text.utf8), maximumBytes: 1000) == value)
  }

  @Test(arguments: [
    "", " ", "01", "1.", ".5", "+1", "-", "1e", "1e999", "nul", "truex", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}",
    "{\"a\":1,}", "{a:1}", "'a'", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "//",
    "NaN",
  ])
  func refusesWhatIsNot(_ text: String) {
    #expect(throws: JSONError.self) { try JSONValue(Array(text.utf8), maximumBytes: 1000) }
  }

  @Test func goesNoDeeperThanItIsTold() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(throws: Never.self) { try JSONValue(nested(16), maximumBytes: 1000) }
    #expect(throws: JSONError.tooDeep) { try JSONValue(nested(17), maximumBytes: 1000) }
    #expect(throws: JSONError.tooLarge) { try JSONValue(nested(501), maximumBytes: 1000) }
    #expect(throws: JSONError.duplicateKey("a")) {
      try JSONValue(Array(#"{"a":1,"\u0061":2}"#.utf8), maximumBytes: 1000)
    }
  }

  @Test func anObjectKeepsTheOrderOfItsFields() throws {
    let text = #"{"b":1,"a":2,"c":{"z":1,"y":2}}"#
    guard case .object(let object) = try JSONValue(Array(text.utf8), maximumBytes: 1000) else {
      Issue.record("no object")
      return
    }
    #expect(object.keys == ["b", "a", "c"])
    #expect(object["a"] == .number(2) && object["d"] == nil)
    #expect(JSONObject(dictionaryLiteral: ("a", .null), ("a", .number(1)))["a"] == .null)
  }
}
