import Configuration
import Synchronization

/// Stores accepted calibrations and puts them in force.
struct CalibrationStore: Sendable {
  /// The file; `nil` if they are lost when the appliance stops.
  let location: String?
  /// Uses a calibration instead of that of the configuration, or, with `nil`, that of the configuration again. Returns the
  /// calibration that was used instead of it before. It is in force when this returns; nothing changes if it throws.
  let replace: @Sendable (Configuration.Calibration?) async throws(SettingsError) -> Configuration.Calibration?

  init(
    location: String?,
    replace: @escaping @Sendable (Configuration.Calibration?) async throws(SettingsError) -> Configuration.Calibration?
  ) {
    (self.location, self.replace) = (location, replace)
  }

  /// Keeps calibrations in memory, for `demo`, which has no files.
  ///
  /// - Parameter apply: Puts a configuration in force.
  static func inMemory(
    instead configuration: Configuration, apply: @escaping @Sendable (Configuration) -> Void
  ) -> CalibrationStore {
    let stored = StoredCalibration()
    return CalibrationStore(location: nil) { new in
      var changed = configuration
      changed.calibration = new ?? configuration.calibration
      apply(changed)
      return stored.value.withLock { value in
        defer { value = new }
        return value
      }
    }
  }

  private final class StoredCalibration: Sendable {
    let value = Mutex<Configuration.Calibration?>(nil)
  }
}
