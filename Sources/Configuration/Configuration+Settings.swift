import Languages
import Weighing

extension Configuration.Calibration {
  /// The curve through the points; `nil` without points.
  ///
  /// - Throws: `UnusableCalibrationError`.
  package func makeCurve() throws(UnusableCalibrationError) -> CalibrationCurve? {
    guard !points.isEmpty else { return nil }
    return try CalibrationCurve(shape: shape, points: points)
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

  private var shape: CurveShape {
    switch curve {
    case .linear: .linear
    case .monotone: .monotone
    case .polynomial: .polynomial
    case .power: .power
    }
  }
}

extension Configuration.DeviceChoice {
  /// The selected input device; `automatic` for the simulated pad and for converters, which are not input devices.
  package var selector: PadSelector {
    switch self {
    case .automatic, .simulated, .converter: .automatic
    case .path(let path): .path(path)
    case .matching(let name, let vendor, let product): .match(name: name, vendor: vendor, product: product)
    }
  }
}

extension Configuration.Pad {
  /// The converter of a load cell and how to read it; `nil` if the pad is no load cell.
  package var converter: ConverterSettings? {
    var settings = ConverterSettings(
      channel: channel, isInverted: isInverted, rate: rate.flatMap { SampleRate(perSecond: $0.value) }, gain: gain)
    switch device {
    case .automatic: break
    case .converter(let name): settings.name = name
    case .simulated, .path, .matching: return nil
    }
    return settings
  }
}

extension Configuration {
  /// The keys and buttons that trigger an action.
  package var buttonBindings: [ButtonBinding] {
    buttons.map { ButtonBinding(device: $0.device.selector, key: $0.key, action: $0.action.name) }
  }

  /// The settings of the scale.
  ///
  /// - Throws: `UnusableCalibrationError`; never for a configuration that was checked when it was read.
  package func scaleSettings() throws(UnusableCalibrationError) -> ScaleSettings {
    var settings = ScaleSettings()
    settings.capacity = scale.capacity
    settings.division = Division(scale.division) ?? .gram
    settings.minimum = scale.minimum
    settings.tareOnRelease = scale.tareOnRelease == .keep ? .keep : .clear
    settings.tracksZero = scale.zeroTracking
    settings.unit = scale.unit
    settings.surface = pad.surface == .contacts ? .contacts : .platter
    settings.zones = Zones(
      pad.zones.map { Zones.Zone($0.corePurpose, x: $0.area.x, y: $0.area.y) }
        + pad.controls.map { Zones.Zone(.control($0.name), x: $0.area.x, y: $0.area.y) })
    settings.historyDepth = history.depth
    settings.axis = pad.axis
    settings.curve = try calibration.makeCurve()
    settings.curvePad = calibration.origin?.pad
    settings.curveZero = calibration.origin?.zero
    settings.motion = stability.motion
    settings.stableTime = stability.time
    settings.settleTime = confirm.settle
    settings.confirm.full = confirm.full
    settings.confirm.threshold = confirm.threshold
    settings.confirm.slide = confirm.slide
    settings.confirm.dwell = confirm.dwell
    settings.confirm.double = confirm.double
    settings.confirm.hold = confirm.hold
    settings.confirm.timeout = confirm.timeout
    settings.quickActions = actions
    settings.timesPours = timer.auto
    settings.containers = containers
    settings.recognisesContainers = containersAuto
    settings.commitsAutomatically = scale.autoCommit
    settings.liveInterval = publish.liveMaximum.interval
    settings.heartbeat = publish.heartbeat
    settings.publishesContacts = publish.contacts
    return settings
  }
}

extension Configuration.Zone {
  fileprivate var corePurpose: Zones.Purpose {
    switch purpose {
    case .action(let action): .action(action.name)
    case .history: .history
    }
  }
}

extension DisplayUnit {
  /// The display of a configuration.
  package init(_ scale: Configuration.Scale) {
    self.init(scale.unit, division: Division(scale.division) ?? .gram)
  }
}
