import CPage
import Languages
import Linux
import Synchronization

/// A file of the page, which is compiled into the program, in a language.
struct Page: Sendable {
  let contentType: String
  let bytes: [UInt8]
  /// Entity tag of this version: a hash of the bytes (FNV-1a, 64 bits).
  let tag: String

  private init(_ contentType: String, _ bytes: [UInt8]) {
    (self.contentType, self.bytes) = (contentType, bytes)
    tag = "\"\(String(fnv1a(bytes), radix: 16))\""
  }

  /// Removes indentation, empty lines, and comments that are lines of their own, which are an eighth of the page.
  ///
  /// The result is the same program as long as no template literal of the source has line breaks, and the same document as long as
  /// no text of it has them.
  static func withoutComments(_ source: [UInt8]) -> [UInt8] {
    var (result, isComment): ([UInt8], Bool) = ([], false)
    for line in source.split(separator: UInt8(ascii: "\n")) {
      let code = line.drop { $0 == UInt8(ascii: " ") }
      if code.isEmpty || code.starts(with: "//".utf8) { continue }
      isComment = isComment || code.starts(with: "/*".utf8)
      if isComment {
        isComment = !code.reversed().starts(with: "/*".utf8)
      } else {
        result += code + [UInt8(ascii: "\n")]
      }
    }
    return result
  }

  /// Removes from a style sheet the spaces that separate nothing and the last semicolon of a rule.
  ///
  /// It has the same effect as long as none of its texts has a space next to `:`, `;`, `,`, `>` or a brace.
  static func withoutSpaces(_ css: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in css {
      if byte == UInt8(ascii: " "), let last = result.last, "{};:,>".utf8.contains(last) { continue }
      if "{}>".utf8.contains(byte), result.last == UInt8(ascii: " ") { result.removeLast() }
      if byte == UInt8(ascii: "}"), result.last == UInt8(ascii: ";") { result.removeLast() }
      result.append(byte)
    }
    return result
  }

  /// The file for a path in a language; `nil` if there is none. It is made when it is first requested.
  static func file(_ path: String, _ language: Language) -> Page? {
    let name = Name(path: path, language: language)
    if let known = files.withLock({ $0[name] }) { return known }
    guard let file = make(path, language) else { return nil }
    files.withLock { $0[name] = file }
    return file
  }

  private static func make(_ path: String, _ language: Language) -> Page? {
    let texts = PageTexts(texts: .of(language))
    switch path {
    case pageTexts: return Page(code, texts.page)
    case viewTexts: return Page(code, texts.views)
    case serviceTexts: return Page(code, texts.service)
    case worker:
      guard let worker = sources[path] else { return nil }
      return Page(worker.contentType, "const VERSION = '\(version(in: language))';\n".utf8 + worker.bytes)
    default: return sources[path]
    }
  }

  private static let pageTexts = "/language.js"
  private static let viewTexts = "/view-language.js"
  private static let serviceTexts = "/service-texts.js"
  /// The service worker, which keeps a copy of the other files.
  private static let worker = "/worker.js"

  /// A hash of the files other than the service worker, which therefore changes with each of them.
  private static func version(in language: Language) -> String {
    let tags = paths.filter { $0 != worker }.sorted().compactMap { file($0, language)?.tag }
    return String(fnv1a(Array(tags.joined().utf8)), radix: 16)
  }

  private struct Name: Hashable {
    let path: String
    let language: Language
  }

  /// The files that were made.
  private static let files = Mutex<[Name: Page]>([:])

  /// The paths of the files.
  static var paths: [String] { sources.keys + [pageTexts, viewTexts, serviceTexts] }

  /// The files in the folder `Page`, as they are served.
  static let sources: [String: Page] = {
    var sources: [String: Page] = [:]
    var count = 0
    let files = grampad_page_files(&count)
    for file in UnsafeBufferPointer(start: files, count: count) {
      let name = String(cString: file.name)
      let bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
      let type = contentTypes[String(name.split(separator: ".").last ?? ""), default: "application/octet-stream"]
      let content = type.hasPrefix("text/") ? withoutComments(bytes) : bytes
      sources["/\(name)"] = Page(type, name.hasSuffix(".css") ? withoutSpaces(content) : content)
    }
    let page = sources.removeValue(forKey: "/index.html")
    (sources["/"], sources["/kiosk"]) = (page, page)
    return sources
  }()

  private static let code = "text/javascript; charset=utf-8"
  private static let contentTypes = [
    "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": code, "png": "image/png",
    "svg": "image/svg+xml",
  ]
}
