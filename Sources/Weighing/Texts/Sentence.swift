/// A text for people as its key and values, so that each reader has it in their own language.
///
/// The core passes sentences on; what they say in a language is in `Languages`.
public struct Sentence: Hashable, Sendable {
  /// What a sentence says.
  public enum Content: Hashable, Sendable {
    /// The text with this key, such as `link_unreachable`, and the values of its placeholders; a text that depends on a number has
    /// it as `count`.
    case text(key: String, values: [String: Sentence])
    /// Words that are the same in every language: a name, or a message of the operating system.
    case verbatim(String)
    /// Several sentences, each on a line of its own.
    case lines([Sentence])
  }

  /// What it says.
  public let content: Content
  /// What it is about: a file, a key or a place; it precedes the text in every language.
  public private(set) var subject: String?

  /// Makes a sentence.
  public init(_ content: Content) { self.content = content }

  /// A text that is not translated.
  public static func verbatim(_ text: String) -> Sentence { Sentence(.verbatim(text)) }

  /// Several sentences, each on a line of its own.
  public static func lines(_ sentences: [Sentence]) -> Sentence { Sentence(.lines(sentences)) }

  /// The sentence after what it is about.
  public func about(_ subject: String) -> Sentence {
    var sentence = self
    sentence.subject = self.subject.map { "\(subject): \($0)" } ?? subject
    return sentence
  }

  /// The sentence with one more value, for programs; its text need not have a placeholder for it.
  public func adding(_ name: String, _ value: String) -> Sentence {
    guard case .text(let key, var values) = content else { return self }
    values[name] = .verbatim(value)
    var sentence = Sentence(.text(key: key, values: values))
    sentence.subject = subject
    return sentence
  }
}
