extension Language {
  /// The language that a user has chosen with the environment of a program: locale(7), and `LANGUAGE` as gettext does.
  ///
  /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty is the locale of messages. With `C`, `POSIX` or
  /// without a locale it is English. Otherwise the languages in `LANGUAGE`, separated by colons, precede the one of the locale. A
  /// locale whose encoding is not UTF-8 gives English, since the program writes UTF-8.
  package init(environment: [String: String]) {
    func first(_ names: String...) -> String { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C" }
    let locale = first("LC_ALL", "LC_MESSAGES", "LANG")
    guard Self.isUTF8(first("LC_ALL", "LC_CTYPE", "LANG")), !Self.isPOSIX(locale) else {
      self = .english
      return
    }
    let wanted = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
    self = wanted.lazy.compactMap { Self(tag: Self.tag($0)) }.first ?? .english
  }

  /// Whether a locale's encoding is UTF-8: `de_DE.UTF-8`, `C.utf8`.
  private static func isUTF8(_ locale: String) -> Bool {
    let locale = locale.lowercased()
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  private static func isPOSIX(_ locale: String) -> Bool { ["C", "POSIX"].contains(tag(locale)) }

  /// A locale without encoding and modifier: `de_DE` for `de_DE.UTF-8@euro`.
  private static func tag(_ locale: String) -> String { String(locale.prefix { $0 != "." && $0 != "@" }) }
}
