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
      for (key, text) in [
        ("id", "/"), ("lang", texts.language.rawValue), ("name", name), ("short_name", name), ("start_url", "/"),
        ("scope", "/"), ("display", "standalone"),
        ("description", texts(.pageAppDescription)), ("background_color", Self.color), ("theme_color", Self.color),
      ] {
        json.key(key)
        json.string(text)
      }
      json.key("launch_handler")
      json.object { json in
        json.key("client_mode")
        json.string("navigate-existing")
      }
      icons(&json)
      json.key("shortcuts")
      json.array { json in
        for action in actions.prefix(QuickAction.maximumCount) {
          json.object { json in
            for (key, text) in [("name", action.title), ("url", "/?action=\(action.type)")] {
              json.key(key)
              json.string(text)
            }
            if let subtitle = action.subtitle {
              json.key("description")
              json.string(subtitle)
            }
            icons(&json)
          }
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
        json.object { json in
          for (key, text) in [("src", file), ("sizes", sizes), ("type", type), ("purpose", purpose)] {
            json.key(key)
            json.string(text)
          }
        }
      }
    }
  }
}
