import Foundation
import Testing

@testable import Languages

/// Every language has every text, and every text is used.
@Suite struct CompletenessTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// What is the same word in two languages.
  private static let common: [Language: Set<String>] = [
    .german: [
      "devicesMeasures",
      "labelContainer", "pageStatus", "pagePad", "pageBroker", "pageJournal", "pageLive", "pageVersion", "shapeLinear",
      "settingsName", "calDrift", "calLinear", "twoReasons", "diagnoseAdvice",
      "verifyFault", "backupSaved", "testPad", "online", "offline", "devicesName", "pageMin", "pageHour", "calReason",
      "curveFormula", "historyOfDay", "padFinger",
    ],
    .chinese: ["pageQuoted"],
  ]

  private static func entries(_ language: Language) throws -> [(key: String, text: String)] {
    let file = root.appending(path: "Sources/Languages/Strings/\(language.rawValue).txt")
    return Texts.entries(Array(try Data(contentsOf: file)))
  }

  /// The names of the placeholders of a text, sorted.
  private static func placeholders(_ text: String) -> [String] {
    Texts.pieces(of: text).compactMap { if case .placeholder(let name) = $0 { name } else { nil } }.sorted()
  }

  /// A key without its plural form.
  private static func base(_ key: String) -> String { String(key.prefix { $0 != "." }) }

  @Test(arguments: Language.allCases) func hasTheKeysOfEnglishInItsOrder(_ language: Language) throws {
    let (english, own) = (try Self.entries(.english).map(\.key), try Self.entries(language).map(\.key))
    let expected = english.flatMap { key -> [String] in
      guard key.contains(".") else { return [key] }
      // In English, `one` comes first and stands for all forms.
      return key.hasSuffix(".one") ? language.pluralForms.map { "\(Self.base(key)).\($0)" } : []
    }
    let surplus = own.filter { !expected.contains($0) }
    let missing = expected.filter { !own.contains($0) }
    #expect(missing.isEmpty && surplus.isEmpty, "missing \(missing), surplus \(surplus)")
    #expect(own == expected, "the order differs, or a key is there twice")
  }

  @Test(arguments: Language.allCases) func hasThePlaceholdersOfEnglish(_ language: Language) throws {
    let english = Dictionary(uniqueKeysWithValues: try Self.entries(.english).map { ($0.key, $0.text) })
    for (key, text) in try Self.entries(language) {
      let original = english[key] ?? english[Self.base(key) + ".other"] ?? ""
      #expect(Self.placeholders(text) == Self.placeholders(original), "\(key)")
      #expect(!text.isEmpty && !text.contains("  "), "\(key)")
    }
  }

  @Test(arguments: Language.allCases) func nothingIsLeftInEnglish(_ language: Language) throws {
    guard language != .english else { return }
    let english = Dictionary(uniqueKeysWithValues: try Self.entries(.english).map { ($0.key, $0.text) })
    let same = try Self.entries(language).filter { $0.text == english[$0.key] }.map(\.key)
    #expect(Set(same).subtracting(Self.common[language] ?? []) == [])
  }

  @Test(arguments: Language.allCases) func namesItself(_ language: Language) {
    #expect(Texts.of(language).lines["lang"] == language.rawValue)
  }

  @Test func everyKeyOfTheProgramHasAText() {
    for key in TextKey.allCases {
      let lines = Texts.english.lines
      #expect(lines[key.rawValue] != nil || lines[key.rawValue + ".other"] != nil, "\(key)")
    }
  }

  @Test func everyTextIsUsed() throws {
    let sources = Self.root.appending(path: "Sources")
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    func joined(_ isWanted: (String) -> Bool) throws -> String {
      try names.filter(isWanted).map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }.joined()
    }
    let swift = try joined { $0.hasSuffix(".swift") && !$0.hasSuffix("TextKey.swift") }
    let used = Set(swift.matches(of: /\.([A-Za-z]+)/).map { String($0.1) })
    let page = try joined { $0.hasPrefix("Servers/Page/") && ($0.hasSuffix(".js") || $0.hasSuffix(".html")) }
    let marks = page.matches(of: /\btexts\.(\w+)|'(\w+)'|data-(?:t|label|placeholder)="(\w+)"/)
    let shown = Set(marks.map { String($0.1 ?? $0.2 ?? $0.3 ?? "") }).union(["lang"])
    for key in Set(try Self.entries(.english).map { Self.base($0.key) }) {
      #expect(TextKey(rawValue: key) != nil && used.contains(key) || shown.contains(key), "\(key)")
    }
  }
}
