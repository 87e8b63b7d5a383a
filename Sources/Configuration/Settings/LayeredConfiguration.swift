/// A configuration without and with the settings that override it.
package struct LayeredConfiguration: Sendable {
  /// The configuration file alone.
  package let configured: Configuration
  /// The configuration that an appliance uses.
  package let effective: Configuration

  /// The calibration file: that of the settings, or that of the configuration, which applies again after a reset.
  ///
  /// - Parameter folder: The folder of the configuration.
  package func calibrationFile(in folder: String) -> CalibrationFile? {
    effective.calibrationFile(in: folder) ?? configured.calibrationFile(in: folder)
  }

  /// Reads a configuration and the settings that override it from the bytes of their files, as the appliance does.
  ///
  /// - Parameters:
  ///   - bytes: The configuration.
  ///   - file: Its name for diagnostics.
  ///   - settings: The settings; `nil` if there is no settings file.
  ///   - settingsFile: Its name for diagnostics.
  /// - Throws: `ConfigurationError.invalid`, or `.invalidSettings` if only the settings or the combination is invalid.
  package init(
    bytes: [UInt8], file: String, settings: [UInt8]?, settingsFile: String
  ) throws(ConfigurationError) {
    configured = try Configuration.parse(bytes: bytes, file: file)
    guard let settings else {
      effective = configured
      return
    }
    var layer = try SettingsFile(path: settingsFile).layer(settings)
    let context = ParseContext(file: file, settings: settingsFile, checks: Configuration.Checks())
    let root = YAMLDocument(bytes, DiagnosticReporter(context: context, keyPath: "")).load()
    effective = try layer.configuration(over: root, context, path: settingsFile)
  }

  /// Checks the syntax and the keys of settings that are not in effect: those before the last change.
  ///
  /// - Throws: `ConfigurationError.invalidSettings`.
  package static func checkSettings(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
    _ = try SettingsFile(path: file).layer(bytes)
  }
}
