import Weighing

/// What a source reports, in tests.
extension Sentence: ExpressibleByStringLiteral {
  /// Makes one that is not translated.
  public init(stringLiteral text: String) { self = .verbatim(text) }
}
