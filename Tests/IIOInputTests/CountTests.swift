import Testing
import Weighing

@testable import IIOInput

/// Counts: their range, their place in a buffer, and the gain that they have.
@Suite struct CountTests {
  @Test(arguments: [
    (24, false, Int64(0), Int32(16_777_215)), (24, true, -8_388_608, 16_777_215), (12, true, -2048, 4095),
    (1, false, 0, 1), (31, false, 0, .max), (32, true, -2_147_483_648, .max), (40, false, 0, .max),
  ]) func hasARange(bits: Int, isSigned: Bool, bottom: Int64, maximum: Int32) throws {
    let range = try #require(CountRange(bits: bits, isSigned: isSigned))
    #expect(range.bottom == bottom)
    #expect(range.maximum == maximum)
    #expect(range.raw(of: range.bottom, isInverted: false) == (.zero, true))
    #expect(range.raw(of: range.top, isInverted: false) == (RawForce(Int(maximum)), true))
    #expect(range.raw(of: range.top, isInverted: true) == (.zero, true))
    #expect(range.raw(of: .max, isInverted: false) == (RawForce(Int(maximum)), true))
    #expect(range.raw(of: .min, isInverted: true) == (RawForce(Int(maximum)), true))
  }

  @Test func isAboveTheBottomOrBelowTheTop() throws {
    let range = try #require(CountRange(bits: 24, isSigned: true))
    #expect(range.raw(of: 1000, isInverted: false) == (RawForce(8_389_608), false))
    #expect(range.raw(of: 1000, isInverted: true) == (RawForce(8_387_607), false))
  }

  @Test(arguments: [0, 49, -1]) func hasNoRange(bits: Int) { #expect(CountRange(bits: bits, isSigned: true) == nil) }

  @Test(arguments: [
    ("le:u24/32>>0", [0x01, 0x02, 0x03, 0xff] as [UInt8], Int64(0x030201)),
    ("le:s24/32>>0", [0xff, 0xff, 0xff, 0x00], -1), ("be:s12/16>>4", [0x80, 0x0f], -2048),
    ("le:s12/16>>4", [0xf0, 0x7f], 2047), ("be:s24/32>>8", [0xff, 0xff, 0xfe, 0x55], -2),
    ("le:s16/16", [0x00, 0x80], -32768),
    ("le:u64/64>>0", [1, 0, 0, 0, 0, 0, 0, 0], 1), ("le:s8/8X2>>0", [0xfe], -2),
  ]) func isStored(type: String, bytes: [UInt8], count: Int64) throws {
    #expect(try #require(ScanType(type)).count(in: bytes) == count)
  }

  @Test(arguments: [
    "", "le", "le:", "xe:s12/16>>4", "le:q12/16>>4", "le:s0/16>>0", "le:s24/16>>0", "le:s12/17>>0", "le:s12/16X0>>0",
  ])
  func isNotStored(type: String) { #expect(ScanType(type) == nil) }

  private static let hx711 = ["0.002327", "0.004655"]
  private static let ads1115 = ["0.1875", "0.125", "0.0625", "0.03125", "0.015625", "0.007813"]
  private static let mcp3422 = ["0.000015625", "0.000007812", "0.000003906", "0.000001953"]

  /// Scales as the drivers print them: hx711 at 5 V, nau7802 at 3.3 V, ads1115, mcp3422 at 3 samples/s.
  @Test(arguments: [
    ("hx711", "voltage0", 24, "0.002327", 128.0, hx711), ("hx711", "voltage0", 24, "0.004655", 64, hx711),
    ("hx711", "voltage1", 24, "0.009311", 32, ["0.009311"]),
    ("nau7802", "voltage0", 24, "0.000393390", 1, []), ("nau7802", "voltage0", 24, "0.000003073", 128, []),
    ("nau7802", "voltage0", 24, "0.000286102", 1, []), ("nau7802", "voltage0", 24, "0.000536441", 1, []),
    ("ads1115", "voltage0", 16, "0.187500000", 0.667, ads1115), ("ads1115", "voltage0", 16, "0.062500000", 2, ads1115),
    ("ads1115", "voltage0", 16, "0.007812500", 16, ads1115), ("mcp3422", "voltage0", 18, "0.000001953", 8, mcp3422),
    ("other", "voltage0", 16, "0.25", 2, ["0.5", "0.25"]),
  ]) func hasAGain(name: String, channel: String, bits: Int, scale: String, gain: Double, available: [String]) throws {
    let range = try #require(CountRange(bits: bits, isSigned: true))
    let rule = KnownConverter.named([name])?.kind.gain ?? .smallestIsOne
    let gains = ChannelGain(rule, channel: channel, range: range, available: available)
    #expect(gains.gain(ofScale: try #require(Double(scale))) == gain)
  }

  @Test(arguments: [
    ("hx711", 24, "0.002327", 64.0, hx711, "0.004655"), ("hx711", 24, "0.004655", 128, hx711, "0.002327"),
    ("hx711", 24, "0.004655", 32, hx711, nil), ("ads1115", 16, "0.062500000", 16, ads1115, "0.007813"),
    // nau7802.c: 3300 mV * 10^9 >> (23 + 7), from the scale at gain 1 and at gain 128.
    ("nau7802", 24, "0.000393390", 128, [], "0.000003073"), ("nau7802", 24, "0.000003073", 1, [], "0.000393390"),
    ("nau7802", 24, "0.000393390", 3, [], nil), ("nau7802", 24, "0.000000000", 1, [], nil),
  ]) func isWrittenAs(
    name: String, bits: Int, scale: String, gain: Double, available: [String], text: String?
  ) throws {
    let range = try #require(CountRange(bits: bits, isSigned: true))
    let kind = try #require(KnownConverter.named([name])?.kind)
    let gains = ChannelGain(kind.gain, channel: "voltage0", range: range, available: available)
    #expect(gains.scale(ofGain: gain, current: try #require(Double(scale))) == text)
  }
}
