import Appliance
import Foundation
import Messages
import Recordings
import Testing
import Weighing

/// Compares the raw values that replay reports with sums that are computed from the recording alone.
@Suite struct ReplayRawTests {
  private static let forms: [PadProtocol] = [.slots, .listed, .single, .plain(AxisCode(rawValue: 0x28))]

  @Test(arguments: forms, [1, 2, 3] as [UInt64])
  func rawIsTheSumOfTheContacts(_ form: PadProtocol, seed: UInt64) throws {
    let text = Self.recording(form, seed)
    let first = try Self.replayed(text, form)
    #expect(try Self.replayed(text, form) == first, "a second replay gives the same bytes")

    let frames = EvemuFrames(text).frames
    let start = try #require(frames.first?.microseconds)
    var readings = 0
    var reports = 0
    for line in try Self.objects(first) {
      let time = try #require(line.time)
      let payload = line.payload
      switch line.topic {
      case "live":
        // Includes a frame at the time of the deadline that causes the reading.
        let last = frames.last { $0.microseconds - start <= time }
        #expect(payload["raw"] as? Int == last?.raw ?? 0, "live at \(time) us")
        readings += 1
      case "contacts":
        let frame = try #require(reports < frames.count ? frames[reports] : nil)
        #expect(frame.microseconds - start == time)
        let contacts = try #require(payload["contacts"] as? [[String: Any]])
        #expect(contacts.compactMap { $0["raw"] as? Int }.sorted() == frame.contacts.map(\.raw).sorted())
        let reported = contacts.compactMap { Self.position($0["x"], $0["y"]) }.sorted {
          $0.lexicographicallyPrecedes($1)
        }
        let recorded = frame.contacts.compactMap(\.position).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(reported.count == recorded.count)
        for (a, b) in zip(reported, recorded) { #expect(abs(a[0] - b[0]) < 0.001 && abs(a[1] - b[1]) < 0.001) }
        reports += 1
      default: break
      }
    }
    #expect(readings > 50, "heartbeats and changes in 20 s")
    #expect(reports == frames.count)
  }

  private static func position(_ x: Any?, _ y: Any?) -> [Double]? {
    guard let x = (x as? NSNumber)?.doubleValue, let y = (y as? NSNumber)?.doubleValue else { return nil }
    return [x, y]
  }

  /// Up to three loads at once are placed, poured, stirred and removed; a finger presses and slides.
  private static func recording(_ form: PadProtocol, _ seed: UInt64) -> [UInt8] {
    var script = LoadScript()
    let cup = script.place(Grams(84), at: .seconds(1), position: Position(x: 0.3, y: 0.4))
    let spoon = script.place(Grams(31), at: .seconds(3), position: Position(x: 0.7, y: 0.6))
    script.drip(4, into: cup, at: .seconds(5), for: .seconds(8))
    script.press(
      at: .seconds(7), position: Position(x: 0.5, y: 0.9),
      profile: [(.milliseconds(200), Grams(90)), (.seconds(2), Grams(70))],
      slide: [(.milliseconds(300), Position(x: 0.5, y: 0.9)), (.seconds(1), Position(x: 0.9, y: 0.2))])
    script.remove(spoon, at: .seconds(10))
    script.stir(cup, at: .seconds(14), for: .seconds(2))
    script.remove(cup, at: .seconds(18))
    var pad = SimulatedPad(.typical, script: script, reporting: form, seed: seed)
    var writer = EvemuWriter()
    var text: [UInt8] = []
    writer.append(pad.description, to: &text)
    for event in pad.events(until: .seconds(20)) { writer.append(event, to: &text) }
    return text
  }

  private static func replayed(_ text: [UInt8], _ form: PadProtocol) throws -> [UInt8] {
    let recording = try EvemuReader.recording(from: text)
    var yaml = "publish: {contacts: true}\npad: {zones: {}"
    if case .plain = form { yaml += ", axis: ABS_MISC" }
    let replay = try Replay(
      recording, description: try #require(recording.description), configuration: .parse(yaml + "}\n"), actions: [])
    var json = JSONWriter()
    var bytes: [UInt8] = []
    try replay.run { bytes += $0.bytes(&json) }
    return bytes
  }

  private struct Line {
    /// Microseconds from the first event.
    var time: Int?
    var topic: String
    var payload: [String: Any]
  }

  private static func objects(_ bytes: [UInt8]) throws -> [Line] {
    try bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      let time = (object["t"] as? NSNumber).map { Int(($0.doubleValue * 1e6).rounded()) }
      return Line(
        time: time, topic: object["topic"] as? String ?? "", payload: object["payload"] as? [String: Any] ?? [:])
    }
  }
}
