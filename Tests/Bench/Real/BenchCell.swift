import Weighing

/// A load cell with its converter: an axis of one pressure value that a plate always presses on.
struct BenchCell: Sendable {
  /// The end of the axis.
  let maximum: Int32
  let countsPerGram: Double
  /// The counts without the plate.
  private let zero: Double
  private let capacity: Double
  private let delivery: Delivery

  /// The mass of the plate in grams, which the scale has to find at the start.
  static let plate = 50.0

  /// How the samples reach the scale.
  enum Delivery: String, CaseIterable, Sendable {
    /// As from a converter: each sample, and the description says so.
    case converter
    /// As in a recording of a converter: each sample, and the description does not say so.
    case recording
    /// As from evdev: repeated values do not arrive.
    case evdev
  }

  /// Makes the cell of a series.
  ///
  /// - Parameters:
  ///   - bits: The range is 2 to this power; as recorded if it is `nil`. The counts per gram scale with it.
  ///   - declared: The range that the axis declares is 2 to this power, whatever the counts are; the same if it is `nil`.
  init(_ series: LoadSeries, delivery: Delivery, bits: Int? = nil, declared: Int? = nil) {
    let scale = Self.power(of: bits ?? series.bits) / Self.power(of: series.bits)
    countsPerGram = series.countsPerGram * scale
    // An eighth of the range: hanging loads bounce below the empty plate when they are taken off.
    zero = Self.power(of: bits ?? series.bits) / 8
    maximum = Int32(min(Self.power(of: declared ?? bits ?? series.bits) - 1, Double(Int32.max)))
    capacity = series.capacity
    self.delivery = delivery
  }

  private static func power(of bits: Int) -> Double { Double(sign: .plus, exponent: bits, significand: 1) }

  /// Returns the counts for a load in grams above the empty plate.
  func counts(of grams: Double) -> Int32 {
    Int32(min(max((zero + (Self.plate + grams) * countsPerGram).rounded(), 0), Double(maximum)))
  }

  /// Returns the load in grams above the empty plate for counts of the axis.
  func grams(at counts: Double) -> Double { (counts - zero) / countsPerGram - Self.plate }

  /// Whether evdev would drop a repeated value.
  var dropsRepeats: Bool { delivery == .evdev }

  /// The description of the device.
  var description: PadDescription {
    PadDescription(
      name: "Load cell", axes: [.pressure: AxisRange(minimum: 0, maximum: maximum)], keys: [.touch],
      deliversEverySample: delivery == .converter)
  }

  /// The settings with an exact calibration at two points.
  func settings(_ setting: CellSetting) throws -> ScaleSettings {
    var settings = ScaleSettings()
    settings.surface = .platter
    settings.scale.capacity = Grams(capacity)
    settings.scale.division = setting.division
    settings.stability.motion = Grams(setting.motion)
    settings.stability.time = .milliseconds(setting.time)
    settings.curve = try CalibrationCurve(
      shape: .linear,
      points: [
        CalibrationPoint(counts: zero, mass: .zero),
        CalibrationPoint(counts: zero + capacity * countsPerGram, mass: Grams(capacity)),
      ])
    return settings
  }
}
