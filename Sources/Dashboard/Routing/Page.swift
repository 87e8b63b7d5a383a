import EventLoop

/// The files of the page, which are compiled into the program.
struct Page: Sendable {
  let contentType: String
  let bytes: [UInt8]
  /// Entity tag of this version: a hash of the bytes (FNV-1a, 64 bits).
  let tag: String

  private init(_ contentType: String, _ bytes: [UInt8]) {
    self.contentType = contentType
    self.bytes = bytes
    tag = "\"\(String(fnv1a(bytes), radix: 16))\""
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
    "/press.js": Page("text/javascript; charset=utf-8", PackageResources.press_js),
    "/icon.svg": Page("image/svg+xml", PackageResources.icon_svg),
  ]
}
