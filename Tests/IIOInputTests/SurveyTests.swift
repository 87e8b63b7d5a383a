import Foundation
import Testing
import Weighing

@testable import IIOInput

/// Which devices there are, which can weigh, and which one is selected.
@Suite struct SurveyTests {
  private func choice(_ folder: String, _ settings: ConverterSettings) -> String {
    switch ConverterSurvey.scan(folder: folder).choose(settings) {
    case .chosen(let entry, let because): "\(entry.node) \(entry.name): \(because)"
    case .none(let reason): reason.description
    case .absent: "absent"
    }
  }

  @Test func findsNothingWithoutIIO() {
    #expect(choice("/nonexistent", ConverterSettings()) == "absent")
    #expect(
      choice("/nonexistent", ConverterSettings(name: "hx711")).hasPrefix(
        "IIO device hx711 not found; no IIO device found"))
  }

  @Test func listsDevicesInOrder() throws {
    let first = try FakeConverter(number: 10, name: "accel_3d", ["in_accel_x_raw": "1"])
    let second = try FakeConverter(number: 2, in: first.devices, name: "hx711", ["in_voltage0_raw": "1"])
    let third = try FakeConverter(number: 3, in: first.devices, name: "axp20x-adc", ["in_voltage0_raw": "1"])
    let survey = ConverterSurvey.scan(folder: first.devices)
    #expect(survey.entries.map(\.node) == ["iio:device2", "iio:device3", "iio:device10"])
    #expect(survey.entries.map { $0.automaticUnsuitability("voltage0") } == [nil, .unknownKind, .noVoltage])
    #expect(survey.entries.map { $0.unsuitability("voltage0") } == [nil, nil, .noVoltage])
    #expect(choice(second.devices, ConverterSettings()).hasPrefix("iio:device2 hx711: the first known converter"))
    #expect(
      choice(second.devices, ConverterSettings(name: "axp20x-adc")) == "iio:device3 axp20x-adc: selected by pad.device")
    #expect(
      choice(second.devices, ConverterSettings(name: "accel_3d")).hasSuffix("cannot weigh: it has no voltage input"))
    #expect(choice(third.devices, ConverterSettings(name: "nau7802")).contains("found hx711, axp20x-adc, accel_3d"))
    #expect(
      choice(third.devices, ConverterSettings(name: "hx711", channel: "voltage7")).hasSuffix(
        "cannot weigh: it has no channel voltage7; correct pad.channel (available: voltage0)"))
  }

  @Test func findsNoKnownConverter() throws {
    let device = try FakeConverter(name: "axp20x-adc", ["in_voltage0_raw": "1"])
    #expect(choice(device.devices, ConverterSettings()) == "none of 1 IIO devices is a known load-cell converter")
  }

  /// The I2C drivers give the device the name of its place on the bus; the chip is the name of the client above it.
  @Test func knowsTheChipByTheClientAboveIt() throws {
    let device = try FakeConverter(number: 7, name: "unused")
    let client = "\(device.devices)/i2c-1/1-002a"
    try FileManager.default.createDirectory(atPath: "\(client)/iio:device0", withIntermediateDirectories: true)
    for (name, text) in ["name": "nau7802", "iio:device0/name": "1-002a", "iio:device0/in_voltage0_raw": "5"] {
      try Data("\(text)\n".utf8).write(to: URL(filePath: "\(client)/\(name)"))
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(device.devices)/iio:device0", withDestinationPath: "i2c-1/1-002a/iio:device0")
    let entry = try #require(ConverterSurvey.scan(folder: device.devices).entries.first)
    #expect(entry.name == "nau7802" && entry.parent == "1-002a")
    for name in ["nau7802", "1-002a", "iio:device0"] {
      #expect(choice(device.devices, ConverterSettings(name: name)) == "iio:device0 nau7802: selected by pad.device")
    }
    let converter = try Converter(entry, ConverterSettings())
    #expect(converter.range == CountRange(bits: 24, isSigned: true) && !converter.isRangeAssumed)
    #expect(converter.description.unique == "1-002a voltage0")
  }

  @Test func describesAConverter() throws {
    let device = try FakeConverter.hx711()
    let entry = try #require(ConverterSurvey.scan(folder: device.devices).entries.first)
    let converter = try Converter.asking(entry, ConverterSettings())
    #expect(converter.range == CountRange(bits: 24, isSigned: false))
    #expect(converter.rate == nil && converter.gain == 128)
    let pad = converter.description
    #expect(pad.name == "hx711" && pad.deliversEverySample)
    #expect(pad.axes == [.pressure: AxisRange(minimum: 0, maximum: 16_777_215)] && pad.keys == [.touch])
    #expect(try pad.loadAxis(.automatic).fullScale == RawForce(16_777_215))
    // A count means another force with another gain or direction.
    try device.set("in_voltage_scale", "0.004655")
    let changed = try Converter(entry, ConverterSettings())
    let inverted = try Converter(entry, ConverterSettings(isInverted: true))
    #expect(Set([pad.id, changed.description.id, inverted.description.id]).count == 3)
    let axis = try pad.loadAxis(.automatic)
    let match = CalibratedPad(pad, axis: axis).match(CalibratedPad(changed.description, axis: axis))
    guard case .foreign = match else { return #expect(Bool(false), "\(match)") }
  }

  @Test func saysWhatDiffersFromTheSettings() throws {
    let device = try FakeConverter.ads1115()
    let entry = try #require(ConverterSurvey.scan(folder: device.devices).entries.first)
    func discrepancies(_ settings: ConverterSettings) throws -> [String] {
      try Converter(entry, settings).discrepancies(settings).map(\.description)
    }
    #expect(try discrepancies(ConverterSettings(rate: SampleRate(perSecond: 128), gain: 2)) == [])
    let found = try discrepancies(ConverterSettings(rate: SampleRate(perSecond: 8), gain: 16))
    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("the converter is set to 128 samples/s, not to 8 samples/s (pad.rate_hz)") == true)
    #expect(found.last?.hasPrefix("the converter has a gain of 2, not 16 (pad.gain)") == true)
    let other = try FakeConverter(name: "board-adc", ["in_voltage0_raw": "5"])
    let unknown = try #require(ConverterSurvey.scan(folder: other.devices).entries.first)
    let assumed = try Converter(unknown, ConverterSettings(gain: 1))
    #expect(assumed.isRangeAssumed && assumed.gain == nil)
    #expect(assumed.discrepancies(ConverterSettings(gain: 1)).count == 2)
  }

  /// A driver that hangs when it is asked for its scale.
  @Test func doesNotWaitForADriverThatHangs() throws {
    let device = try FakeConverter(name: "hx711", ["in_voltage0_raw": "1"])
    try device.makeFIFO("in_voltage_scale")
    let entry = try #require(ConverterSurvey.scan(folder: device.devices).entries.first)
    #expect(throws: IIOError.silent(path: entry.path, .milliseconds(50))) {
      try Converter.asking(entry, ConverterSettings(), within: .milliseconds(50))
    }
  }
}
