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

  private func icons(_ json: inout JSONWriter) {
    json.key("icons")
    json.array { json in
      json.object { json in
        for (key, text) in [("src", "/icon.svg"), ("sizes", "any"), ("type", "image/svg+xml"), ("purpose", "any")] {
          json.key(key)
          json.string(text)
        }
      }
    }
  }
}
