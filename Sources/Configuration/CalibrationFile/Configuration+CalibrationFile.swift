extension Configuration {
  /// Applies the calibration file, which overrides the points of the configuration; no effect if the file does not exist.
  ///
  /// - Parameter folder: The folder of the configuration.
  /// - Throws: `ConfigurationError` if the file is invalid.
  package mutating func readCalibrationFile(in folder: String) throws(ConfigurationError) {
    guard let stored = try calibrationFile(in: folder)?.read() else { return }
    calibration.curve = stored.curve
    calibration.points = stored.points.map(\.point)
    calibration.origin = Calibration.Origin(date: stored.date, pad: stored.pad, emptyCounts: stored.emptyCounts)
  }

  /// The file in `calibration.file`; `nil` if not set.
  ///
  /// - Parameter folder: The folder of the configuration.
  package func calibrationFile(in folder: String) -> CalibrationFile? {
    calibration.file.map { CalibrationFile($0, in: folder) }
  }
}
