extension Texts {
  /// Translates an English text that another program has made from one of these keys; returns it unchanged if it is none of
  /// them.
  package func translation(of english: String, among keys: [TextKey]) -> String {
    guard language != .english else { return english }
    for key in keys {
      if let text = Texts.english.lines[key.rawValue], let values = Self.values(in: english, madeFrom: text) {
        return self(key, values)
      }
    }
    return english
  }

  /// The values that make a text of a template; `nil` if it is not made from it.
  private static func values(in text: String, madeFrom template: String) -> [String: String]? {
    var values: [String: String] = [:]
    var rest = text[...]
    var open: String?
    for piece in pieces(of: template) {
      switch piece {
      case .placeholder(let name): open = name
      case .text(let fixed):
        guard let range = open == nil ? rest.start(with: fixed) : rest.range(of: fixed) else { return nil }
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

  /// The first range of a text.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
