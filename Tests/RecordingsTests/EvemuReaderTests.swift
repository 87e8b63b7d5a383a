import Testing
import Weighing

@testable import Recordings

@Suite struct EvemuReaderTests {
  @Test func readsDescriptionAndEvents() throws {
    let recording = try EvemuSamples.read(EvemuSamples.header + EvemuSamples.events)
    #expect(recording.description == EvemuSamples.pad)
    #expect(recording.events.count == 8)
    #expect(recording.events[2] == EvemuSamples.event(1, .absolute, 0x3a, 77))
    #expect(recording.events[5] == EvemuSamples.event(1_208_000, .absolute, 0x39, -1))
  }

  struct Line: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let event: InputEvent?
    var testDescription: String { name }
  }

  @Test(arguments: [
    Line(name: "evemu's own", text: "E: 12.000345 0003 0018 0042\t# x\n", event: one(12_000_345, 42)),
    Line(name: "short value", text: "E: 12.000345 0003 0018 42\n", event: one(12_000_345, 42)),
    Line(name: "leading zeros", text: "E: 0012.000345 3 18 000000000042\n", event: one(12_000_345, 42)),
    Line(name: "minus and zeros", text: "E: 0.000000 0003 0018 -001\n", event: one(0, -1)),
    Line(name: "plus", text: "E: 0.000000 0003 0018 +7\n", event: one(0, 7)),
    Line(name: "lowest value", text: "E: 0.000000 0003 0018 -2147483648\n", event: one(0, .min)),
    Line(name: "highest value", text: "E: 0.000000 0003 0018 2147483647\n", event: one(0, .max)),
    Line(name: "microseconds are a count", text: "E: 1.5 0003 0018 1\n", event: one(1_000_005, 1)),
    Line(name: "CRLF", text: "E: 1.000000 0003 0018 1\r\n", event: one(1_000_000, 1)),
    Line(name: "blanks", text: " \t E:\t1.000000   0003\t0018  1 \t \n", event: one(1_000_000, 1)),
    Line(name: "no blank after the colon", text: "E:1.000000 0003 0018 1\n", event: one(1_000_000, 1)),
    Line(name: "comment next to the value", text: "E: 1.000000 0003 0018 1# one\n", event: one(1_000_000, 1)),
    Line(name: "any bytes in a comment", text: "E: 1.000000 0003 0018 1 # \u{0}é\n", event: one(1_000_000, 1)),
    Line(name: "comment", text: "# E: 1\n", event: nil),
    Line(name: "comment at the end of the file", text: "   # end", event: nil),
    Line(name: "blank lines", text: "\n  \n\r\n\t\n", event: nil),
    Line(
      name: "a whole last frame without a line break", text: "E: 1.000000 0000 0000 0",
      event: EvemuSamples.event(1_000_000, .synchronization, 0, 0)),
  ])
  func tolerates(_ line: Line) throws {
    let first = "E: 0.000000 0000 0000 0\n"
    let recording = try EvemuSamples.read(first + line.text)
    #expect(recording.events.dropFirst() == ArraySlice(line.event.map { [$0] } ?? []))
  }

  static func one(_ microseconds: Int64, _ value: Int32) -> InputEvent {
    EvemuSamples.event(microseconds, .absolute, 0x18, value)
  }

  @Test func readsOldHeadersAndStates() throws {
    let text = "N: old\nI: 11 2 7 1b1\nB: 03 03 00 00 00 00 00 00 00\nA: 18 1472 5472 8 0\nL: 00 1\nS: 05 0\n"
    let pad = try EvemuReader.description(from: Array(text.utf8))
    #expect(pad.id == PadIdentity(bus: 0x11, vendor: 2, product: 7, version: 0x1b1))
    #expect(pad.axes[.pressure] == AxisRange(minimum: 1472, maximum: 5472, fuzz: 8))
    #expect(pad.axes[.x] == AxisRange(minimum: 0, maximum: 1), "an axis without a range, as evemu has it")
    #expect(pad.keys.isEmpty && pad.otherCodes.isEmpty)
  }

  @Test(arguments: [
    ("", ""), ("two  words ", "two  words "), ("\"quoted\"", "\"quoted\""), ("#1 pad", "#1 pad"),
    ("Waage é", "Waage é"),
  ])
  func readsNames(_ text: String, _ name: String) throws {
    for lineBreak in ["\n", "\r\n"] {
      let file = "N: \(text)\(lineBreak)I: 0003 0001 0002 0003\(lineBreak)"
      #expect(try EvemuReader.description(from: Array(file.utf8)).name == name)
    }
  }

  /// What people attach to reports instead.
  @Test(arguments: [
    ("Input driver version is 1.0.1\nInput device ID: bus 0x3\n", 1, "the text of evtest"),
    ("Event: time 1.0, type 3 (EV_ABS), code 24 (ABS_PRESSURE), value 66\n", 1, "the text of evtest"),
    ("# libinput record\nversion: 1\nndevices: 1\n", 2, "the YAML of libinput record"),
  ])
  func namesOtherFormats(_ text: String, _ line: Int, _ format: String) {
    let error = EvemuError(line: line, found: format, expected: "a recording by `grampad record` or evemu-record")
    #expect(throws: error) { try EvemuReader.recording(from: Array(text.utf8)) }
  }

  @Test func repairsNamesThatAreNotUTF8() throws {
    let file = Array("N: a".utf8) + [0xff, 0xfe] + Array("b\nI: 0003 0001 0002 0003\n".utf8)
    #expect(try EvemuReader.description(from: file).name == "a\u{fffd}\u{fffd}b")
  }

  @Test(arguments: ["A: 3a 0 1023 0 0 0", "I: 0003 16c0 05df 0111", "P: 04 00 00 00 00 00 00 00"])
  func acceptsAWholeHeaderLineAtTheEnd(_ last: String) throws {
    let identity = last.hasPrefix("I") ? "" : "I: 0003 16c0 05df 0111\n"
    #expect(throws: Never.self) { try EvemuReader.description(from: Array("N: x\n\(identity)\(last)".utf8)) }
  }

  @Test func keepsEventsWhoseTimeStepsBack() throws {
    let times = ["5.000000", "6.000000", "5.500000", "5.600000", "7.000000"]
    let text = times.map { "E: \($0) 0000 0000 0\n" }.joined()
    let recording = try EvemuSamples.read(text)
    #expect(recording.events.map(\.time.nanoseconds) == [5, 6, 6, 6, 7].map { $0 * 1_000_000_000 })
    var reader = EvemuReader()
    var asTheyAre: [Int64] = []
    try reader.read(Array(text.utf8).span) { asTheyAre.append($0.time.nanoseconds / 100_000_000) }
    #expect(asTheyAre == [50, 60, 55, 56, 70])
  }

  @Test(arguments: [1, 2, 7, 64, 1000])
  func readsInChunksOfAnySize(_ size: Int) throws {
    let bytes = Array((EvemuSamples.header + EvemuSamples.events).utf8)
    var reader = EvemuReader()
    var events: [InputEvent] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let chunk = Array(bytes[start..<min(start + size, bytes.count)])
      try reader.read(chunk.span) { events.append($0) }
    }
    try reader.end { events.append($0) }
    #expect(reader.description == EvemuSamples.pad)
    #expect(events == (try EvemuReader.recording(from: bytes)).events)
    #expect(reader.line == 27)
  }
}
