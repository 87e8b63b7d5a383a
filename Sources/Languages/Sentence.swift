/// A text with its values, for a reader whose language is not known yet.
///
/// Errors and warnings are sentences: commands print them in the language of the user, and the log and payloads have them in
/// English, as `description`.
package struct Sentence: Hashable, Sendable, CustomStringConvertible {
  fileprivate enum Content: Hashable, Sendable {
    case text(TextKey, count: Int?, values: [String: Sentence])
    case verbatim(String)
    case lines([Sentence])
  }

  fileprivate let content: Content
  /// Precedes the text in every language.
  fileprivate var prefix = ""

  private init(content: Content) { self.content = content }

  /// Makes a sentence from a text and values for its placeholders; a value may be a sentence.
  ///
  /// - Parameter count: The number that chooses the plural form, for a text that has them; it is the value of `{count}`.
  package init(
    _ key: TextKey, count: Int? = nil, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
  ) {
    let pairs = values.map { ($0.key, $0.value as? Sentence ?? .verbatim($0.value.description)) }
    content = .text(key, count: count, values: Dictionary(uniqueKeysWithValues: pairs))
  }

  /// A text that is not translated: a name, or a message of the operating system.
  package static func verbatim(_ text: String) -> Sentence { Sentence(content: .verbatim(text)) }

  /// Several sentences, each on a line of its own.
  package static func lines(_ sentences: [Sentence]) -> Sentence { Sentence(content: .lines(sentences)) }

  /// The sentence after what it is about: a key or a place in a file.
  package func prefixed(_ text: String) -> Sentence {
    var sentence = self
    sentence.prefix = text + prefix
    return sentence
  }

  /// The sentence in English.
  package var description: String { Texts.english(self) }
}

extension Texts {
  /// A sentence in this language.
  package func callAsFunction(_ sentence: Sentence) -> String {
    let text =
      switch sentence.content {
      case .verbatim(let text): text
      case .lines(let sentences): sentences.map { self($0) }.joined(separator: "\n")
      case .text(let key, nil, let values): self(key, values.mapValues { self($0) })
      case .text(let key, let count?, let values): self(key, count: count, values.mapValues { self($0) })
      }
    return sentence.prefix + text
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
