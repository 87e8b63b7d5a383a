/// A pad that is connected, with its load axis and its calibration.
///
/// An immutable object, so that reading it copies nothing.
final class ConnectedPad: Sendable {
  let description: PadDescription
  let axis: LoadAxis
  let calibration: Calibration
  /// Whether the counts are known in grams. A converter reads any offset when it is empty, so that without a calibration its
  /// counts say nothing; other pads read nothing then, and the capacity at the end of the axis is a first guess.
  let isCalibrated: Bool
  /// The zero that the calibration has measured; `nil` without one, and on a bare pad.
  let calibratedZero: CalibratedZero?
  /// The surface: a platter on pads that always carry a plate, otherwise as configured.
  let surface: ScaleSettings.Surface
  /// Whether contacts in zones are loads too: under a platter, and on pads that do not report positions.
  let weighsInZones: Bool
  /// Whether it reports the area of a contact as pressure, and the user has not selected this very pad.
  let isDoubtful: Bool
  /// The raw value that no contact exceeds unless the stated range is wrong; `nil` where the range is not the driver's.
  let rangeEnd: RawForce?
  /// The mass at the end of the axis, of several at the end of all.
  let fullMass: Grams

  /// Connects a pad whose axis can weigh.
  init(_ description: PadDescription, axis: LoadAxis, settings: ScaleSettings) {
    (self.description, self.axis) = (description, axis)
    calibration = settings.calibration(of: description, axis: axis)
    isCalibrated = calibration.origin != .nominal || !description.deliversEverySample
    surface = axis.carriesPlate || description.deliversEverySample ? .platter : settings.surface
    calibratedZero = surface == .platter && calibration.origin == .user ? settings.curveZero : nil
    weighsInZones = surface == .platter || !description.hasPositions(for: axis)
    let measurement = PadMeasurement(description, axis: axis, known: settings.knownPads.entry(for: description))
    isDoubtful = settings.warnsOfContactArea && measurement.quantity == .area
    rangeEnd = axis.rangeEnd(on: description)
    fullMass = calibration.mass(at: axis.largestSum)
  }

  /// Whether a contact is a load; otherwise it is a press in a zone.
  @inline(__always) func isLoad(_ contact: Contact, zones: Zones) -> Bool {
    weighsInZones || !zones.contains(contact.origin)
  }

  /// Identifies the pad, its axis and its surface: tare and plate belong to one of these.
  var identity: String {
    let id = description.id
    return "\(description.name)|\(id.bus):\(id.vendor):\(id.product)|\(description.unique)|\(axis.name) "
      + "\(axis.range.minimum)...\(axis.range.maximum)|\(surface.rawValue)"
  }
}

/// Whether a pad is connected.
enum PadPresence: Sendable {
  /// Not known yet: the search has not finished.
  case unknown
  /// No pad has been connected since the start.
  case expected
  /// A pad is or was connected.
  case seen
}

extension LoadAxis {
  /// The raw value that no contact exceeds unless the stated range is wrong; `nil` for a converter and for a Balance Board, whose
  /// range does not come from the driver.
  package func rangeEnd(on pad: PadDescription) -> RawForce? {
    pad.deliversEverySample || pad.isBalanceBoard ? nil : largestSum
  }

  /// A raw value as a fraction of the range, 0...1.
  func force(of raw: RawForce) -> Double { min(max(Double(raw.counts) / Double(fullScale.counts), 0), 1) }
}
