import Glibc
import Languages
import Linux
import Weighing

extension Configuration {
  /// The uncertainty of the curve, as a fraction of the capacity, that causes a warning: one in three readings is then off
  /// by more than a hundredth of the capacity.
  private static let largeUncertainty = 0.01

  /// A warning if the points of the calibration do not lie on one curve, with the mass to check if the others tell which one it
  /// is, in the words of `grampad calibrate`; `nil` if they lie on one, or are too few to tell.
  private var pointsWarning: Sentence? {
    if let mistyped = MistypedPoint(among: calibration.points) {
      let (point, predicted) = (mistyped.point, mistyped.predicted)
      return CalibrationError.mistyped(mass: point.mass, counts: point.counts, predicted: predicted).sentence
    }
    guard let curve = try? calibration.makeCurve(), curve.residual.value > scale.capacity.value * Self.largeUncertainty
    else {
      return nil
    }
    if let doubt = CalibrationTrial.doubt(about: calibration.points, shape: calibration.curve) { return doubt.sentence }
    let residual = DecimalText.fixed(curve.residual.value, decimals: 1)
    return Sentence(.warningUncertainty, ["mass": residual, "command": "`grampad calibrate`"])
  }

  /// A warning about the calibration on a pad; `nil` if there is none.
  ///
  /// - Parameter folder: The folder of the configuration.
  package func calibrationWarning(for pad: PadDescription?, in folder: String) -> Sentence? {
    if let file = calibrationFile(in: folder), calibration.origin == nil, !FileSystem.exists(file.path) {
      return Sentence(
        .warningNoCalibrationFile, ["path": printable(file.path, limit: 4096), "command": "`grampad calibrate`"])
    }
    guard let made = calibration.origin?.pad, let pad, let axis = try? pad.loadAxis(self.pad.axis) else {
      return pointsWarning
    }
    switch made.match(CalibratedPad(pad, axis: axis)) {
    case .same: return pointsWarning
    case .alike(let difference):
      return Sentence(
        .warningOtherPad,
        ["difference": difference.map { printable($0, limit: 180) }.sentence, "command": "`grampad calibrate verify`"])
    case .foreign(let difference):
      return Sentence(
        .warningForeignPad,
        ["difference": difference.map { printable($0, limit: 180) }.sentence, "command": "`grampad calibrate`"])
    }
  }
}
