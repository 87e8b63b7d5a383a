import Linux
import Messages
import Weighing

/// A change of the settings.
package struct SettingsChange: Hashable, Sendable {
  /// New values by the names of their keys: `pad.zones`.
  package var values: [String: JSONValue] = [:]
  /// The keys that get the value of the configuration again.
  package var resets: Set<String> = []

  /// No change.
  package init() {}
}

extension ConfigurationFile {
  /// Identifies the settings and the configuration they override; a change is based on it.
  package var revision: String {
    HexadecimalText.fixed(fnv1a((settingsBytes ?? []) + [0] + Array(configured.fingerprint.utf8)))
  }

  /// The path of the settings file.
  package var settingsPath: String { settings.path }

  /// The names of the keys whose values come from the settings file, in the documented order.
  package var settingsKeys: [String] { Configuration.settableKeys.map(\.name).filter { layer[$0] != nil } }

  /// Whether there is a change of the settings that can be undone.
  package var canUndoSettings: Bool {
    guard let previous = try? settings.readPrevious() else { return false }
    return previous != settingsBytes
  }

  /// Changes settings that users may change.
  ///
  /// Reads the files again, writes the settings file, and reads it again. Nothing changes unless everything is valid.
  ///
  /// - Parameter revision: The revision that the change is based on.
  package mutating func changeSettings(
    _ change: SettingsChange, basedOn revision: String
  ) throws(SettingsError) {
    try update(basedOn: revision) { (layer, root) throws(SettingsError) in
      let keys = Set(Configuration.settableKeys.filter { $0.pageNames != nil }.map(\.name))
      for key in change.values.keys.sorted() where !keys.contains(key) {
        root.below(printable(key)).reportNotSettable()
      }
      for key in change.resets.sorted() where !keys.contains(key) { root.below(printable(key)).reportNotSettable() }
      for key in change.resets { layer[key] = nil }
      for (key, value) in change.values { layer[key] = YAMLNode(value).inSettings(layer: 2) }
    }
  }

  /// Puts the settings before the last change back; a second call puts the change back.
  package mutating func undoSettings(basedOn revision: String) throws(SettingsError) {
    let settings = settings
    try update(basedOn: revision) { (layer, _) throws(SettingsError) in
      let previous: SettingsLayer?
      do throws(ConfigurationError) {
        previous = try settings.readPrevious().map { bytes throws(ConfigurationError) in try settings.layer(bytes) }
      } catch {
        throw .configuration(error)
      }
      guard let previous else { throw .nothingToUndo }
      layer = previous
    }
  }

  /// The calibration that is used instead of the section `calibration` of the configuration; `nil` without one.
  package var settingsCalibration: Configuration.Calibration? {
    layer["calibration"] == nil ? nil : current.calibration
  }

  /// Uses a calibration instead of the section `calibration` of the configuration, or that section again.
  package mutating func changeCalibration(
    _ calibration: Configuration.Calibration?
  ) throws(SettingsError) {
    try update(basedOn: nil) { (layer, _) throws(SettingsError) in
      layer["calibration"] = calibration.map { YAMLNode(.map($0.entries)).inSettings() }
    }
  }

  private mutating func update(
    basedOn revision: String?, _ change: (inout SettingsLayer, DiagnosticReporter) throws(SettingsError) -> Void
  ) throws(SettingsError) {
    if case .failure(let error) = reload() { throw .configuration(error) }
    if let revision, revision != self.revision { throw .conflict }
    var changed = layer
    let context = ParseContext(file: path, settings: settings.path, checks: checks)
    try change(&changed, DiagnosticReporter(context: context, keyPath: ""))
    guard context.diagnostics.isEmpty else { throw .invalid(context.diagnostics) }
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try changed.configuration(over: root, context, path: settings.path)
      var applied = configuration
      try applied.readCalibrationFile(in: folder)
    } catch {
      if case .invalidSettings(_, let diagnostics) = error { throw .invalid(diagnostics) }
      if case .invalid(let diagnostics) = error { throw .invalid(diagnostics) }
      throw .configuration(error)
    }
    let bytes = Array(SettingsFile.text(of: changed, in: configuration).utf8)
    guard bytes != settingsBytes else { return }
    try settings.write(bytes, replacing: settingsBytes)
    if case .failure(let error) = reload() { throw .configuration(error) }
  }
}

extension DiagnosticReporter {
  /// Reports a key that may be set only in the configuration file.
  func reportNotSettable(at position: SourcePosition = SourcePosition(line: 1, column: 1, layer: 1)) {
    report(.configNotSettable, at: position)
  }
}
