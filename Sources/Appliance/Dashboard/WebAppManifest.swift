import Languages
import Messages
import Weighing

/// The manifest of the page (W3C, "Web Application Manifest"), with which browsers install it as an app.
struct WebAppManifest {
  /// The name of the appliance.
  let name: String
  /// The quick actions, which become shortcuts: opening one asks for confirmation in the page.
  let actions: [QuickAction]

  /// The manifest as JSON.
  func json(_ texts: Texts) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.fields(
        ("id", "/"), ("lang", texts.language.rawValue), ("name", name), ("short_name", name), ("start_url", "/"),
        ("scope", "/"), ("display", "standalone"), ("description", texts(.pageAppDescription)),
        ("background_color", Self.color), ("theme_color", Self.color))
      json.object("launch_handler") { json in json.fields(("client_mode", "navigate-existing")) }
      icons(&json)
      json.array("shortcuts", actions.prefix(QuickAction.maximumCount)) { json, action in
        json.object { json in
          json.fields(("name", action.title), ("url", "/?action=\(action.type)"))
          if let subtitle = action.subtitle { json.fields(("description", subtitle)) }
          icons(&json)
        }
      }
    }
    return json.bytes
  }

  /// The background of the page in a dark colour scheme.
  private static let color = "#090d12"

  /// The largest one has no round corners, so that a device can cut its own shape.
  private static let icons = [
    ("/icon.svg", "any", "image/svg+xml", "any"), ("/icon-192.png", "192x192", "image/png", "any"),
    ("/icon-512.png", "512x512", "image/png", "any maskable"),
  ]

  private func icons(_ json: inout JSONWriter) {
    json.key("icons")
    json.array { json in
      for (file, sizes, type, purpose) in Self.icons {
        json.object { json in json.fields(("src", file), ("sizes", sizes), ("type", type), ("purpose", purpose)) }
      }
    }
  }
}
