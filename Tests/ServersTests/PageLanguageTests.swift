import Foundation
import Languages
import Messages
import Testing
import Weighing

@testable import Servers

/// The page in each language.
@Suite struct PageLanguageTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/Servers/Page")

  private static func sources() throws -> [(name: String, text: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".js") || $0.hasSuffix(".html")
    }.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }

  private static func placeholders(_ text: String) -> Set<String> {
    Set(Texts.pieces(of: text).compactMap { if case .placeholder(let name) = $0 { name } else { nil } })
  }

  /// Keys and placeholders that the code names are those of the texts; for texts that nothing uses see `CompletenessTests`.
  @Test func everyTextOfThePageHasItsValues() throws {
    let lines = Texts.english.lines
    var used: Set<String> = []
    for (name, source) in try Self.sources() {
      for match in source.matches(of: /\btexts\.(?!js\b)(\w+)|data-(?:t|label|placeholder)="(\w+)"/) {
        let key = String(match.1 ?? match.2 ?? "")
        #expect(lines[key] != nil, "\(name): \(key)")
        used.insert(key)
      }
      for match in source.matches(of: /\bsay\(\s*'(\w+)',\s*\{([^}]*)\}/) {
        let key = String(match.1)
        let text = try #require(lines[key] ?? lines["\(key).other"], "\(name): \(key)")
        for placeholder in Self.placeholders(text) {
          #expect(match.2.contains(try Regex("\\b\(placeholder)\\b")), "\(name): \(key) without \(placeholder)")
        }
      }
    }
    #expect(used.count > 200)
  }

  @Test func aTextWithPluralFormsIsAnObject() {
    let text = { (language: Language) in String(decoding: PageTexts(texts: .of(language)).page, as: UTF8.self) }
    #expect(text(.english).contains(#""pieces":{"one":"{count} piece","other":"{count} pieces"}"#))
    #expect(text(.japanese).hasPrefix("export const texts = {") && text(.japanese).contains(#""lang":"ja""#))
    #expect(text(.german).contains(#""stateOverload":"Überlast""#))
  }

  /// The service worker names its copy after what it copies, so that no copy has files of two versions or languages.
  @Test func theCopyIsNamedAfterItsContent() throws {
    let names = try Language.allCases.map { language in
      let worker = String(decoding: try #require(Page.file("/worker.js", language)).bytes, as: UTF8.self)
      return String(try #require(worker.firstMatch(of: /^const VERSION = '([0-9a-f]{8,16})';/)).1)
    }
    #expect(Set(names).count == Language.allCases.count)
  }

  /// Needs `nodejs`, see Tests/Tiers/table.
  @Test(arguments: Language.allCases) func theCodeIsValid(_ language: Language) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for path in Page.paths {
      let page = try #require(Page.file(path, language))
      guard path.hasSuffix(".js") else { continue }
      let file = folder.appending(path: path)
      try Data(page.bytes).write(to: file)
      files.append(file.path)
    }
    #expect(files.count > 20)
    // One process for all of them: its start takes longer than the check.
    let check = """
      const { SourceTextModule } = require('vm'), { readFileSync } = require('fs');
      for (const file of process.argv.slice(1)) new SourceTextModule(readFileSync(file, 'utf8'), { identifier: file });
      """
    let node = Process()
    node.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    node.arguments = ["node", "--no-warnings", "--experimental-vm-modules", "--eval", check] + files
    try node.run()
    node.waitUntilExit()
    #expect(node.terminationStatus == 0, "the message of node above names the file")
  }

  /// The page says a sentence of a payload as the commands do. Needs `nodejs`.
  @Test(arguments: Language.allCases) func theSentencesOfTheServiceAreTranslated(_ language: Language) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["sentences.js", "service-texts.js", "texts.js", "language.js"] {
      try Data(#require(Page.file("/\(name)", language)).bytes).write(to: folder.appending(path: name))
    }
    try Data(#"{"type": "module"}"#.utf8).write(to: folder.appending(path: "package.json"))
    var sentences = TextKey.allCases.map { key in
      let lines = Texts.english.lines
      let names = Self.placeholders(lines[key.rawValue] ?? lines[key.rawValue + ".other"] ?? "")
      let values = names.map { ($0, Sentence.verbatim($0 == "count" ? "1" : "<\($0)>")) }
      return Sentence(.text(key: key.name, values: Dictionary(uniqueKeysWithValues: values)))
    }
    sentences += sentences.prefix(40).map { Sentence(.configExpected, ["accepts": $0]).about("{a}").about("b") }
    sentences += [.lines(Array(sentences.prefix(3))).about("c"), .verbatim("{d} $& \\\"")]
    var json = JSONWriter()
    json.array { json in for sentence in sentences { json.object { $0.sentence("reason", sentence) } } }
    let code = """
      globalThis.navigator ??= { languages: [] };
      const { sentence } = await import('./sentences.js');
      const reports = \(String(decoding: json.bytes, as: UTF8.self));
      const other = { reason: 'in English', reason_key: 'of_another_version', reason_values: {} };
      console.log(JSON.stringify([...reports, other].map(each => sentence(each, 'reason'))));
      """
    try Data(code.utf8).write(to: folder.appending(path: "main.mjs"))
    let (node, output) = (Process(), Pipe())
    node.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    node.arguments = ["node", folder.appending(path: "main.mjs").path]
    node.standardOutput = output
    try node.run()
    let texts = try JSONDecoder().decode([String].self, from: output.fileHandleForReading.readDataToEndOfFile())
    node.waitUntilExit()
    try #require(texts.count == sentences.count + 1)
    for (sentence, own) in zip(sentences, texts) { #expect(own == Texts.of(language)(sentence)) }
    #expect(texts.last == "in English")
  }

  @Test func theBrowserChooses() async throws {
    let dashboard = try await RunningDashboard()
    func get(_ path: String, _ headers: String...) async throws -> String {
      try await RawClient.request(dashboard.port, "GET \(path)", headers)
    }
    func tag(_ answer: String) -> String {
      answer.firstMatch(of: /ETag: ("[^"]+")/).map { String($0.1) } ?? "none"
    }
    let (plain, german) = (
      try await get("/language.js"), try await get("/language.js", "Accept-Language: fr;q=0.9, de-AT;q=0.8, en;q=0.1")
    )
    #expect(plain.contains("\"pageGross\":\"Gross\"") && plain.contains("Content-Language: en\r\n"))
    #expect(german.contains("\"pageGross\":\"Brutto\"") && german.contains("Content-Language: de\r\n"))
    #expect(german.contains("Vary: Accept-Language\r\n"))
    #expect(tag(plain) != tag(german))
    #expect(try await get("/language.js", "If-None-Match: \(tag(plain))").status == 304)
    #expect(try await get("/language.js", "If-None-Match: \(tag(plain))", "Accept-Language: de").status == 200)
    #expect(try await get("/manifest.webmanifest", "Accept-Language: zh-CN").contains(#""lang":"zh-Hans""#))
  }
}
