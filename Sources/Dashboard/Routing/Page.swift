import EventLoop

/// The files of the page, which are compiled into the program.
struct Page: Sendable {
  let contentType: String
  let bytes: [UInt8]
  /// Entity tag of this version: a hash of the bytes (FNV-1a, 64 bits).
  let tag: String

  private init(_ contentType: String, _ source: [UInt8]) {
    let isCode = contentType.hasPrefix("text/javascript") || contentType.hasPrefix("text/css")
    let bytes = isCode ? Self.withoutComments(source) : source
    self.contentType = contentType
    self.bytes = bytes
    tag = "\"\(String(fnv1a(bytes), radix: 16))\""
  }

  /// Removes indentation, empty lines, and comments that are lines of their own, which are an eighth of the page.
  ///
  /// The result is the same program as long as no template literal of the source has line breaks.
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

  /// The files by their paths.
  static let all: [String: Page] = [
    "/": Page("text/html; charset=utf-8", PackageResources.index_html),
    "/page.css": Page("text/css; charset=utf-8", PackageResources.page_css),
    "/page.js": Page("text/javascript; charset=utf-8", PackageResources.page_js),
    "/chart.js": Page("text/javascript; charset=utf-8", PackageResources.chart_js),
    "/panels.js": Page("text/javascript; charset=utf-8", PackageResources.panels_js),
    "/tools.js": Page("text/javascript; charset=utf-8", PackageResources.tools_js),
    "/kiosk": Page("text/html; charset=utf-8", PackageResources.index_html),
    "/app.js": Page("text/javascript; charset=utf-8", PackageResources.app_js),
    "/worker.js": Page("text/javascript; charset=utf-8", PackageResources.worker_js),
    "/pad.js": Page("text/javascript; charset=utf-8", PackageResources.pad_js),
    "/pad.css": Page("text/css; charset=utf-8", PackageResources.pad_css),
    "/settings.js": Page("text/javascript; charset=utf-8", PackageResources.settings_js),
    "/settings-fields.js": Page("text/javascript; charset=utf-8", PackageResources.settings_fields_js),
    "/settings-lists.js": Page("text/javascript; charset=utf-8", PackageResources.settings_lists_js),
    "/settings-texts.js": Page("text/javascript; charset=utf-8", PackageResources.settings_texts_js),
    "/settings-zones.js": Page("text/javascript; charset=utf-8", PackageResources.settings_zones_js),
    "/settings.css": Page("text/css; charset=utf-8", PackageResources.settings_css),
    "/force.js": Page("text/javascript; charset=utf-8", PackageResources.force_js),
    "/peek.js": Page("text/javascript; charset=utf-8", PackageResources.peek_js),
    "/icon.svg": Page("image/svg+xml", PackageResources.icon_svg),
  ]
}
