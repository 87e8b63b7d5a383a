/// Converts raw values to grams and states the uncertainty.
public struct Calibration: Hashable, Sendable {
  /// The origin of a calibration, as published in `calibration`.
  public enum Origin: String, Hashable, Sendable {
    /// The counts per gram that the driver reports.
    case kernel
    /// Figures for the model from the list of known pads.
    case known
    /// The capacity distributed evenly over the axis; nothing was measured.
    case nominal
    /// Points from the configuration.
    case user
  }

  /// The origin of the calibration.
  public let origin: Origin

  private let response: Response

  private enum Response: Hashable, Sendable {
    case proportional(gramsPerCount: Double)
    case curve(CalibrationCurve)
  }

  /// How far pads of a known model differ, as a fraction of the load; 0 for other origins.
  private let relativeUncertainty: Double

  /// Makes the calibration of a pad: the curve if there is one, else the resolution of the driver, else the figures for its
  /// model, else the nominal response.
  public init(curve: CalibrationCurve?, axis: LoadAxis, seed: KnownPad.Seed? = nil, capacity: Grams) {
    let seed = curve == nil && axis.countsPerGram == nil ? seed : nil
    relativeUncertainty = seed?.relativeUncertainty ?? 0
    if let curve {
      origin = .user
      response = .curve(curve)
    } else if let countsPerGram = axis.countsPerGram {
      origin = .kernel
      response = .proportional(gramsPerCount: 1 / countsPerGram)
    } else if let seed {
      origin = .known
      switch seed.response {
      case .gramsPerCount(let gramsPerCount): response = .proportional(gramsPerCount: gramsPerCount)
      case .curve(let curve): response = .curve(curve)
      }
    } else {
      origin = .nominal
      response = .proportional(gramsPerCount: capacity.value / Double(axis.fullScale.counts))
    }
  }

  /// The mass at a raw value.
  public func mass(at raw: RawForce) -> Grams { mass(atCounts: Double(raw.counts)) }

  /// The mass at a fractional count, as computed by averaging.
  public func mass(atCounts counts: Double) -> Grams {
    switch response {
    case .proportional(let gramsPerCount): Grams(counts * gramsPerCount)
    case .curve(let curve): Grams(curve.mass(atCounts: counts))
    }
  }

  /// Grams per count near a raw value.
  public func slope(at raw: RawForce) -> Double {
    switch response {
    case .proportional(let gramsPerCount): gramsPerCount
    case .curve(let curve): curve.slope(at: raw)
    }
  }

  /// One standard uncertainty of the calibration itself at a mass.
  ///
  /// For points, their residual. For a known model, how far its pads differ, and the residual of its points. For a response that
  /// was not measured, a fraction of the mass: 10 % if the driver reports it, 25 % if it is only nominal. These fractions are chosen, not measured: force-sensing resistors of one
  /// batch differ by 6 % to 25 % (Interlink FSR 400 series data sheet, "force repeatability, part to part"; FSR
  /// integration guide), and a reading must not claim to be better than that.
  public func uncertainty(at mass: Grams) -> Grams {
    let spread = relativeUncertainty * mass.value
    return switch (origin, response) {
    case (_, .curve(let curve)):
      origin == .known
        ? Grams((spread * spread + curve.residual.value * curve.residual.value).squareRoot()) : curve.residual
    case (.known, .proportional): Grams(spread.magnitude)
    case (.kernel, .proportional), (.user, .proportional): Grams(0.10 * mass.value.magnitude)
    case (.nominal, .proportional): Grams(0.25 * mass.value.magnitude)
    }
  }

  /// The part of `uncertainty(at:)` that is the same fraction of every mass and cancels in the ratio of two.
  ///
  /// Only a driver that reports its unit states that the response is proportional; figures for a model need not hold for one pad
  /// of it.
  func commonUncertainty(at mass: Grams) -> Grams {
    switch (origin, response) {
    case (.kernel, .proportional), (.user, .proportional): uncertainty(at: mass)
    case (_, .curve), (.known, .proportional), (.nominal, .proportional): .zero
    }
  }
}
