import Configuration

/// Stores accepted calibrations and puts them in force.
struct CalibrationStore: Sendable {
  /// The file.
  let location: String
  /// Uses a calibration instead of that of the configuration, or, with `nil`, that of the configuration again. Returns the
  /// calibration that was used instead of it before. It is in force when this returns; nothing changes if it throws.
  let replace: @Sendable (Configuration.Calibration?) async throws(SettingsError) -> Configuration.Calibration?
}
