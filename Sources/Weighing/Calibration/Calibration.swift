/// What turns a raw value into grams, and how far that is to be trusted.
public struct Calibration: Hashable, Sendable {
  /// Where the grams come from, as published in `calibration`.
  public enum Origin: String, Hashable, Sendable {
    /// The counts per gram that the driver states.
    case kernel
    /// The capacity distributed evenly over the axis, without any measurement.
    case nominal
    /// Points from the configuration.
    case user
  }

  /// Where the grams come from.
  public let origin: Origin

  private let response: Response

  private enum Response: Hashable, Sendable {
    case proportional(gramsPerCount: Double)
    case curve(CalibrationCurve)
  }

  /// The calibration of a pad: the curve if there is one, else what the driver states, else the nominal response.
  public init(curve: CalibrationCurve?, axis: LoadAxis, capacity: Grams) {
    if let curve {
      origin = .user
      response = .curve(curve)
    } else if let countsPerGram = axis.countsPerGram {
      origin = .kernel
      response = .proportional(gramsPerCount: 1 / countsPerGram)
    } else {
      origin = .nominal
      response = .proportional(gramsPerCount: capacity.value / Double(axis.fullScale.counts))
    }
  }

  /// The mass at a raw value.
  public func mass(at raw: RawForce) -> Grams {
    mass(atCounts: Double(raw.counts))
  }

  /// The mass at a fraction of a count, as averaging finds it.
  public func mass(atCounts counts: Double) -> Grams {
    switch response {
    case .proportional(let gramsPerCount): Grams(counts * gramsPerCount)
    case .curve(let curve): Grams(curve.mass(atCounts: counts))
    }
  }

  /// Grams per count around a raw value.
  public func slope(at raw: RawForce) -> Double {
    switch response {
    case .proportional(let gramsPerCount): gramsPerCount
    case .curve(let curve): curve.slope(at: raw)
    }
  }

  /// One standard uncertainty of the calibration itself at a mass.
  ///
  /// For points, their residual. For a response that was not measured, a share of the mass: 10 % where the driver states
  /// it, 25 % where it is only nominal. These shares are a decision, not a measurement: force-sensing resistors of one
  /// batch differ by 6 % to 25 % (Interlink FSR 400 series data sheet, "force repeatability, part to part"; FSR
  /// integration guide), and a reading must not pretend to know more than that.
  public func uncertainty(at mass: Grams) -> Grams {
    switch (origin, response) {
    case (_, .curve(let curve)): curve.residual
    case (.kernel, .proportional), (.user, .proportional): Grams(0.10 * mass.value.magnitude)
    case (.nominal, .proportional): Grams(0.25 * mass.value.magnitude)
    }
  }
}
