extension TextKey {
  /// The key in payloads: `link_unreachable`.
  package var name: String { Self.names[self] ?? rawValue }

  /// The key with a name; `nil` for the name of another version.
  package init?(name: String) {
    guard let key = Self.keys[name] else { return nil }
    self = key
  }

  private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, snakeCase($0.rawValue)) })
  private static let keys = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })

  /// `configURLHost` is `config_url_host`.
  private static func snakeCase(_ word: String) -> String {
    let letters = Array(word)
    var name = ""
    for (index, letter) in letters.enumerated() {
      if letter.isUppercase, index > 0 {
        let isNext = letters.indices.contains(index + 1) && letters[index + 1].isLowercase
        if !letters[index - 1].isUppercase || isNext { name += "_" }
      }
      name += letter.lowercased()
    }
    return name
  }
}
