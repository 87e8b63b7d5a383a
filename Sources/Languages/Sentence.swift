import Weighing

extension Sentence {
  /// Makes a sentence from a text and values for its placeholders; a value may be a sentence.
  ///
  /// Errors and warnings are sentences: commands print them in the language of the user, the log has them in English, and payloads have
  /// them in English with their keys and values.
  ///
  /// - Parameter count: The number that chooses the plural form, for a text that has them; it is the value of `{count}`.
  package init(
    _ key: TextKey, count: Int? = nil, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
  ) {
    var own: [String: Sentence] = [:]
    for (name, value) in values { own[name] = value as? Sentence ?? .verbatim(value.description) }
    if let count { own["count"] = .verbatim(String(count)) }
    self.init(.text(key: key.name, values: own))
  }

  /// What an error says.
  package init(of error: any Error) { self = (error as? any SentenceError)?.sentence ?? .verbatim("\(error)") }

  /// This reason and another one, if there is one.
  package func and(_ other: Sentence?) -> Sentence {
    other.map { Sentence(.twoReasons, ["first": self, "second": $0]) } ?? self
  }

  /// `one, two or three`
  package static func oneOf(_ words: [String]) -> Sentence {
    guard words.count > 1, let last = words.last else { return .verbatim(words.joined()) }
    return Sentence(.acceptsOneOf, ["others": words.dropLast().joined(separator: ", "), "last": last])
  }
}

extension Sentence: CustomStringConvertible {
  /// The sentence in English.
  public var description: String { Texts.english(self) }
}

extension Texts {
  /// A sentence in this language.
  package func callAsFunction(_ sentence: Sentence) -> String {
    let text =
      switch sentence.content {
      case .verbatim(let text): text
      case .lines(let sentences): sentences.map { self($0) }.joined(separator: "\n")
      case .text(let name, let values): text(named: name, values.mapValues { self($0) })
      }
    return sentence.subject.map { "\($0): \(text)" } ?? text
  }

  private func text(named name: String, _ values: [String: String]) -> String {
    guard let key = TextKey(name: name) else { return name }
    if Self.english.lines[key.rawValue] == nil, let count = values["count"].flatMap({ Int($0) }) {
      return self(key, count: count, values)
    }
    return self(key, values)
  }
}

/// An error that is a sentence: what failed, on what, and what to do.
package protocol SentenceError: Error, CustomStringConvertible {
  /// The error in a sentence.
  var sentence: Sentence { get }
}

extension SentenceError {
  /// The sentence in English.
  package var description: String { sentence.description }
}
