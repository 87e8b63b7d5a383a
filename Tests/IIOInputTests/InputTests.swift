import Foundation
import Glibc
import Linux
import Testing
import Weighing

@testable import IIOInput

/// A load cell in the loop: found, sampled, stalled, removed, and back.
@Suite struct InputTests {
  @Test func deliversEachConversion() throws {
    let device = try FakeConverter.hx711()
    let feed = Feed(of: device)
    try device.answerSoon("8388608")
    #expect(try feed.text(of: "found") == device.path)
    let frame = try feed.frame()
    #expect(frame.followsGap && frame.raw == RawForce(8_388_608))
    #expect(frame.contacts.map(\.isAtMaximum) == [false] && frame.contacts.first?.position == nil)
    // Equal values are conversions of their own: the driver waits for each.
    for _ in 0..<3 {
      let before = Instant.now()
      try device.answerSoon("8388608")
      let next = try feed.frame()
      #expect(!next.followsGap && next.time >= before && next.time <= .now())
    }
  }

  @Test(arguments: [(false, "0", 0), (false, "16777215", 16_777_215), (true, "0", 16_777_215), (true, "16777215", 0)])
  func isAtMaximumAtEitherEnd(isInverted: Bool, text: String, raw: Int) throws {
    let device = try FakeConverter.hx711()
    let feed = Feed(ConverterSettings(name: "hx711", isInverted: isInverted), of: device)
    try device.answerSoon(text)
    let frame = try feed.frame()
    #expect(frame.raw == RawForce(raw) && frame.contacts.first?.isAtMaximum == true)
  }

  @Test func isLostWhenTheDriverStallsAndBackWithItsNextSample() throws {
    let device = try FakeConverter.hx711()
    let feed = Feed(of: device)
    try device.answerSoon("5000000")
    _ = try feed.frame()
    // The driver does not answer: told that four seconds have passed, the input gives up waiting.
    feed.ahead = .seconds(4)
    let reason = try feed.text(of: "lost")
    #expect(reason.hasPrefix("\(device.path): the driver has not answered for 4"), "\(reason)")
    feed.ahead = .zero
    _ = feed.take()
    try device.answerSoon("5000001")
    let frame = try feed.frame()
    #expect(feed.events.map(\.word).filter { $0 != "waiting" } == ["found", "frame"])
    #expect(frame.followsGap && frame.raw == RawForce(5_000_001))
  }

  @Test func isLostWhenItIsRemovedAndBackWhenItIsThere() throws {
    let device = try FakeConverter.ads1115()
    let feed = Feed(ConverterSettings(name: "ads1015"), of: device)
    _ = try feed.frame()
    try device.remove()
    #expect(try feed.text(of: "lost") == "\(device.path): removed")
    let reason = try feed.text(of: "waiting")
    #expect(reason.hasPrefix("IIO device ads1015 not found"), "\(reason)")
    let again = try FakeConverter(in: device.devices, name: "ads1015", ["in_voltage0_raw": "77"])
    #expect(try feed.text(of: "found") == again.path)
  }

  /// The thread hangs in the old device; the new one has a thread of its own.
  @Test func usesANewDeviceWhileTheOldOneHangs() throws {
    let device = try FakeConverter.hx711()
    let feed = Feed(of: device)
    try device.answerSoon("5000000")
    _ = try feed.frame()
    feed.ahead = .seconds(4)
    try feed.text(of: "lost")
    feed.ahead = .zero
    try device.remove()
    let again = try FakeConverter(in: device.devices, name: "hx711", ["in_voltage0_raw": "6000000"])
    #expect(try feed.text(of: "found") == again.path)
    #expect(try feed.frame().raw.counts == 6_000_000)
  }

  @Test func saysThatADeviceDeliversNothing() throws {
    let device = try FakeConverter.hx711()
    let feed = Feed(of: device)
    // The first call searches.
    feed.input.process(at: .now()) { _ in }
    feed.ahead = .seconds(4)
    #expect(try feed.text(of: "waiting") == "\(device.path): the driver delivers no samples")
  }

  @Test(arguments: ["", "abc", "1.5"]) func isLostWithAReasonWhenCountsAreNoNumbers(text: String) throws {
    let device = try FakeConverter.ads1115()
    let feed = Feed(ConverterSettings(name: "ads1015"), of: device)
    _ = try feed.frame()
    try device.set("in_voltage0_raw", text)
    feed.ahead = .zero
    // Samples until the file has changed; then none for the patience of the input.
    let reason = try feed.text(of: "lost")
    #expect(reason.contains("unexpected content"), "\(reason)")
  }

  @Test func reportsAWrongRateAndGain() throws {
    let device = try FakeConverter.ads1115()
    let rate = SampleRate(perSecond: 8)
    let feed = Feed(ConverterSettings(name: "ads1015", rate: rate, gain: 16), of: device)
    let warning = try feed.text(of: "setup")
    #expect(warning.contains("128 samples/s, not to 8 samples/s") && warning.contains("gain of 2, not 16"))
  }

  @Test func reportsAWrongMeasuredRate() throws {
    let device = try FakeConverter(
      name: "hx711", ["in_voltage0_raw": "100", "scan_elements/in_voltage0_type": "le:u24/32>>0"])
    // A plain file answers at once: far more than 10 samples/s.
    let feed = Feed(ConverterSettings(name: "hx711", rate: SampleRate(perSecond: 10)), of: device)
    #expect(try feed.text(of: "setup").contains("samples/s, not 10 samples/s (pad.rate_hz)"))
  }

  /// A converter whose driver returns the last conversion at once.
  @Test func readsOnceAPeriod() throws {
    let device = try FakeConverter.ads1115()
    let feed = Feed(ConverterSettings(name: "ads1015"), of: device)
    let start = try feed.frame().time
    var last = start
    for _ in 0..<64 { last = try feed.frame().time }
    // 64 periods of 1/128 s; a machine under load is late, never early.
    #expect(last - start >= .milliseconds(490) && last - start < .seconds(30))
  }

  @Test func opensAgainWhenTheGainChanges() throws {
    let device = try FakeConverter.ads1115()
    let entry = try #require(ConverterSurvey.scan(folder: device.devices).entries.first)
    let converter = try Converter(entry, ConverterSettings())
    try converter.verify(ConverterSettings())
    try device.set("in_voltage0_scale", "0.007813")
    #expect(throws: IIOError.changed(path: device.path)) { try converter.verify(ConverterSettings()) }
  }
}

extension FakeConverter {
  /// Answers the next read of the raw value on a thread of its own: the driver waits in the meantime.
  func answerSoon(_ text: String) throws {
    OwnThread.start(name: "answer") { [self] in try? answer("in_voltage0_raw", text) }
  }
}
