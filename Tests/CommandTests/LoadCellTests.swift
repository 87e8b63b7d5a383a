import Foundation
import Testing

/// A load cell behind an IIO converter, from sysfs to a subscriber. umockdev's library shows the program another /sys.
@Suite(.serialized) struct LoadCellTests {
  /// 4000 counts a gram; the load cell rests at the middle of the range.
  private static func yaml(_ port: UInt16, pad: String = "{device: {iio: hx711}}") -> String {
    """
    pad: \(pad)
    scale: {capacity_g: 1000}
    mqtt: {broker: "mqtt://127.0.0.1:\(port)"}
    dashboard: {enabled: false}
    home_assistant: {discovery: false}
    calibration: {points: [{raw: 8388608, grams: 0}, {raw: 12388608, grams: 1000}]}

    """
  }

  private static func raw(ofGrams grams: Int) -> Int { 8_388_608 + 4000 * grams }

  private struct Running {
    let broker: Broker
    let listener: Listener
    let folder: TemporaryFolder
    let program: Program
    let converter: FakeConverter

    init(_ converter: FakeConverter, pad: String = "{device: {iio: hx711}}") async throws {
      self.converter = converter
      broker = try await Broker()
      listener = try await Listener(broker.port)
      folder = try TemporaryFolder()
      let path = try folder.write("scale.yaml", LoadCellTests.yaml(broker.port, pad: pad))
      program = try Program.grampad(["run", "--config", path], environment: converter.environment)
    }

    func events() -> [String] { listener.messages("event").compactMap { $0("type") as? String } }

    func shows(_ text: String) async throws {
      let listener = listener
      try await eventually("\(text), not \(listener.last("display") ?? "nothing")") { listener.last("display") == text }
    }
  }

  @Test(arguments: ["{device: {iio: hx711}}", "{device: auto}"]) func weighs(pad: String) async throws {
    let converter = try FakeConverter()
    let running = try await Running(converter, pad: pad)
    let listener = running.listener
    try await eventually("the plate is learned") { running.events().contains("zeroed") }
    #expect(listener.messages("health").last?("pad", "name") as? String == "hx711")
    try converter.set(Self.raw(ofGrams: 250))
    try await eventually("a stable reading") { listener.messages("stable").last?("net_g") as? Int == 250 }
    let stable = try #require(listener.messages("stable").last)
    let raw = try #require(stable("raw") as? Int)
    #expect((raw - Self.raw(ofGrams: 250)).magnitude <= 4 && stable("calibration") as? String == "user")
    // Either end of the range is overload.
    try converter.set(16_777_215)
    try await running.shows("1000+ g")
    try converter.set(Self.raw(ofGrams: 0))
    try await running.shows("0 g")
    try converter.set(0)
    try await running.shows("1000+ g")
  }

  @Test func isLostAndFound() async throws {
    let converter = try FakeConverter()
    let running = try await Running(converter)
    let listener = running.listener
    try await eventually("the plate is learned") { running.events().contains("zeroed") }
    try converter.set(Self.raw(ofGrams: 100))
    try await running.shows("100 g")
    try converter.unplug()
    try await eventually("lost") { running.events().last == "pad_lost" }
    #expect((listener.messages("event").last?("reason") as? String)?.hasSuffix(": removed") == true)
    try converter.plug(count: Self.raw(ofGrams: 100))
    try await eventually("found") { running.events().contains("pad_found") && running.events().last != "pad_lost" }
    try await running.shows("100 g")
  }

  /// A read that blocks: commands are answered meanwhile, and the program ends at once.
  @Test func isNotDelayedByADriverThatHangs() async throws {
    let converter = try FakeConverter()
    let running = try await Running(converter)
    let listener = running.listener
    try await eventually("the plate is learned") { running.events().contains("zeroed") }
    try converter.hang()
    try await eventually("lost") { running.events().last == "pad_lost" }
    #expect((listener.messages("event").last?("reason") as? String)?.contains("has not answered") == true)
    let publication = ["-h", "127.0.0.1", "-p", "\(running.broker.port)", "-t", "grampad/grampad/command/tare", "-n"]
    let start = ContinuousClock.now
    #expect(try await Program("mosquitto_pub", publication).ended().code == 0)
    try await eventually("an answer") { listener.messages("result").last?("reason") as? String == "pad_missing" }
    #expect(ContinuousClock.now - start < .seconds(9))
    let found = running.events().count { $0 == "pad_found" }
    try converter.answer(Self.raw(ofGrams: 40))
    try await eventually("found again") { running.events().count { $0 == "pad_found" } > found }
    try await running.shows("40 g")
    try converter.hang()
    try await eventually("lost again") { running.events().last == "pad_lost" }
    running.program.send(SIGTERM)
    #expect(try await running.program.endedPromptly().code == 0)
  }

  @Test func reportsAWrongGain() async throws {
    let running = try await Running(try FakeConverter(), pad: "{device: {iio: hx711}, gain: 64}")
    let listener = running.listener
    try await eventually("a warning") {
      (listener.messages("health").last?("pad", "setup_warning") as? String)?.contains("gain of 128, not 64") == true
    }
  }

  @Test func isListed() async throws {
    let converter = try FakeConverter()
    // The folder is removed with the converter.
    defer { withExtendedLifetime(converter) {} }
    let environment = converter.environment
    let table = try await Program.run(["devices"], environment: environment)
    #expect(table.complaints.contains("auto selects /sys/bus/iio/devices/iio:device0"), "\(table.complaints)")
    #expect(table.output.contains("hx711") && table.output.contains("voltage0 0...16777215"), "\(table.output)")
    let list = try await Program.run(["devices", "--json"], environment: environment)
    let entries = try #require(try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
    let entry = try #require(entries.first { $0["kind"] as? String == "converter" })
    #expect(
      entry["name"] as? String == "hx711" && entry["can_weigh"] as? Bool == true && entry["chosen"] as? Bool == true)
    let rule = try await Program.run(["devices", "--udev", "hx711", "--gain", "64"], environment: environment)
    #expect(rule.code == 0 && rule.output.contains("ATTR{in_voltage_scale}=\"0.004655\", ENV{GRAMPAD_PAD}=\"1\""))
    let refused = try await Program.run(["devices", "--udev", "hx711", "--gain", "3"], environment: environment)
    #expect(refused.code == 66 && refused.complaints.contains("does not support a gain of 3"))
  }

  /// A recording replays to the reading of the load cell.
  @Test func isRecordedAndReplayed() async throws {
    let converter = try FakeConverter()
    try converter.set(Self.raw(ofGrams: 100))
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/pour.evemu"
    let recorder = try Program.grampad(["record", "iio:hx711", "-o", file], environment: converter.environment)
    func lines() -> Int { (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").count ?? 0 }
    try await eventually("a second of samples") { lines() > 200 }
    try converter.set(Self.raw(ofGrams: 350))
    let count = lines()
    try await eventually("another second") { lines() > count + 300 }
    recorder.send(SIGINT)
    #expect(try await recorder.ended().code == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("N: hx711") && text.contains("A: 18 0 16777215 0 0 0"))
    let configuration = try folder.write(
      "scale.yaml",
      "pad: {device: {iio: hx711}}\n" + Self.yaml(1883).split(separator: "\n").dropFirst().joined(separator: "\n"))
    let replayed = try await Program.run(["replay", file, "--config", configuration])
    #expect(replayed.code == 0, "\(replayed.complaints)")
    // The first load becomes the plate; the second one lies on it.
    #expect(replayed.output.contains("\"payload\":\"250 g\""), "\(replayed.output.suffix(400))")
  }
}
