/// A kind of converter that is used with load cells, with what its driver does not state.
///
/// Sources: drivers/iio/adc of the kernel (hx711.c, nau7802.c, ti-ads1015.c, mcp3422.c) and the data sheets of the
/// converters.
struct KnownConverter: Sendable {
  /// How the gain follows from the scale, the voltage of one count.
  enum GainRule: Sendable {
    /// The smallest scale of a channel has this gain.
    case largest(Double)
    /// The scale is a reference of 2400 to 4500 mV, divided by the gain and by 2^23.
    case reference
    /// Gain 1 has this full scale in millivolts.
    case fullScale(Double)
    /// The largest scale has gain 1.
    case smallestIsOne
  }

  /// The names of the devices.
  let names: [String]
  /// Whether a read of the value waits for the next conversion. Otherwise it returns the last one at once.
  let waits: Bool
  /// The bits of the counts where the driver does not state them, by rate; 0 for any rate.
  let bits: [Int: Int]
  /// Whether the counts are signed.
  var isSigned = true
  let gain: GainRule
  /// The gain for a load cell with 1 to 3 mV/V; `nil` for a converter that is also used with other sensors.
  let loadCellGain: Double?

  static let all: [KnownConverter] = [
    KnownConverter(
      names: ["hx711"], waits: true, bits: [0: 24], isSigned: false, gain: .largest(128), loadCellGain: 128),
    KnownConverter(names: ["nau7802"], waits: true, bits: [0: 24], gain: .reference, loadCellGain: 128),
    KnownConverter(names: ["ads1115"], waits: false, bits: [0: 16], gain: .fullScale(4096), loadCellGain: nil),
    KnownConverter(
      names: ["ads1015", "tla2024"], waits: false, bits: [0: 12], gain: .fullScale(4096), loadCellGain: nil),
    KnownConverter(
      names: ["mcp3421", "mcp3422", "mcp3423", "mcp3424", "mcp3425", "mcp3426", "mcp3427", "mcp3428"], waits: false,
      bits: [240: 12, 60: 14, 15: 16, 3: 18], gain: .fullScale(2.048), loadCellGain: 8),
  ]

  /// The kind of a device with any of these names; `nil` if it is not known.
  static func named(_ names: [String]) -> (kind: KnownConverter, name: String)? {
    for name in names {
      if let kind = all.first(where: { $0.names.contains(name) }) { return (kind, name) }
    }
    return nil
  }

  /// The range of the counts at a rate, if the driver does not state it.
  func range(atRate rate: Double?) -> CountRange? {
    (bits[0] ?? rate.flatMap { bits[Int($0.rounded())] }).flatMap { CountRange(bits: $0, isSigned: isSigned) }
  }
}

/// The gain of a channel: which scale has which gain.
struct ChannelGain {
  private let rule: KnownConverter.GainRule
  private let channel: String
  private let range: CountRange
  /// The scales that the driver offers, as text.
  private let available: [String]

  init(_ rule: KnownConverter.GainRule, channel: String, range: CountRange, available: [String]) {
    (self.rule, self.channel, self.range, self.available) = (rule, channel, range, available)
  }

  /// The gain of a scale in millivolts a count; `nil` if it cannot be told.
  func gain(ofScale scale: Double) -> Double? {
    guard scale > 0 else { return nil }
    let scales = available.compactMap(Double.init).filter { $0 > 0 }
    let gain: Double?
    switch rule {
    case .largest(let largest):
      // Channel B of the HX711 has a gain of 32 only.
      gain = scales.min().map { (channel == "voltage1" ? largest / 4 : largest) * $0 / scale }
    case .reference:
      gain = (0...7).map { Double(1 << $0) }.first { (2399...4501).contains(scale * Double(1 << 23) * $0) }
    case .fullScale(let unit): gain = unit / (scale * Double(range.top + 1))
    case .smallestIsOne: gain = scales.max().map { $0 / scale }
    }
    // Scales are printed with 6 to 9 decimals.
    return gain.map { $0 >= 1 ? $0.rounded() : ($0 * 1000).rounded() / 1000 }
  }

  /// The scale to write for a gain, as the driver accepts it; `nil` without that gain.
  ///
  /// - Parameter scale: The present scale.
  func scale(ofGain wanted: Double, current scale: Double) -> String? {
    switch rule {
    case .reference: referenceScale(ofGain: wanted, current: scale)
    case .fullScale(let unit) where available.isEmpty:
      // mcp3422.c: a power of two, in nanovolts without a fraction.
      [1, 2, 4, 8].contains(wanted) ? Self.text(nanovolts: UInt64(unit * 1e9 / Double(range.top + 1) / wanted)) : nil
    case .largest, .fullScale, .smallestIsOne:
      available.first { text in
        Double(text).flatMap(gain(ofScale:)).map { ($0 - wanted).magnitude <= 0.01 * wanted } ?? false
      }
    }
  }

  private func referenceScale(ofGain wanted: Double, current scale: Double) -> String? {
    guard let current = gain(ofScale: scale), let power = (0...7).first(where: { Double(1 << $0) == wanted })
    else { return nil }
    var reference = (scale * Double(1 << 23) * current).rounded()
    // The regulator has steps of 300 mV; the scale is printed with too few digits to tell 1 mV at a high gain.
    let step = (reference / 300).rounded() * 300
    if (step - reference).magnitude <= 2 { reference = step }
    return Self.text(nanovolts: (UInt64(reference) * 1_000_000_000) >> UInt64(23 + power))
  }

  /// A scale below 1 mV as the drivers print it.
  private static func text(nanovolts: UInt64) -> String {
    let digits = String(nanovolts)
    return "0." + String(repeating: "0", count: max(9 - digits.count, 0)) + digits
  }
}
