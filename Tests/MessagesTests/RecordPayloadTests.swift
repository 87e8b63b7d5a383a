import Messages
import Testing

@testable import Weighing

/// Gestures, weighings and quick actions, byte by byte.
@Suite struct RecordPayloadTests {
  private func payload(_ effect: Effect) throws -> String {
    var composer = Sample.composer()
    return try #require(composer.messages(for: effect).first).text
  }

  static let weighing = """
    {"id":"00e8d4a5-107b-7123-8123-456789abcdef","sequence":42,"kind":"weighing","time":"2001-09-09T01:46:40.123Z",\
    "clock":"synchronised","gross_g":100,"tare_g":27,"net_g":73,"uncertainty_g":0.413,"pieces":null,"label":"Zürich \\"dark\\"","source":"command_line",\
    "calibration":"user","calibration_counter":3,"configuration_hash":"9f86d081","historical":false,"voids":null,\
    "amends":null}
    """

  /// The time of a record is one of the day already, whatever the clock of the appliance is.
  @Test(arguments: [WallClock.recorded, WallClock(offset: .seconds(1_000_000))])
  func aWeighing(_ clock: WallClock) throws {
    var composer = Sample.composer()
    composer.clock = clock
    let now = composer.weighing(Sample.record, historical: false)
    #expect(now.topic == "grampad/kitchen/weighing" && now.delivery == .assured && now.expiry == nil)
    #expect(now.text == Self.weighing)
    let late = composer.weighing(Sample.record, historical: true)
    #expect(late.text == Self.weighing.replacing("\"historical\":false", with: "\"historical\":true"))
    let last = composer.lastWeighing(Sample.record, historical: true)
    #expect(last.topic == "grampad/kitchen/weighing/last" && last.delivery == .retained && last.expiry == nil)
    #expect(last.payload == late.payload)
    #expect(composer.messages(for: .weighing(Sample.record, at: Sample.time)).isEmpty)
    let effect = Effect.lastWeighing(Sample.record, isHistorical: false, at: Sample.time)
    #expect(composer.messages(for: effect).map(\.text) == [Self.weighing])
    let none = composer.messages(for: .lastWeighing(nil, isHistorical: true, at: Sample.time))
    #expect(none.map(\.payload) == [[]] && none.map(\.delivery) == [.retained] && none.first?.topic == last.topic)
    var json = JSONWriter()
    json.weighing(Sample.record, historical: false)
    #expect(json.bytes == now.payload)
  }

  @Test func aVoidAndARelabel() throws {
    var record = Sample.record
    record.voids = record.id
    record.id = WeighingID(time: Sample.time + .seconds(1), randomness: (0, 0))
    record.sequence = 43
    record.label = nil
    record.measurement.uncertainty = nil
    record.measurement.pieces = -3
    record.clock = nil
    let division = try #require(Division(Grams(0.1)))
    record.measurement.net = DisplayedMass(steps: -5, division: division)
    let expected = """
      {"id":"00e8d4a5-1463-7000-8000-000000000000","sequence":43,"kind":"void","time":"2001-09-09T01:46:40.123Z",\
      "clock":null,"gross_g":100,"tare_g":27,"net_g":-0.5,"uncertainty_g":null,"pieces":-3,"label":null,\
      "source":"command_line","calibration":"user","calibration_counter":3,"configuration_hash":"9f86d081",\
      "historical":false,"voids":"00e8d4a5-107b-7123-8123-456789abcdef","amends":null}
      """
    var json = JSONWriter()
    json.weighing(record, historical: false)
    #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    (record.voids, record.amends) = (nil, record.voids)
    json.reset()
    json.weighing(record, historical: false)
    let swapped = #""historical":false,"voids":null,"amends":"00e8d4a5-107b-7123-8123-456789abcdef"}"#
    let text = String(decoding: json.bytes, as: UTF8.self)
    #expect(text.contains(#""kind":"relabel""#) && text.hasSuffix(swapped))
  }

  @Test func aGesture() throws {
    let begun = GestureReport(
      time: Sample.time, action: "beans", state: .updating, intention: 0.123456, preview: nil)
    #expect(
      try payload(.gesture(begun)) == """
        {"time":"\(Sample.timeText)","action":"beans","state":"updating","intention":0.1235,"preview":null}
        """)
    let reading = Sample.settled()
    let confirmed = GestureReport(
      time: Sample.time, action: "commit", state: .confirmed, intention: 1, preview: .reading(reading))
    #expect(
      try payload(.gesture(confirmed)) == """
        {"time":"\(Sample.timeText)","action":"commit","state":"confirmed","intention":1,\
        "preview":\(payload(.live(reading)))}
        """)
  }

  @Test func aPreviewedWeighing() throws {
    let report = GestureReport(
      time: Sample.time, action: "history", state: .selected, intention: 0.25, preview: .weighing(Sample.record))
    let weighing = Sample.text { $0.weighing(Sample.record, historical: true) }
    #expect(
      try payload(.gesture(report)) == """
        {"time":"\(Sample.timeText)","action":"history","state":"selected","intention":0.25,"preview":\(weighing)}
        """)
  }

  @Test func aControl() throws {
    let name = try #require(ControlName("lamp"))
    var report = ControlReport(time: Sample.time, name: name, state: .changed, value: 0.123456, x: 0.5, y: 1)
    #expect(
      try payload(.control(report)) == """
        {"time":"\(Sample.timeText)","state":"changed","value":0.1235,"x":0.5,"y":1}
        """)
    (report.state, report.x, report.y) = (.cancelled, nil, nil)
    var composer = Sample.composer()
    let message = try #require(composer.messages(for: .control(report)).first)
    #expect(message.topic == "grampad/kitchen/control/lamp" && message.delivery == .live && message.expiry != nil)
    #expect(
      String(decoding: message.payload, as: UTF8.self) == """
        {"time":"\(Sample.timeText)","state":"cancelled","value":0.1235,"x":null,"y":null}
        """)
  }

  @Test func quickActions() throws {
    #expect(try payload(.actions([], at: Sample.time)) == #"{"actions":[]}"#)
    let beans = QuickAction(
      type: "beans", title: "Beans", subtitle: "\"dark\"", icon: "mdi:coffee",
      userInfo: [
        .init(name: "z", value: .number(1.5)), .init(name: "label", value: .text("beans")),
        .init(name: "a", value: .flag(true)),
      ])
    #expect(
      try payload(.actions([beans, QuickAction(type: "off", title: "Off", run: .clearTare)], at: Sample.time)) == #"""
        {"actions":[{"type":"beans","title":"Beans","subtitle":"\"dark\"","icon":"mdi:coffee","run":"commit",\#
        "user_info":{"z":1.5,"label":"beans","a":true}},\#
        {"type":"off","title":"Off","subtitle":null,"icon":null,"run":"clear_tare","user_info":{}}]}
        """#)
  }

  @Test func aResultHasTheRecordThatWasMade() throws {
    let reading = Sample.settled()
    let result = ActionResult(
      request: ActionRequest(name: "beans", source: .dashboard), rejection: nil, time: Sample.time, reading: reading,
      weighing: Sample.record)
    var composer = Sample.composer()
    let message = composer.answer(result, to: Caller(correlation: "7"))
    #expect(
      try message.text == """
        {"action":"beans","ok":true,"reason":null,"correlation":"7","detail":null,"source":"dashboard",\
        "time":"\(Sample.timeText)","reading":\(payload(.live(reading))),"weighing":\(Self.weighing)}
        """)
  }
}
