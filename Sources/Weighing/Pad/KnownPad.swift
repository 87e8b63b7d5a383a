/// An entry of the list of known pads: what a model measures, and where that is stated.
public struct KnownPad: Hashable, Sendable {
  /// The name that the driver gives to the device; `nil` for any name.
  public var name: String?
  /// The vendor; `nil` for any.
  public var vendor: UInt16?
  /// The product; `nil` for any.
  public var product: UInt16?
  /// What its pressure axis measures.
  public var measures: PadMeasurement.Quantity
  /// A calibration for every pad of this model; `nil` if no figures are published.
  public var seed: Seed?
  /// Who states it.
  public var source: String

  /// Makes an entry.
  public init(
    name: String? = nil, vendor: UInt16? = nil, product: UInt16? = nil, measures: PadMeasurement.Quantity,
    seed: Seed? = nil, source: String
  ) {
    (self.name, self.vendor, self.product) = (name, vendor, product)
    (self.measures, self.seed, self.source) = (measures, seed, source)
  }

  /// Whether a device is of this model.
  public func matches(_ pad: PadDescription) -> Bool {
    (name ?? pad.name) == pad.name && (vendor ?? pad.id.vendor) == pad.id.vendor
      && (product ?? pad.id.product) == pad.id.product
  }

  /// The response of a model, measured on other pads than the connected one.
  public struct Seed: Hashable, Sendable {
    /// How counts become grams.
    public enum Response: Hashable, Sendable {
      /// Proportional to the counts.
      case gramsPerCount(Double)
      /// Through measured points.
      case curve(CalibrationCurve)
    }

    /// How counts become grams.
    public var response: Response
    /// One standard uncertainty as a fraction of the load: how far pads of this model differ.
    public var relativeUncertainty: Double
    /// The end of the axis for which it holds: with another range the counts have another meaning.
    public var maximum: Int32

    /// Makes a seed.
    public init(_ response: Response, relativeUncertainty: Double, maximum: Int32) {
      (self.response, self.relativeUncertainty, self.maximum) = (response, relativeUncertainty, maximum)
    }

    /// Whether it holds for an axis.
    func applies(to axis: LoadAxis) -> Bool { axis.isPressure && axis.range.maximum == maximum }
  }
}

extension [KnownPad] {
  /// The first entry for a device.
  package func entry(for pad: PadDescription) -> KnownPad? { first { $0.matches(pad) } }
}
