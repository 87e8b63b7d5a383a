import Messages
import Testing

/// The fields of an object, as they are written.
@Suite struct JSONFieldsTests {
  private func fields(_ text: String) throws(JSONError) -> JSONFields {
    try JSONFields(Array(text.utf8), maximumBytes: 1000)
  }

  @Test func valuesAreAsWritten() throws {
    let fields = try fields(
      #" { "a" : 2 , "b":"x\"\u00fc\\","c":null,"d":[1, {"a":"}"}],"e":true,"f":{"g": -7},"a" : 1.50e1 ,"":"plain"} "#)
    func other(_ text: String) -> JSONFields.Value { .other(Array(text.utf8)[...]) }
    #expect(fields["a"] == other("1.50e1"))
    #expect(fields["b"] == .string(Array(#"x"ü\"#.utf8)[...]))
    #expect(fields["c"] == .null && fields["x"] == nil)
    #expect(fields["d"] == other(#"[1, {"a":"}"}]"#) && fields["e"] == other("true"))
    #expect(fields[""] == .string(Array("plain".utf8)[...]))
    #expect(fields.object("f")?.integer("g") == -7)
    #expect(fields.object("d") == nil && fields.integer("a") == 15 && fields.integer("b") == nil)
  }

  @Test(arguments: [
    ("0", 0), ("-7", -7), ("15.0", 15), ("1.5e1", 15), ("1E2", 100), ("-0", 0),
    ("9007199254740993", 9_007_199_254_740_993),
  ])
  func aWholeNumberIsWrittenInAnyWay(_ text: String, _ number: Int) throws {
    #expect(try fields(#"{"a":\#(text)}"#).integer("a") == number)
  }

  @Test(arguments: ["1.5", "1e-1", "1e400", "1e19", "true", "\"1\"", "[1]", "null", String(repeating: "1", count: 33)])
  func whatIsNoWholeNumber(_ text: String) throws { #expect(try fields(#"{"a":\#(text)}"#).integer("a") == nil) }

  /// It accepts the objects that `JSONValue` accepts.
  @Test(arguments: [
    "", "[]", "{", "{}x", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", #"{"a":01}"#, #"{"a":1.}"#,
    #"{"a":nul}"#,
    #"{"a":"}"#, #"{"a":"\x"}"#, #"{"a":"\ud800"}"#, #"{"a":[1,]}"#, #"{"a":[1 2]}"#, #"{"a":{"b"}}"#,
    "{\"a\":\"\t\"}",
    #"{"a":"# + String(repeating: "[", count: 16) + String(repeating: "]", count: 16) + "}",
  ])
  func whatIsNoObjectIsRefused(_ text: String) throws {
    if case .object? = try? JSONValue(Array(text.utf8), maximumBytes: 1000) { Issue.record("it is an object") }
    #expect(throws: JSONError.self) { try fields(text) }
  }

  @Test func aLongTextIsRefused() {
    #expect(throws: JSONError.tooLarge) { try fields(#"{"a":""# + String(repeating: "x", count: 1000) + #""}"#) }
    #expect(throws: JSONError.notUTF8) { try JSONFields([0x7b, 0xff, 0x7d], maximumBytes: 10) }
  }
}
