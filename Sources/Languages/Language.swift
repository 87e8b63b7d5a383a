/// A language of the page, of `watch` and of the sentences that commands print; the raw value is its BCP 47 tag.
package enum Language: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case german = "de"
  /// In simplified characters.
  case chinese = "zh-Hans"
  case japanese = "ja"

  /// The language for a language tag, such as `de-AT`, `zh-CN` or `ja`, in any case; `nil` if there is none.
  ///
  /// Chinese is offered in simplified characters only, so that a tag of a region or script with traditional ones has none.
  package init?(tag: some StringProtocol) {
    let parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
    switch parts.first {
    case "en": self = .english
    case "de": self = .german
    case "ja": self = .japanese
    case "zh" where !parts.contains(where: { ["hant", "tw", "hk", "mo"].contains($0) }) || parts.contains("hans"):
      self = .chinese
    default: return nil
    }
  }

  /// The forms of a text that depends on a number: `one` for 1, `other` for the rest, as in CLDR; a language without the
  /// distinction has only `other`.
  package var pluralForms: [String] {
    switch self {
    case .english, .german: ["one", "other"]
    case .chinese, .japanese: ["other"]
    }
  }

  /// The form of a text for a number.
  func pluralForm(of count: Int) -> String {
    switch self {
    case .english, .german: count.magnitude == 1 ? "one" : "other"
    case .chinese, .japanese: "other"
    }
  }
}
