import Weighing

extension Configuration {
  /// Takes what the calibration file says, which goes before the configuration's own points; one that is not there yet says
  /// nothing.
  ///
  /// - Parameter folder: That of the configuration.
  /// - Throws: `ConfigurationError`: what is wrong with the file.
  package mutating func readCalibrationFile(in folder: String) throws(ConfigurationError) {
    guard let record = try calibrationFile(in: folder)?.read() else { return }
    calibration.curve = record.curve
    calibration.points = record.points.map(\.point)
    calibration.origin = Calibration.Origin(date: record.date, pad: record.pad)
  }

  /// The file that `calibration.file` names; `nil` where it names none.
  ///
  /// - Parameter folder: That of the configuration.
  package func calibrationFile(in folder: String) -> CalibrationFile? {
    calibration.file.map { CalibrationFile($0, in: folder) }
  }
}
