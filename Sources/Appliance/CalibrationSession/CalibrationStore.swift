import Configuration
import Servers

/// Stores accepted calibrations and puts them in force.
struct CalibrationStore: Sendable {
  /// The file.
  let location: String
  /// Uses a calibration instead of that of the configuration, or, with `nil`, that of the configuration again. Passes on the
  /// calibration that was used instead of it before, when the new one is in force; nothing changes if it fails.
  let replace:
    @Sendable (Configuration.Calibration?, @escaping Completion<Result<Configuration.Calibration?, SettingsError>>) ->
      Void
}
