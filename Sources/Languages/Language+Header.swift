extension Language {
  /// The language for the header `Accept-Language` (RFC 9110, 12.5.4): the one with the highest weight that is available, the
  /// first of several; English if there is none.
  package init(acceptLanguage header: String) {
    // More than a browser sends; a client may send anything.
    let ranges = header.split(separator: ",", maxSplits: 32).prefix(32).compactMap(Self.range)
    var best: (language: Self, weight: Int)?
    for (language, weight) in ranges where weight > best?.weight ?? 0 { best = (language, weight) }
    self = best?.language ?? .english
  }

  /// A language range with its weight in thousandths; `nil` if the language is not available or the range is not valid.
  private static func range(_ text: Substring) -> (Self, Int)? {
    let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
    guard let tag = parts.first, let language = tag == "*" ? .english : Self(tag: tag) else { return nil }
    guard parts.count > 1 else { return (language, 1000) }
    guard parts[1].lowercased().hasPrefix("q="), let weight = Double(parts[1].dropFirst(2)), (0...1).contains(weight)
    else { return nil }
    return (language, Int((weight * 1000).rounded()))
  }
}
