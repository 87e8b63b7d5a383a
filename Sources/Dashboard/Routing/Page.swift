import CPage
import EventLoop
import Languages
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
    init(_ contentType: String, _ name: String) {
      let file = grampad_page_file(name)
      precondition(file.bytes != nil, "CPage has no file \(name)")
      self.contentType = contentType
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

  private static let sources: [String: Source] = [
    "/": Source("text/html; charset=utf-8", "index.html"),
    "/page.css": Source("text/css; charset=utf-8", "page.css"),
    "/live.js": Source("text/javascript; charset=utf-8", "live.js"),
    "/page.js": Source("text/javascript; charset=utf-8", "page.js"),
    "/chart.js": Source("text/javascript; charset=utf-8", "chart.js"),
    "/panels.js": Source("text/javascript; charset=utf-8", "panels.js"),
    "/tools.js": Source("text/javascript; charset=utf-8", "tools.js"),
    "/kiosk": Source("text/html; charset=utf-8", "index.html"),
    "/app.js": Source("text/javascript; charset=utf-8", "app.js"),
    worker: Source("text/javascript; charset=utf-8", "worker.js"),
    "/pad.js": Source("text/javascript; charset=utf-8", "pad.js"),
    "/pad-finger.js": Source("text/javascript; charset=utf-8", "pad-finger.js"),
    "/pad.css": Source("text/css; charset=utf-8", "pad.css"),
    "/history.js": Source("text/javascript; charset=utf-8", "history.js"),
    "/history-texts.js": Source("text/javascript; charset=utf-8", "history-texts.js"),
    "/history.css": Source("text/css; charset=utf-8", "history.css"),
    "/reported.js": Source("text/javascript; charset=utf-8", "reported.js"),
    "/ranges.js": Source("text/javascript; charset=utf-8", "ranges.js"),
    "/settings.js": Source("text/javascript; charset=utf-8", "settings.js"),
    "/settings-fields.js": Source("text/javascript; charset=utf-8", "settings-fields.js"),
    "/settings-lists.js": Source("text/javascript; charset=utf-8", "settings-lists.js"),
    "/settings-texts.js": Source("text/javascript; charset=utf-8", "settings-texts.js"),
    "/settings-zones.js": Source("text/javascript; charset=utf-8", "settings-zones.js"),
    "/settings.css": Source("text/css; charset=utf-8", "settings.css"),
    "/calibration.js": Source("text/javascript; charset=utf-8", "calibration.js"),
    "/calibration-results.js": Source("text/javascript; charset=utf-8", "calibration-results.js"),
    "/calibration-texts.js": Source("text/javascript; charset=utf-8", "calibration-texts.js"),
    "/calibration.css": Source("text/css; charset=utf-8", "calibration.css"),
    "/force.js": Source("text/javascript; charset=utf-8", "force.js"),
    "/peek.js": Source("text/javascript; charset=utf-8", "peek.js"),
    "/icon.svg": Source("image/svg+xml", "icon.svg"),
  ]
}
