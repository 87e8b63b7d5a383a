import Languages
import Linux
import Weighing

/// A channel of a converter with its range, rate and gain, as its driver states them.
package struct Converter: Hashable, Sendable {
  /// The device.
  package let entry: ConverterEntry
  /// The channel, `voltage0`.
  package let channel: String
  /// Whether a load decreases the counts.
  package let isInverted: Bool
  /// The range of the counts.
  package let range: CountRange
  /// Whether the range is a guess, because neither the driver nor the table of kinds states it.
  package let isRangeAssumed: Bool
  /// The rate that the driver states; `nil` if it states none.
  package let rate: SampleRate?
  /// The millivolts of a count; `nil` if the driver states none.
  package let scale: Double?
  /// The gain; `nil` if it cannot be told.
  package let gain: Double?

  /// Asks the driver; may block as long as the driver does.
  ///
  /// - Throws: `IIOError`.
  package init(_ entry: ConverterEntry, _ settings: ConverterSettings) throws(IIOError) {
    if let reason = entry.unsuitability(settings.channel) { throw .unsuitable(path: entry.path, reason: reason) }
    self.entry = entry
    channel = settings.channel
    isInverted = settings.isInverted
    let attributes = ChannelAttributes(entry, channel)
    let folder = attributes.folder
    let hertz = folder.number(attributes.rates)
    rate = hertz.flatMap { SampleRate(perSecond: $0) }
    scale = folder.number(attributes.scales).flatMap { $0 > 0 ? $0 : nil }
    let stated = folder.optionalText("scan_elements/in_\(channel)_type").flatMap { ScanType($0) }?.range
    // The widest range of load-cell converters. The voltage between one input and ground is not negative.
    let assumed = CountRange(bits: 24, isSigned: channel.contains("-"))
    guard let range = stated ?? entry.kind?.range(atRate: hertz) ?? assumed else {
      throw .malformed(path: folder.file("scan_elements/in_\(channel)_type"), found: "")
    }
    self.range = range
    isRangeAssumed = stated == nil && entry.kind?.range(atRate: hertz) == nil
    gain = scale.flatMap { attributes.gain(range).gain(ofScale: $0) }
  }

  /// Asks the driver on a thread of its own, so that one that hangs cannot block the caller for longer than `patience`.
  ///
  /// - Throws: `IIOError`; `.silent` if the driver does not answer in time.
  package static func asking(
    _ entry: ConverterEntry, _ settings: ConverterSettings, within patience: Interval = .seconds(3)
  ) throws(IIOError) -> Converter {
    let ask = { @Sendable in Result { () throws(IIOError) in try Converter(entry, settings) } }
    guard let result = Worker.result(of: ask, on: "converter", within: patience) else {
      throw .silent(path: entry.path, patience)
    }
    return try result.get()
  }

  /// Checks that the driver still states the same.
  ///
  /// - Throws: `.changed`, or the error of the first attribute.
  func verify(_ settings: ConverterSettings) throws(IIOError) {
    guard try Converter(entry, settings) == self else { throw .changed(path: entry.path) }
  }

  /// The path of the file with the count.
  var countAttribute: String { "in_\(channel)_raw" }

  /// The converter as a pad: a single-touch device that is always touched.
  ///
  /// The product number holds the gain and the direction, because a count means another force with another one: a
  /// calibration then does not apply.
  package var description: PadDescription {
    let gain = UInt16(min(max((gain ?? 0) * 10, 0), 32_767))
    return PadDescription(
      name: entry.name.isEmpty ? entry.node : entry.name,
      id: PadIdentity(bus: 0x19, product: gain | (isInverted ? 0x8000 : 0)),  // BUS_HOST of linux/input.h
      unique: entry.parent.isEmpty ? channel : "\(entry.parent) \(channel)",
      axes: [.pressure: AxisRange(minimum: 0, maximum: range.maximum)], keys: [.touch], deliversEverySample: true)
  }

  /// What differs from the settings, with what to do; empty if nothing does.
  package func discrepancies(_ settings: ConverterSettings) -> [Sentence] {
    var found: [Sentence] = []
    let command = "grampad devices --udev"
    if let wanted = settings.rate, let rate, !rate.isNear(wanted, within: 0.05) {
      found.append(Sentence(.converterOtherRate, ["rate": rate.text, "wanted": wanted.text, "command": command]))
    }
    if let wanted = settings.gain, let gain, (gain - wanted).magnitude > 0.01 * wanted {
      let (now, then) = (DecimalText.trimmed(gain, decimals: 3), DecimalText.trimmed(wanted, decimals: 3))
      found.append(Sentence(.converterOtherGain, ["gain": now, "wanted": then, "command": command]))
    }
    if settings.gain != nil, gain == nil {
      found.append(Sentence(.converterGainUnknown))
    }
    if isRangeAssumed { found.append(Sentence(.converterRangeAssumed)) }
    return found
  }
}

/// The names of the attributes of a channel.
///
/// Source: Documentation/ABI/testing/sysfs-bus-iio of the kernel: an attribute belongs to the channel, to all voltages, or
/// to the whole device.
struct ChannelAttributes {
  let folder: AttributeFolder
  private let entry: ConverterEntry
  private let channel: String

  init(_ entry: ConverterEntry, _ channel: String) {
    folder = AttributeFolder(path: entry.path)
    (self.entry, self.channel) = (entry, channel)
  }

  /// The attributes with the rate, the most specific first.
  var rates: [String] { names("sampling_frequency") }
  /// The attributes with the scale.
  var scales: [String] { names("scale") }
  /// The rates that the driver offers, as text.
  var availableRates: [String] { list(names("sampling_frequency_available")) }

  /// The scales that the driver offers, as text.
  var availableScales: [String] { list(names("scale_available")) }

  /// The gains of the channel.
  func gain(_ range: CountRange) -> ChannelGain {
    ChannelGain(entry.kind?.gain ?? .smallestIsOne, channel: channel, range: range, available: availableScales)
  }

  /// The gains of the channel at another rate, on which the scales of some converters depend.
  func gain(_ range: CountRange, atRate rate: SampleRate?) -> ChannelGain {
    guard let kind = entry.kind, kind.bits.count > 1, let other = kind.range(atRate: rate?.perSecond), other != range
    else {
      return gain(range)
    }
    return ChannelGain(kind.gain, channel: channel, range: other, available: [])
  }

  private func names(_ suffix: String) -> [String] {
    let type = channel.contains("-") ? "voltage-voltage" : "voltage"
    return ["in_\(channel)_\(suffix)", "in_\(type)_\(suffix)", "in_voltage_\(suffix)", suffix]
  }

  private func list(_ names: [String]) -> [String] {
    names.first(where: folder.has).flatMap(folder.optionalText)?.split(separator: " ").map(String.init) ?? []
  }
}
