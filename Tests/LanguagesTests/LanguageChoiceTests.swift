import Testing

@testable import Languages

/// The language for an environment, and for the header of a browser.
@Suite struct LanguageChoiceTests {
  @Test(
    arguments: [
      ([:], .english), (["LANG": "C"], .english), (["LANG": "C.UTF-8"], .english), (["LANG": "POSIX"], .english),
      (["LANG": ""], .english), (["LANG": "de_DE.UTF-8"], .german), (["LANG": "de_AT.utf8"], .german),
      (["LANG": "de_DE.UTF-8@euro"], .german), (["LANG": "ja_JP.UTF-8"], .japanese),
      (["LANG": "zh_CN.UTF-8"], .chinese),
      (["LANG": "zh_SG.UTF-8"], .chinese), (["LANG": "zh_TW.UTF-8"], .english), (["LANG": "zh_HK.UTF-8"], .english),
      (["LANG": "fr_FR.UTF-8"], .english), (["LANG": "den_CA.UTF-8"], .english),
      // The first that is set and not empty.
      (["LC_ALL": "ja_JP.UTF-8", "LC_MESSAGES": "de_DE.UTF-8", "LANG": "zh_CN.UTF-8"], .japanese),
      (["LC_ALL": "", "LC_MESSAGES": "de_DE.UTF-8", "LANG": "zh_CN.UTF-8"], .german),
      (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], .english), (["LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"], .english),
      // An encoding that the program does not write.
      (["LANG": "de_DE"], .english), (["LANG": "ja_JP.eucJP"], .english), (["LANG": "zh_CN.GB18030"], .english),
      (["LC_MESSAGES": "de_DE.UTF-8", "LANG": "C"], .english),
      (["LC_MESSAGES": "de_DE", "LANG": "en_GB.UTF-8"], .german),
      // As gettext does.
      (["LANG": "en_GB.UTF-8", "LANGUAGE": "de"], .german),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:ja:de"], .japanese),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "fr"], .german), (["LANG": "C.UTF-8", "LANGUAGE": "de"], .english),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": ""], .german), (["LANGUAGE": "de"], .english),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "en_US:de"], .english),
    ] as [([String: String], Language)])
  func theEnvironmentChooses(_ environment: [String: String], _ language: Language) {
    #expect(Language(environment: environment) == language)
  }

  @Test(
    arguments: [
      ("", .english), ("de", .german), ("de-AT,de;q=0.9,en;q=0.8", .german), ("en-US,en;q=0.9,de;q=0.8", .english),
      ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", .english), ("fr, de;q=0.7, en;q=0.3", .german),
      ("en;q=0.3, ja;q=0.7", .japanese), ("zh-CN,zh;q=0.9", .chinese), ("zh", .chinese), ("zh-Hans-TW", .chinese),
      ("zh-TW,zh;q=0.9,en;q=0.8", .chinese), ("zh-TW, en;q=0.8", .english), ("zh-Hant, ja;q=0.1", .japanese),
      ("*", .english), ("*;q=0.5, ja;q=0.6", .japanese), ("de;q=0, ja;q=0.1", .japanese), ("de;q=0", .english),
      ("DE-de", .german), ("de;q=2", .english), ("de;q=x, ja", .japanese), (",;,;;=, de", .german),
      ("de ; q=0.5", .german),
    ] as [(String, Language)])
  func theHeaderChooses(_ header: String, _ language: Language) {
    #expect(Language(acceptLanguage: header) == language)
  }
}
