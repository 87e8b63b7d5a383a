import ArgumentParser
import Commands
import Configuration
import EvdevInput
import IIOInput
import Languages
import Linux
import Messages
import Weighing

/// The rate and gain of a converter, for the rule of `devices --udev`.
struct ConverterOptions: ParsableArguments {
  @Option(help: "With --udev: the channel of a converter. Default: pad.channel.")
  var channel: String?
  @Option(
    parsing: .unconditional,
    help:
      "With --udev: the rate of a converter in samples per second. Default: pad.rate_hz, otherwise the rate closest to 10."
  )
  var rate: Double?
  @Option(
    parsing: .unconditional,
    help:
      "With --udev: the gain of a converter. Default: pad.gain, otherwise the largest gain of a load-cell converter.")
  var gain: Double?
  @OptionGroup var configuration: ConfigurationOptions

  func validate() throws {
    if let rate, !(rate > 0 && rate <= 100_000) { throw ValidationError("--rate must be above 0 and at most 100000.") }
    if let gain, !(gain > 0 && gain <= 1024) { throw ValidationError("--gain must be above 0 and at most 1024.") }
  }

  /// The options; those that are not given are as in the configuration, if it selects a converter and can be read.
  func settings() throws -> ConverterSettings {
    var settings = ConverterSettings()
    let file = configuration.path == nil ? try? configuration.file() : try configuration.file()
    if let pad = file?.current.pad, case .converter = pad.device, let configured = pad.converter {
      settings = configured
    }
    if let channel { settings.channel = channel }
    if let rate { settings.rate = SampleRate(perSecond: rate) }
    if let gain { settings.gain = gain }
    return settings
  }
}

/// The IIO devices of this machine, for `devices`.
struct ConverterList {
  /// A device as it is shown.
  struct Line {
    var path: String
    var name: String
    var channels: [String] = []
    /// The channel that is used by default, with its range.
    var converter: Converter?
    /// Why it is not selected automatically; `nil` if it may be.
    var reason: Sentence?

    /// Whether it can weigh, if only when pad.device selects it.
    var canWeigh: Bool { converter != nil }
  }

  /// What auto selects.
  let choice: ConverterSurvey.Choice
  let lines: [Line]
  private let survey: ConverterSurvey

  /// Lists the devices and asks their drivers, each for at most 3 s.
  init() {
    let survey = ConverterSurvey.scan()
    let settings = ConverterSettings()
    self.survey = survey
    choice = survey.choose(settings)
    lines = survey.findings.map { finding in
      switch finding {
      case .failure(let error): return Line(path: error.path, name: "-", reason: error.reason)
      case .success(let entry):
        var line = Line(path: entry.path, name: entry.name, channels: entry.channels)
        // Any channel shows the range; one of those that it has.
        var settings = settings
        if !entry.channels.contains(settings.channel), let first = entry.channels.first { settings.channel = first }
        guard entry.unsuitability(settings.channel) == nil else {
          line.reason = entry.unsuitability(settings.channel)?.sentence
          return line
        }
        do throws(IIOError) {
          line.converter = try Converter.asking(entry, settings)
          line.reason = entry.automaticUnsuitability("voltage0").map {
            Sentence(.deviceDoubt, ["reason": $0.sentence])
          }
        } catch {
          line.reason = error.reason
        }
        return line
      }
    }
  }

  /// The rows of the table.
  func rows(chosen: String?) -> [[String]] {
    lines.map { line in
      let axis = line.converter.map { "\($0.channel) 0...\($0.range.maximum)" } ?? "-"
      return [
        line.path == chosen ? "*" : " ", line.path, line.name.isEmpty ? "-" : line.name.escapedForTerminal,
        Texts.ofUser(line.canWeigh ? .devicesYes : .devicesNo), axis,
        (line.reason.map { Texts.ofUser($0) } ?? "").escapedForTerminal,
      ]
    }
  }

  /// The channels, rate and gain of each converter, below the table.
  var notes: String {
    lines.compactMap { line in
      line.converter.map { converter in
        let gain = converter.gain.map { Sentence(.devicesGain, ["gain": DecimalText.trimmed($0, decimals: 3)]) }
        let note = Sentence(
          .devicesChannels,
          [
            "path": line.path, "channels": line.channels.joined(separator: ", ").escapedForTerminal,
            "rate": converter.rate.map { .verbatim("\($0)") } ?? Sentence(.devicesNoRate),
            "gain": gain ?? Sentence(.devicesNoGain),
          ])
        return "  " + Texts.ofUser(note) + "\n"
      }
    }.joined()
  }

  /// Writes an object for each device.
  func write(chosen: String?, to json: inout JSONWriter) {
    for line in lines {
      json.object { json in
        json.fields(("kind", "converter"), ("path", line.path))
        json.array("links", [String]()) { json, link in json.string(link) }
        json.field("name", line.name.isEmpty ? nil : line.name)
        for key in ["bus", "vendor", "product"] { json.field(key, Int?.none) }
        json.fields(("can_weigh", line.canWeigh), ("reason", line.reason?.description))
        json.fields(("measures", PadMeasurement.Quantity.unknown.rawValue))
        json.field("measures_reason", String?.none)
        json.object("axis", line.converter) { json, converter in
          json.fields(
            ("name", converter.channel), ("minimum", 0), ("maximum", Int(converter.range.maximum)),
            ("units_per_gram", 0))
          json.field("rate_hz", converter.rate?.perSecond, decimals: 3)
          json.field("gain", converter.gain, decimals: 3)
        }
        json.field("recommended_scale", String?.none)
        json.array("channels", line.channels) { json, channel in json.string(channel) }
        json.field("chosen", line.path == chosen)
      }
    }
  }

  /// The udev rule for a converter by its name or path; `nil` if there is no such converter.
  func rule(for device: String, _ options: ConverterOptions) throws -> String? {
    var settings = try options.settings()
    settings.name = device.split(separator: "/").last.map(String.init)
    guard case .chosen(let entry, _) = survey.choose(settings), !device.hasPrefix("/") || device == entry.path else {
      return nil
    }
    let converter = try Converter.asking(entry, settings)
    do throws(ConverterRuleError) {
      return try ConverterRule(for: converter, settings, in: survey, file: UdevRule.file).text
    } catch {
      throw Failure(.noInput, error.sentence)
    }
  }
}
