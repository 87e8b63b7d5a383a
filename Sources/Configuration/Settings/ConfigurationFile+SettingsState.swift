import Languages
import Messages
import Weighing

extension ConfigurationFile {
  /// The settings for the page as a JSON object:
  /// `{"ok": true, "revision", "path", "configuration", "can_undo", "needs_restart": [key, ...], "actions": [name, ...],
  /// "surface", "keys": {key: {"value", "configured", "source", "name", "group", "accepts", "meaning", "restart", "schema"}, ...}}`.
  ///
  /// `value` is in force, `configured` is the value without the settings of the page, `source` is `default`,
  /// `configuration` or `page`, and `schema` is the JSON schema of the values. `name`, `group` and `accepts` are sentences with their
  /// keys and values. The keys of a group follow each other.
  ///
  /// - Parameter running: The configuration that the appliance started with.
  package func settingsState(startedWith running: Configuration) -> [UInt8] {
    JSONWriter.object { json in
      json.field("ok", true)
      json.fields(("revision", revision), ("path", settings.path), ("configuration", path))
      json.field("can_undo", canUndoSettings)
      json.put("needs_restart", .list(current.keysNeedingRestart(from: running).map { .text($0) }))
      json.put("actions", .list(Action.allCases.map { .text($0.rawValue) }))
      json.fields(("surface", current.pad.surface.rawValue))
      json.object("keys") { json in
        let keys = Configuration.settableKeys
        for group in SettingsGroup.allCases {
          for key in keys {
            guard let names = key.pageNames, names.group == group else { continue }
            json.object(key.name) { json in write(key, names.name, in: group, to: &json) }
          }
        }
      }
    }
  }

  private func write(
    _ key: Key<Configuration>, _ name: TextKey, in group: SettingsGroup, to json: inout JSONWriter
  ) {
    json.put("value", key.output(current))
    json.put("configured", key.output(configured))
    json.fields(("source", source(of: key.name)))
    json.sentence("name", Sentence(name))
    json.sentence("group", Sentence(group.title))
    if let accepted = key.accepted { json.sentence("accepts", accepted) }
    json.fields(("meaning", key.documentation))
    json.put("restart", key.restart.map { .text($0) })
    json.put("schema", key.schema())
  }

  /// Where the value of a key comes from.
  private func source(of key: String) -> String {
    if layer[key] != nil { return "page" }
    let names = key.split(separator: ".").map(String.init)
    guard case .mapping(let entries)? = root?.content, let entry = entries.first(where: { $0.key == names[0] }) else {
      return "default"
    }
    guard names.count == 2 else { return "configuration" }
    guard case .mapping(let keys) = entry.value.content else { return "default" }
    return keys.contains { $0.key == names[1] } ? "configuration" : "default"
  }
}

extension JSONWriter {
  /// Writes a value with its key; nothing without one.
  fileprivate mutating func put(_ name: String, _ value: OutputValue?) {
    guard let value else { return }
    key(name)
    verbatim(Array(value.compactJSON.utf8))
  }
}
