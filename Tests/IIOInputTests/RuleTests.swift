import Foundation
import Testing
import Weighing

@testable import IIOInput

/// The udev rule of a converter.
@Suite struct RuleTests {
  private func rule(
    _ device: FakeConverter, _ settings: ConverterSettings = ConverterSettings()
  ) throws -> [String] {
    let survey = ConverterSurvey.scan(folder: device.devices)
    let entry = try #require(survey.entries.first)
    let converter = try Converter(entry, settings)
    return try ConverterRule(for: converter, settings, in: survey, file: "/etc/r").text.split(separator: "\n").map(
      String.init)
  }

  @Test func setsRateAndGain() throws {
    let text = try rule(FakeConverter.ads1115(), ConverterSettings(rate: SampleRate(perSecond: 16), gain: 16))
    #expect(
      text.last == """
        ACTION!="remove", SUBSYSTEM=="iio", KERNEL=="iio:device*", ATTR{name}=="ads1015", \
        ATTR{in_voltage0_sampling_frequency}="16", ATTR{in_voltage0_scale}="0.007813", ENV{GRAMPAD_PAD}="1"
        """)
    #expect(text.contains("# The configuration for it: pad: {device: {iio: ads1015}, rate_hz: 16, gain: 16}"))
  }

  @Test func setsTheDefaults() throws {
    // A converter for other sensors keeps its gain.
    let ads1115 = try rule(FakeConverter.ads1115())
    #expect(ads1115.last?.contains("frequency}=\"8\", ATTR{in_voltage0_scale}") == false)
    #expect(ads1115.last?.contains("frequency}=\"8\", ENV") == true)
    let hx711 = try rule(FakeConverter.hx711())
    #expect(
      hx711.last?.hasSuffix("ATTR{name}==\"hx711\", ATTR{in_voltage_scale}=\"0.002327\", ENV{GRAMPAD_PAD}=\"1\"")
        == true)
  }

  /// The scales of the MCP3422 depend on its rate, which the rule sets first: 2048 mV / 2^15 / 8 in nanovolts.
  @Test func writesTheScaleOfTheNewRate() throws {
    let device = try FakeConverter(
      name: "mcp3422",
      [
        "in_voltage0_raw": "1", "in_voltage0_scale": "0.001000000", "in_voltage_sampling_frequency": "240",
        "in_voltage_scale_available": "0.001000000 0.000500000 0.000250000 0.000125000",
        "sampling_frequency_available": "240 60 15 3",
      ])
    let set = "ATTR{in_voltage_sampling_frequency}=\"15\", ATTR{in_voltage0_scale}=\"0.000007812\", ENV"
    #expect(try rule(device).last?.contains(set) == true)
    let same = try rule(device, ConverterSettings(rate: SampleRate(perSecond: 240), gain: 2))
    #expect(same.last?.contains("ATTR{in_voltage0_scale}=\"0.000500000\", ENV") == true)
  }

  @Test func saysWhatTheDriverCannotSet() throws {
    let text = try rule(FakeConverter.hx711(), ConverterSettings(rate: SampleRate(perSecond: 80), gain: 64))
    #expect(
      text.contains(
        "# The driver cannot set the rate: select 80 samples/s on the board, for example with its RATE pin."))
    #expect(text.contains("# The configuration for it: pad: {device: {iio: hx711}, rate_hz: 80, gain: 64}"))
  }

  @Test func refusesWhatTheDriverDoesNotOffer() throws {
    let device = try FakeConverter.ads1115()
    #expect(throws: ConverterRuleError.noSuchGain(3)) { try rule(device, ConverterSettings(gain: 3)) }
    #expect(throws: ConverterRuleError.self) { try rule(device, ConverterSettings(rate: SampleRate(perSecond: 100))) }
  }

  @Test func enablesABufferThatATriggerFills() throws {
    let device = try FakeConverter.ads1115()
    try device.set("buffer/enable", "0")
    #expect(try rule(device).last?.contains("buffer") == false)
    try device.set("trigger/current_trigger", "ads1015-dev0")
    let enabled = "ATTR{scan_elements/in_voltage0_en}=\"1\", ATTR{buffer/enable}=\"1\", ENV"
    #expect(try rule(device).last?.contains(enabled) == true)
  }

  @Test func distinguishesTwoOfAKind() throws {
    let folder = "\(NSTemporaryDirectory())iio-rule-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for number in 0...1 {
      let target = "\(folder)/devices/cell\(number)/iio:device\(number)"
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
      try Data("hx\"711\n".utf8).write(to: URL(filePath: "\(target)/name"))
      try Data("1\n".utf8).write(to: URL(filePath: "\(target)/in_voltage0_raw"))
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/iio:device\(number)", withDestinationPath: "devices/cell\(number)/iio:device\(number)")
    }
    let survey = ConverterSurvey.scan(folder: folder)
    let converter = try Converter(try #require(survey.entries.last), ConverterSettings())
    let text = try ConverterRule(for: converter, ConverterSettings(), in: survey, file: "/etc/r").text
    #expect(text.contains("ATTR{name}==\"hx?711\", KERNELS==\"cell1\", ENV"))
  }
}
