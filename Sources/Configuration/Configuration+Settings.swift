import Languages
import Weighing

extension Configuration.Calibration {
  /// The curve through the points; `nil` without points.
  ///
  /// - Throws: `UnusableCalibrationError`.
  package func makeCurve() throws(UnusableCalibrationError) -> CalibrationCurve? {
    guard !points.isEmpty else { return nil }
    return try CalibrationCurve(shape: curve, points: points)
  }

  /// Why the core cannot use the calibration; `nil` if it can.
  package static func problem(of calibration: Configuration.Calibration) -> Sentence? {
    do throws(UnusableCalibrationError) {
      _ = try calibration.makeCurve()
      return nil
    } catch {
      return error.sentence
    }
  }
}

extension Configuration.Pad {
  /// The converter of a load cell and how to read it; `nil` if the pad is no load cell.
  package var converter: ConverterSettings? {
    var settings = loadCell
    switch device {
    case .input(.automatic): break
    case .converter(let name): settings.name = name
    case .simulated, .input: return nil
    }
    return settings
  }
}

extension Configuration {
  /// The settings of the scale.
  ///
  /// - Throws: `UnusableCalibrationError`; never for a configuration that was checked when it was read.
  package func scaleSettings() throws(UnusableCalibrationError) -> ScaleSettings {
    var settings = ScaleSettings()
    (settings.scale, settings.stability, settings.confirm) = (scale, stability, confirm)
    (settings.publish, settings.timer, settings.history) = (publish, timer, history)
    (settings.axis, settings.surface, settings.zones) = (pad.axis, pad.surface, Zones(pad.zones + pad.controls))
    settings.curve = try calibration.makeCurve()
    (settings.curvePad, settings.curveZero) = (calibration.origin?.pad, calibration.origin?.zero)
    (settings.knownPads, settings.warnsOfContactArea) = (KnownPad.all, pad.device == .input(.automatic))
    settings.quickActions = actions
    (settings.containers, settings.recognisesContainers) = (containers, containersAuto)
    settings.scanning = scanning
    (settings.target, settings.outputs) = (target, outputs.map(\.output))
    return settings
  }
}
