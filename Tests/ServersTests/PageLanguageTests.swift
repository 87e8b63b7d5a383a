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

  @Test func everyTextOfThePageHasItsValues() throws {
    let lines = Texts.english.lines
    var count = 0
    for (name, source) in try Self.sources() {
      for mark in PageText.marks(in: source) where !["sentences", "version"].contains(mark.key) {
        let text = try #require(lines[mark.key] ?? lines["\(mark.key).other"], "\(name): \(mark.key)")
        #expect(Set(mark.values.keys) == Self.placeholders(text), "\(name): \(mark.key)")
        count += 1
      }
    }
    #expect(count > 200)
  }

  @Test(arguments: [
    ("`a «pageHold time=${f({ x: 1 })}»`", "`a hold for ${f({ x: 1 })}`", "`a ${f({ x: 1 })} halten`"),
    (
      "`: «pieces count=${r.n}»`", "`: ${($n=>$n===1?`${$n} piece`:`${$n} pieces`)(r.n)}`",
      "`: ${($n=>$n===1?`${$n} Stück`:`${$n} Stück`)(r.n)}`"
    ),
    ("`«pageHold time=${x ?? '«pageNone»'}»`", "`hold for ${x ?? 'none'}`", "`${x ?? 'keine'} halten`"),
  ]) func textsAreInserted(_ source: String, _ english: String, _ german: String) {
    #expect(PageText(texts: .english, kind: .code).rendered(source) == english)
    #expect(PageText(texts: .of(.german), kind: .code).rendered(source) == german)
  }

  /// The service worker names its copy after what it copies, so that no copy has files of two versions or languages.
  @Test func theCopyIsNamedAfterItsContent() throws {
    let names = try Language.allCases.map { language in
      let worker = String(decoding: try #require(Page.file("/worker.js", language)).bytes, as: UTF8.self)
      return String(try #require(worker.firstMatch(of: /'grampad-([0-9a-f]{8,16})'/)).1)
    }
    #expect(Set(names).count == Language.allCases.count)
  }

  @Test func textsAreQuoted() {
    let code = PageText(texts: .english, kind: .code).rendered("'«pageInstall»'")
    #expect(code.hasPrefix("'To install") && !code.dropFirst().dropLast().contains("'"))
    let markup = PageText(texts: .english, kind: .markup).rendered("«pageTokenHint file=<code>f</code>»")
    #expect(markup == "Actions need the token from <code>f</code>. This browser remembers it.")
  }

  /// Needs `nodejs`, see Tests/Tiers/table.
  @Test(arguments: Language.allCases) func theCodeIsValid(_ language: Language) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for path in Page.paths {
      let page = try #require(Page.file(path, language))
      let text = String(decoding: page.bytes, as: UTF8.self)
      #expect(!text.contains("«") && !text.contains("»"), "\(path)")
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
    try Data(#require(Page.file("/sentences.js", language)).bytes).write(to: folder.appending(path: "sentences.mjs"))
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
      import { sentence } from './sentences.mjs';
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
    let (plain, german) = (try await get("/"), try await get("/", "Accept-Language: fr;q=0.9, de-AT;q=0.8, en;q=0.1"))
    #expect(plain.contains("<html lang=\"en\"") && plain.contains("Content-Language: en\r\n"))
    #expect(german.contains("<html lang=\"de\"") && german.contains("Content-Language: de\r\n"))
    #expect(german.contains("<dt>Brutto</dt>") && german.contains("Vary: Accept-Language\r\n"))
    #expect(tag(plain) != tag(german))
    #expect(try await get("/", "If-None-Match: \(tag(plain))").status == 304)
    #expect(try await get("/", "If-None-Match: \(tag(plain))", "Accept-Language: de").status == 200)
    let code = try await get("/page.js", "Accept-Language: ja")
    #expect(code.contains("'過負荷'") && code.contains("Content-Language: ja\r\n"))
    #expect(try await get("/kiosk", "Accept-Language: zh-CN").contains("<dt>毛重</dt>"))
    #expect(try await get("/manifest.webmanifest", "Accept-Language: zh-CN").contains(#""lang":"zh-Hans""#))
  }
}
