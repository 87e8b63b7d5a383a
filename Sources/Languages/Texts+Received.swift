extension Texts {
  /// Translates an English text that another program has made from one of these keys; returns it unchanged if it is none of
  /// them.
  package func translation(of english: String, among keys: [TextKey]) -> String {
    guard language != .english, let (key, values) = Self.origin(of: english, among: keys) else { return english }
    return self(key, values)
  }

  /// Translates sentences of `TextKey.reported`, one on each line, also after what they are about: `/dev/input/event3: unplugged`. Returns
  /// other lines unchanged.
  package func reported(_ english: String) -> String {
    guard language != .english else { return english }
    return english.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      reportedLine(String(line)) ?? String(line)
    }.joined(separator: "\n")
  }

  /// The translation of a sentence, also after what it is about; `nil` for other texts.
  ///
  /// A sentence that begins with a value follows as much of the text as possible: in `scale.yaml:2:3: mqtt: 1883 is also the port of x`
  /// the value is `1883`.
  private func reportedLine(_ english: String) -> String? {
    if let own = reportedSentence(english, among: TextKey.reportedAround) { return own }
    let starts = [english.startIndex] + english.ranges(of: ": ").map(\.upperBound)
    for (starts, keys) in [(starts, Self.fixed), (starts.reversed(), Self.open)] {
      for start in starts {
        if let own = reportedSentence(String(english[start...]), among: keys) { return english[..<start] + own }
      }
    }
    return nil
  }

  /// The sentences that begin with a word, and those that begin with a value.
  private static let fixed = TextKey.reported.filter { !english($0).hasPrefix("{") }
  private static let open = TextKey.reported.filter { english($0).hasPrefix("{") }

  /// The translation of a text whose values may be sentences as well; `nil` for other texts.
  private func reportedSentence(_ english: String, among keys: [TextKey]) -> String? {
    guard let (key, values) = Self.origin(of: english, among: keys) else { return nil }
    return self(key, values.mapValues { reportedLine($0) ?? reportedSentence($0, among: TextKey.reportedValues) ?? $0 })
  }

  /// The first key whose English text makes this one with some values.
  private static func origin(of english: String, among keys: [TextKey]) -> (key: TextKey, values: [String: String])? {
    for key in keys {
      if let pieces = templates[key], let values = Self.values(in: english, madeFrom: pieces) { return (key, values) }
    }
    return nil
  }

  /// The parts of the English texts.
  private static let templates = Dictionary(
    uniqueKeysWithValues: TextKey.allCases.compactMap { key in english.lines[key.rawValue].map { (key, pieces(of: $0)) }
    })

  /// The values that make a text of a template; `nil` if it is not made from it.
  private static func values(in text: String, madeFrom pieces: [Piece]) -> [String: String]? {
    var values: [String: String] = [:]
    var rest = text[...]
    var open: String?
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
