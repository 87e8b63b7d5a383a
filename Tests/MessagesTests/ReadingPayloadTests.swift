import Foundation
import Messages
import Testing
import Weighing

/// A Reading has the fields that the contract lists, all of them, always.
@Suite struct ReadingPayloadTests {
  static let fields: Set = [
    "time", "state", "gross_g", "tare_g", "net_g", "high_resolution_g", "uncertainty_g", "stable", "inside_zero",
    "overload", "underload", "printable", "raw", "force", "calibration", "tare_epoch", "flow_g_s",
  ]

  private func payload(_ reading: Reading) throws -> [String: Any] {
    var composer = Sample.composer()
    return try #require(composer.messages(for: .live(reading)).first).object()
  }

  @Test func aSettledReading() throws {
    let json = try payload(Sample.settled())
    #expect(Set(json.keys) == Self.fields)
    #expect(json["state"] as? String == "stable")
    #expect(json["gross_g"] as? Double == 100)
    #expect(json["tare_g"] as? Double == 27)
    #expect(json["net_g"] as? Double == 73)
    #expect(json["high_resolution_g"] as? Double == 73.4)
    #expect((json["uncertainty_g"] as? Double ?? 0) > 10)
    #expect(json["stable"] as? Bool == true)
    #expect(json["inside_zero"] as? Bool == false)
    #expect(json["overload"] as? Bool == false)
    #expect(json["underload"] as? Bool == false)
    #expect(json["printable"] as? String == "73 g")
    #expect(json["raw"] as? Int == 1000)
    #expect(json["force"] as? Double == 0.2)
    #expect(json["calibration"] as? String == "kernel")
    #expect(json["tare_epoch"] as? Int == 1)
    #expect((json["time"] as? String)?.hasPrefix("2001-09-09T01:46:4") == true)
  }

  @Test func anOverload() throws {
    var machine = Sample.machine()
    _ = machine.handle(Sample.frame(5000), at: Sample.time)
    let json = try payload(machine.reading)
    #expect(Set(json.keys) == Self.fields)
    for field in ["net_g", "high_resolution_g", "uncertainty_g"] { #expect(json[field] is NSNull, "\(field)") }
    #expect(json["printable"] as? String == "385+ g")
    #expect(json["state"] as? String == "overload")
    #expect(json["overload"] as? Bool == true)
  }

  @Test func noPad() throws {
    let json = try payload(ScaleMachine(settings: ScaleSettings(), at: Sample.time).reading)
    #expect(Set(json.keys) == Self.fields)
    #expect(json["net_g"] is NSNull && json["calibration"] is NSNull)
    #expect(json["state"] as? String == "offline")
    #expect(json["time"] as? String == Sample.timeText)
  }

  @Test func anEmptyPad() throws {
    var composer = Sample.composer()
    let message = try #require(composer.messages(for: .live(Sample.machine().reading)).first)
    #expect(
      message.text == """
        {"time":"\(Sample.timeText)","state":"empty","gross_g":0,"tare_g":0,"net_g":0,"high_resolution_g":0,\
        "uncertainty_g":null,"stable":false,"inside_zero":true,"overload":false,"underload":false,\
        "printable":"0 g","raw":0,"force":0,"calibration":"kernel","tare_epoch":0,"flow_g_s":0}
        """)
  }

  @Test func aScannedLabelIsThereWhileItWaits() throws {
    var (machine, composer) = (Sample.machine(), Sample.composer())
    func newest(_ effects: [Effect]) throws -> [String: Any] {
      let messages = effects.flatMap { composer.messages(for: $0) }
      return try #require(messages.last { $0.topic.hasSuffix("/live") }).object()
    }
    var effects = machine.handle(.scanned(Sample.code), at: Sample.time)
    effects += machine.advance(to: Sample.time + .seconds(1))
    composer.setHeartbeat(.seconds(9))
    let json = try newest(effects)
    #expect(Set(json.keys) == Self.fields.union(["label"]) && json["label"] as? String == "40\"63")
    #expect(Set(try newest(machine.advance(to: Sample.time + .seconds(61))).keys) == Self.fields)
  }

  @Test(arguments: [nil, 3]) func theTimerAndItsPoursAreThereWhileTheyAreInUse(_ pours: Int?) throws {
    var reading = Sample.settled()
    (reading.timer, reading.pours) = (.seconds(110.25), pours)
    let json = try payload(reading)
    #expect(Set(json.keys) == Self.fields.union(pours == nil ? ["timer_s"] : ["timer_s", "pours"]))
    #expect(json["timer_s"] as? Double == 110.25 && json["pours"] as? Int == pours)
  }

  @Test(arguments: Reading.State.allCases)
  func theStatesAreThoseOfTheContract(_ state: Reading.State) {
    #expect(["empty", "settling", "stable", "overload", "pressing", "offline"].contains(state.rawValue))
  }

  /// The decimals are those of the division.
  @Test func aTenthOfAGram() throws {
    var reading = Sample.settled()
    reading.net = DisplayedMass(steps: 734, division: try #require(Division(Grams(0.1))))
    let json = try payload(reading)
    #expect(json["net_g"] as? Double == 73.4)
    #expect(json["printable"] as? String == "73.4 g")
  }
}
