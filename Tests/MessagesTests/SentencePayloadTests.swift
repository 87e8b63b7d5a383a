import Languages
import Testing
import Weighing

@testable import Messages

/// A sentence in a payload: English, and a key and values from which it is made again.
@Suite struct SentencePayloadTests {
  private static let words = ["", "a", "ein \"Wort\"", "{mass}", "\n\u{1F}", "鍵", "subject"]

  private static func sentence(_ depth: Int, _ random: inout some RandomNumberGenerator) -> Sentence {
    var sentence: Sentence
    switch depth > 0 ? Int.random(in: 0..<4, using: &random) : 0 {
    case 0: sentence = .verbatim(words.randomElement(using: &random) ?? "")
    case 1:
      let count = Int.random(in: 0..<4, using: &random)
      sentence = .lines((0..<count).map { _ in Self.sentence(depth - 1, &random) })
    default:  // not an enum of ours
      var values: [String: Sentence] = [:]
      for name in ["mass", "count", "text", "key", "values"] where Bool.random(using: &random) {
        values[name] = Self.sentence(depth - 1, &random)
      }
      let key = TextKey.allCases.randomElement(using: &random) ?? .rejected
      sentence = Sentence(.text(key: key.name, values: values))
    }
    if Bool.random(using: &random) { sentence = sentence.about(words.randomElement(using: &random) ?? "") }
    return sentence
  }

  private static func payload(_ sentence: Sentence) throws -> JSONValue {
    var json = JSONWriter()
    json.object { $0.sentence("reason", sentence) }
    return try JSONValue(json.bytes, maximumBytes: 1 << 20)
  }

  @Test func isReadAsItWasWritten() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let sentence = Self.sentence(3, &random)
      let payload = try Self.payload(sentence)
      #expect(payload["reason"]?.text == sentence.description)
      #expect(Sentence(payload, "reason") == sentence)
    }
  }

  @Test func hasItsKeyAndValuesBesideIt() {
    var json = JSONWriter()
    json.object { json in
      json.sentence("reason", Sentence(.linkUnreachable, ["text": "refused"]).about("mqtt://a"))
      json.sentence("detail", or: nil)
    }
    #expect(
      String(decoding: json.bytes, as: UTF8.self) == """
        {"reason":"mqtt://a: cannot connect (refused): check host and port, and that the broker is running",\
        "reason_key":"link_unreachable","reason_values":{"subject":"mqtt://a","text":"refused"},"detail":null}
        """)
  }

  /// A key of a newer version, one within a text, and fields of another kind give the English text.
  @Test(arguments: [
    #"{"reason":"E"}"#, #"{"reason":"E","reason_key":"newer","reason_values":{}}"#,
    #"{"reason":"E","reason_key":"link_closed"}"#, #"{"reason":"E","reason_key":3,"reason_values":{}}"#,
    #"{"reason":"E","reason_key":"link_closed","reason_values":{"a":{"key":"newer","values":{}}}}"#,
    #"{"reason":"E","reason_key":"lines","reason_values":{"lines":[3]}}"#,
    #"{"reason":"E","reason_key":"verbatim","reason_values":{}}"#,
  ]) func isInEnglishOtherwise(_ payload: String) throws {
    #expect(Sentence(try JSONValue(Array(payload.utf8), maximumBytes: 1 << 10), "reason") == .verbatim("E"))
  }

  /// No two keys have one name, and each is found by its name.
  @Test func keysHaveNames() {
    for key in TextKey.allCases {
      #expect(TextKey(name: key.name) == key)
      #expect(key.name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(key.name)")
    }
    #expect(TextKey.configURLHost.name == "config_url_host" && TextKey.linkTLS.name == "link_tls")
  }
}
