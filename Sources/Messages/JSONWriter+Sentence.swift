import Languages
import Weighing

/// Sentences in payloads: in English, and next to them their key and values, from which a client makes the text in its language.
///
/// `"reason": "cannot connect (refused): ...", "reason_key": "link_unreachable", "reason_values": {"text": "refused"}`. The value of a
/// placeholder is a text or another sentence, `{"key": ..., "values": {...}}`. The value `subject` precedes the text with a colon. The key
/// `verbatim` stands for the words in its value `text`, and `lines` for the sentences in its value `lines`, each on its own line.
extension JSONWriter {
  /// Writes the three fields of a sentence.
  package mutating func sentence(_ name: String, _ sentence: Sentence) {
    field(name, sentence.description)
    write(sentence, key: name + "_key", values: name + "_values")
  }

  /// Writes them, or `null` in place of the text.
  package mutating func sentence(_ name: String, or text: Sentence?) {
    if let text { return sentence(name, text) }
    field(name, String?.none)
  }

  private mutating func write(_ sentence: Sentence, key keyName: String, values valuesName: String) {
    key(keyName)
    switch sentence.content {
    case .text(let name, _): string(name)
    case .verbatim: string("verbatim")
    case .lines: string("lines")
    }
    object(valuesName) { json in
      if let subject = sentence.subject { json.fields(("subject", subject)) }
      switch sentence.content {
      case .text(_, let values):
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
          json.key(name)
          json.value(value)
        }
      case .verbatim(let text): json.fields(("text", text))
      case .lines(let sentences):
        json.array("lines", sentences) { json, each in json.nested(each) }
      }
    }
  }

  private mutating func value(_ sentence: Sentence) {
    if case .verbatim(let text) = sentence.content, sentence.subject == nil { string(text) } else { nested(sentence) }
  }

  private mutating func nested(_ sentence: Sentence) { object { $0.write(sentence, key: "key", values: "values") } }
}

extension Sentence {
  /// Reads the fields of a sentence; `nil` if they are missing. Of a key that this version does not have, it is the English text.
  package init?(_ object: JSONValue?, _ name: String) {
    guard let english = object?[name]?.text else { return nil }
    self = Sentence(key: object?[name + "_key"], values: object?[name + "_values"]) ?? .verbatim(english)
  }

  private init?(key: JSONValue?, values: JSONValue?) {
    guard let key = key?.text, case .object(let values)? = values else { return nil }
    var sentence: Sentence
    switch key {
    case "verbatim":
      guard let text = values["text"]?.text else { return nil }
      sentence = .verbatim(text)
    case "lines":
      guard case .array(let items)? = values["lines"] else { return nil }
      let lines = items.compactMap { Sentence(key: $0["key"], values: $0["values"]) }
      guard lines.count == items.count else { return nil }
      sentence = .lines(lines)
    default:
      guard TextKey(name: key) != nil else { return nil }
      var own: [String: Sentence] = [:]
      for name in values.keys where name != "subject" {
        let value = values[name]
        guard let each = value?.text.map(Sentence.verbatim) ?? Sentence(key: value?["key"], values: value?["values"])
        else { return nil }
        own[name] = each
      }
      sentence = Sentence(.text(key: key, values: own))
    }
    self = values["subject"]?.text.map { sentence.about($0) } ?? sentence
  }
}
