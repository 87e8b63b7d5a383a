import Weighing

extension ConfigurationFile {
  /// The settings for the page as a JSON object:
  /// `{"ok": true, "revision", "path", "configuration", "can_undo", "needs_restart": [key, ...], "actions": [name, ...],
  /// "surface", "keys": {key: {"value", "configured", "source", "accepts", "meaning", "restart", "schema"}, ...}}`.
  ///
  /// `value` is in force, `configured` is the value without the settings of the page, `source` is `default`,
  /// `configuration` or `page`, and `schema` is the JSON schema of the values.
  ///
  /// - Parameter running: The configuration that the appliance started with.
  package func settingsState(startedWith running: Configuration) -> [UInt8] {
    let keys = Configuration.settableKeys.filter { $0.settings == .page }
    let settings = OutputValue.record([
      "ok": true, "revision": .text(revision), "path": .text(self.settings.path), "configuration": .text(path),
      "can_undo": .flag(canUndoSettings),
      "needs_restart": .list(current.keysNeedingRestart(from: running).map { .text($0) }),
      "actions": .list(Action.allCases.map { .text($0.rawValue) }),
      "surface": .text(current.pad.surface.rawValue),
      "keys": .map(keys.map { OutputEntry($0.name, state(of: $0)) }),
    ])
    return Array(settings.compactJSON.utf8)
  }

  private func state(of key: Key<Configuration>) -> OutputValue {
    .record([
      "value": key.output(current), "configured": key.output(configured), "source": .text(source(of: key.name)),
      "accepts": .text(key.values), "meaning": .text(key.documentation), "restart": key.restart.map { .text($0) },
      "schema": key.schema(),
    ])
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
