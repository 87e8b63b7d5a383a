extension Texts {
  /// Translates an English text that another program has made from one of these keys; returns it unchanged if it is none of
  /// them.
  package func translation(of english: String, among keys: [TextKey]) -> String {
    guard language != .english, let (key, values) = Self.origin(of: english, among: keys) else { return english }
    return self(key, values)
  }

  /// Translates a sentence of `TextKey.reported`, also after what it is about: `/dev/input/event3: unplugged`. Returns it unchanged if
  /// it is none of them.
  package func reported(_ english: String) -> String {
    guard language != .english else { return english }
    var start = english.startIndex
    while true {
      if let own = reportedSentence(String(english[start...])) { return english[..<start] + own }
      guard let next = english[start...].firstRange(of: ": ")?.upperBound else { return english }
      start = next
    }
  }

  /// The translation of a sentence whose values may be sentences as well; `nil` if it is none.
  private func reportedSentence(_ english: String) -> String? {
    guard let (key, values) = Self.origin(of: english, among: TextKey.reported) else { return nil }
    return self(key, values.mapValues { reportedSentence($0) ?? $0 })
  }

  /// The first key whose English text makes this one with some values.
  private static func origin(of english: String, among keys: [TextKey]) -> (key: TextKey, values: [String: String])? {
    for key in keys {
      if let text = Texts.english.lines[key.rawValue], let values = Self.values(in: english, madeFrom: text) {
        return (key, values)
      }
    }
    return nil
  }

  /// The values that make a text of a template; `nil` if it is not made from it.
  private static func values(in text: String, madeFrom template: String) -> [String: String]? {
    var values: [String: String] = [:]
    var rest = text[...]
    var open: String?
    let pieces = Self.pieces(of: template)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .placeholder(let name): open = name
      case .text(let fixed):
        // A value may contain the text that follows it, such as the point at the end of a sentence.
        let found =
          switch (open, index) {
          case (nil, _): rest.start(with: fixed)
          case (_, pieces.count - 1): rest.end(with: fixed)
          case (_, _): rest.range(of: fixed)
          }
        guard let range = found else { return nil }
        if let name = open { values[name] = String(rest[..<range.lowerBound]) }
        open = nil
        rest = rest[range.upperBound...]
      }
    }
    if let open { values[open] = String(rest) } else if !rest.isEmpty { return nil }
    return values
  }
}

extension Substring {
  /// The range of a text at the beginning.
  fileprivate func start(with text: String) -> Range<Index>? {
    hasPrefix(text) ? startIndex..<index(startIndex, offsetBy: text.count) : nil
  }

  /// The range of a text at the end.
  fileprivate func end(with text: String) -> Range<Index>? {
    hasSuffix(text) ? index(endIndex, offsetBy: -text.count)..<endIndex : nil
  }

  /// The first range of a text.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
