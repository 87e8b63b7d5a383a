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

  private init(_ source: Source, _ texts: Texts, version: String) {
    let bytes = source.isText ? Self.withoutComments(source.bytes) : source.bytes
    contentType = source.contentType
    self.bytes =
      source.kind.map { kind in
        Array(
          PageText(texts: texts, kind: kind, version: version).rendered(String(decoding: bytes, as: UTF8.self)).utf8)
      } ?? bytes
    tag = "\"\(String(fnv1a(self.bytes), radix: 16))\""
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

  /// The file for a path in a language; `nil` if there is none. It is made when it is first requested.
  static func file(_ path: String, _ language: Language) -> Page? {
    guard let source = sources[path] else { return nil }
    let name = Name(path: path, language: language)
    if let known = files.withLock({ $0[name] }) { return known }
    let file = Page(source, .of(language), version: path == worker ? version(in: language) : "")
    files.withLock { $0[name] = file }
    return file
  }

  /// The service worker, which keeps a copy of the other files.
  private static let worker = "/worker.js"

  /// A hash of the files other than the service worker, which therefore changes with each of them.
  private static func version(in language: Language) -> String {
    let tags = sources.keys.filter { $0 != worker }.sorted().compactMap { file($0, language)?.tag }
    return String(fnv1a(Array(tags.joined().utf8)), radix: 16)
  }

  private struct Name: Hashable {
    let path: String
    let language: Language
  }

  /// The files that were made.
  private static let files = Mutex<[Name: Page]>([:])

  /// A file as it was written.
  private struct Source: Sendable {
    let contentType: String
    let bytes: [UInt8]

    /// - Parameter name: That of a file in the folder `Page`.
    init(_ name: String) {
      let file = grampad_page_file(name)
      precondition(file.bytes != nil, "CPage has no file \(name)")
      let types = ["html": "text/html", "css": "text/css", "js": "text/javascript"]
      let type = name.split(separator: ".").last.flatMap { types[String($0)] }
      contentType = type.map { "\($0); charset=utf-8" } ?? "image/svg+xml"
      bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
    }

    /// Whether it is text with comments or indentation.
    var isText: Bool { contentType.hasPrefix("text/") }

    /// How texts are quoted in it; `nil` if it has none.
    var kind: PageText.Kind? {
      contentType.hasPrefix("text/html") ? .markup : contentType.hasPrefix("text/javascript") ? .code : nil
    }
  }

  /// The paths of the files.
  static var paths: [String] { Array(sources.keys) }

  private static let sources: [String: Source] = {
    let page = Source("index.html")
    let names = [
      "app.js", "calibration-results.js", "calibration-texts.js", "calibration.css", "calibration.js", "chart.js",
      "force.js", "history-texts.js", "history.css", "history.js", "icon.svg", "live.js", "pad-finger.js", "pad.css",
      "pad.js", "page.css", "page.js", "panels.js", "peek.js", "ranges.js", "sentences.js", "settings-fields.js",
      "settings-lists.js", "settings-texts.js", "settings-zones.js", "settings.css", "settings.js", "tools.js",
      "worker.js",
    ]
    return Dictionary(names.map { ("/\($0)", Source($0)) }, uniquingKeysWith: { $1 })
      .merging(["/": page, "/kiosk": page]) { $1 }
  }()
}
