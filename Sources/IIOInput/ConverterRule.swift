import Languages
import Linux
import Weighing

/// The udev rule that sets rate and gain of a converter and gives its buffer to the service, for
/// /etc/udev/rules.d/71-grampad-pad.rules. udev(7)
///
/// The service cannot write to sysfs. The consequences of GRAMPAD_PAD are defined by the package's own rules,
/// 72-grampad.rules.
package struct ConverterRule: Sendable {
  /// The rule, with instructions for applying it.
  package let text: String

  /// Makes the rule for a converter.
  ///
  /// - Parameters:
  ///   - settings: The rate and gain to set. Without a rate, the one nearest to 10 samples/s; without a gain, the largest
  ///     one of a load-cell converter, and the present one of any other.
  ///   - survey: All devices, to distinguish the converter from others of its kind.
  /// - Throws: `IIOError`; `ConverterRuleError` if the driver does not offer the rate or gain.
  package init(
    for converter: Converter, _ settings: ConverterSettings, in survey: ConverterSurvey, file: String
  ) throws(ConverterRuleError) {
    let attributes = ChannelAttributes(converter.entry, converter.channel)
    let folder = attributes.folder
    var assignments: [String] = []
    var remarks: [String] = []
    func set(_ attribute: String, _ value: String) { assignments.append("ATTR{\(attribute)}=\"\(value)\"") }

    var rate = converter.rate
    if let attribute = attributes.rates.first(where: folder.has) {
      let available = attributes.availableRates
      let text = try Self.rate(settings.rate, available)
      if let text {
        set(attribute, text)
        rate = Double(text).flatMap { SampleRate(perSecond: $0) }
      }
    } else if let wanted = settings.rate {
      remarks.append("The driver cannot set the rate: select \(wanted) on the board, for example with its RATE pin.")
      rate = wanted
    }

    var gain = converter.gain
    let wantedGain = settings.gain ?? converter.entry.kind?.loadCellGain
    if let wantedGain, let scale = converter.scale, let attribute = attributes.scales.first(where: folder.has) {
      let gains = attributes.gain(converter.range, atRate: rate)
      if let text = gains.scale(ofGain: wantedGain, current: scale) {
        set(attribute, text)
        gain = wantedGain
      } else if settings.gain != nil {
        throw .noSuchGain(wantedGain)
      }
    } else if let wanted = settings.gain {
      throw .noSuchGain(wanted)
    }
    assignments += Self.buffer(folder, converter.channel)

    let name = folder.optionalText("name") ?? ""
    var matches = ["KERNEL==\"iio:device*\"", "ATTR{name}==\"\(udevPattern(name))\""]
    let hasTwin = survey.entries.contains {
      $0 != converter.entry && AttributeFolder(path: $0.path).optionalText("name") == name
    }
    if hasTwin, !converter.entry.parent.isEmpty {
      matches.append("KERNELS==\"\(udevPattern(converter.entry.parent))\"")
    }
    let settings = Self.configuration(converter, rate: rate, gain: gain)
    let lines = ["The configuration for it: \(settings)"] + remarks
    self.text = """
      # Makes this converter the Grampad load cell. Save the rule as \(file) and run as root:
      #   udevadm control --reload && udevadm trigger --subsystem-match=iio --settle
      \(lines.map { "# \($0)" }.joined(separator: "\n"))
      ACTION!="remove", SUBSYSTEM=="iio", \((matches + assignments).joined(separator: ", ")), ENV{GRAMPAD_PAD}="1"

      """
  }

  private static func rate(_ wanted: SampleRate?, _ available: [String]) throws(ConverterRuleError) -> String? {
    guard let wanted else {
      // On a logarithmic scale: 8 is nearer to 10 than 16 is.
      func distance(_ text: String) -> Double {
        guard let rate = Double(text), rate > 0 else { return .infinity }
        return max(rate / 10, 10 / rate)
      }
      return available.min { distance($0) < distance($1) }
    }
    let match = available.first { text in
      Double(text).flatMap { SampleRate(perSecond: $0) }?.isNear(wanted, within: 0.05) ?? false
    }
    if match == nil, !available.isEmpty { throw .noSuchRate(wanted, available: available) }
    return match ?? DecimalText.trimmed(wanted.perSecond, decimals: 3)
  }

  /// Enables the buffer if a trigger fills it already.
  private static func buffer(_ folder: AttributeFolder, _ channel: String) -> [String] {
    guard folder.optionalText("trigger/current_trigger") != nil, folder.has("buffer/enable") else { return [] }
    return ["ATTR{scan_elements/in_\(channel)_en}=\"1\"", "ATTR{buffer/enable}=\"1\""]
  }

  private static func configuration(_ converter: Converter, rate: SampleRate?, gain: Double?) -> String {
    var keys = ["device: {iio: \(converter.entry.name)}"]
    if converter.channel != "voltage0" { keys.append("channel: \(converter.channel)") }
    if let rate { keys.append("rate_hz: \(DecimalText.trimmed(rate.perSecond, decimals: 3))") }
    if let gain { keys.append("gain: \(DecimalText.trimmed(gain, decimals: 3))") }
    return "pad: {\(keys.joined(separator: ", "))}"
  }
}

/// Why there is no rule for a converter.
package enum ConverterRuleError: SentenceError, Hashable {
  /// The driver does not offer the rate.
  case noSuchRate(SampleRate, available: [String])
  /// The driver does not offer the gain.
  case noSuchGain(Double)

  /// What the driver does not offer.
  package var sentence: Sentence {
    switch self {
    case .noSuchRate(let rate, let available):
      Sentence(.converterNoRate, ["rate": rate, "rates": available.joined(separator: ", ")])
    case .noSuchGain(let gain):
      Sentence(.converterNoGain, ["gain": DecimalText.trimmed(gain, decimals: 3)])
    }
  }
}
