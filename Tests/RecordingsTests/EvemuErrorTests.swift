import Recordings
import Testing
import Weighing

@Suite struct EvemuErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let line: Int
    var testDescription: String { name }

    init(_ name: String, _ text: String, line: Int) {
      self.init(name, bytes: Array(text.utf8), line: line)
    }

    init(_ name: String, bytes: [UInt8], line: Int) {
      self.name = name
      self.bytes = bytes
      self.line = line
    }
  }

  static let good = "E: 0.000001 0003 0018 5\n"
  static let head = "N: x\nI: 0003 0001 0002 0003\n"

  @Test(arguments: [
    Case("empty", "", line: 1),
    Case("comments only", "# a\n# b\n", line: 2),
    Case("another letter", good + "Q: 1\n", line: 2),
    Case("lower case", good + "e: 1.000000 0003 0018 5\n", line: 2),
    Case("no colon", good + "E 1.000000 0003 0018 5\n", line: 2),
    Case("lone letter", good + "E\n", line: 2),
    Case("prose", "This is no recording.\n", line: 1),
    Case("no fields", good + "E:\n", line: 2),
    Case("comment instead of fields", good + "E: # 1.0\n", line: 2),
    Case("no value", good + "E: 1.000000 0003 0018\n", line: 2),
    Case("a time years later", good + "E: 99999999.000000 0003 0018 5\n", line: 2),
    Case("no code", good + "E: 1.000000 0003\n", line: 2),
    Case("only a time", good + "E: 1.000000\n", line: 2),
    Case("one field more", good + "E: 1.000000 0003 0018 5 6\n", line: 2),
    Case("letters in the time", good + "E: 1.00x000 0003 0018 5\n", line: 2),
    Case("no dot", good + "E: 1000000 0003 0018 5\n", line: 2),
    Case("nothing after the dot", good + "E: 1. 0003 0018 5\n", line: 2),
    Case("nothing before the dot", good + "E: .000001 0003 0018 5\n", line: 2),
    Case("seven digits after the dot", good + "E: 1.0000000 0003 0018 5\n", line: 2),
    Case("two dots", good + "E: 1.000.000 0003 0018 5\n", line: 2),
    Case("time before the start", good + "E: -1.000000 0003 0018 5\n", line: 2),
    Case("time too late", good + "E: 4611686018.000000 0003 0018 5\n", line: 2),
    Case("time of 40 digits", good + "E: \(String(repeating: "9", count: 40)).000000 0003 0018 5\n", line: 2),
    Case("type not hexadecimal", good + "E: 1.000000 000g 0018 5\n", line: 2),
    Case("type out of range", good + "E: 1.000000 0020 0018 5\n", line: 2),
    Case("type of five digits", good + "E: 1.000000 00003 0018 5\n", line: 2),
    Case("prefixed type", good + "E: 1.000000 0x3 0018 5\n", line: 2),
    Case("code out of range", good + "E: 1.000000 0003 0300 5\n", line: 2),
    Case("value a word", good + "E: 1.000000 0003 0018 five\n", line: 2),
    Case("value hexadecimal", good + "E: 1.000000 0003 0018 5a\n", line: 2),
    Case("value a fraction", good + "E: 1.000000 0003 0018 5.5\n", line: 2),
    Case("slot of four thousand million", good + "E: 1.000000 0003 002f 4000000000\n", line: 2),
    Case("value just too high", good + "E: 1.000000 0003 0018 2147483648\n", line: 2),
    Case("value just too low", good + "E: 1.000000 0003 0018 -2147483649\n", line: 2),
    Case("value of 40 digits", good + "E: 1.000000 0003 0018 \(String(repeating: "9", count: 40))\n", line: 2),
    Case("two signs", good + "E: 1.000000 0003 0018 --5\n", line: 2),
    Case("a sign alone", good + "E: 1.000000 0003 0018 -\n", line: 2),
    Case("NUL in a field", good + "E: 1.000000 0003 0018 5\u{0}\n", line: 2),
    Case("a block of NULs", bytes: Array(good.utf8) + [UInt8](repeating: 0, count: 512), line: 2),
    Case("not UTF-8", bytes: Array(good.utf8) + [0xff, 0xfe, 0x80, 0x0a], line: 2),
    Case("digits of another script", good + "E: 1.000000 0003 0018 ٥\n", line: 2),
    Case("cut in the value", good + good + "E: 1.000000 0003 0018 5", line: 3),
    Case("cut in a comment", good + "E: 1.000000 0000 0000 0 # SY", line: 2),
    Case("cut in the code", good + "E: 1.000000 0003 00", line: 2),
    Case("cut after the letter", good + "E:", line: 2),
    Case("cut before a line feed", good + "E: 1.000000 0003 0018 5\r", line: 2),
    Case("cut range", head + "A: 18 0 25", line: 3),
    Case("cut resolution", head + "A: 18 0 255 0 0 1", line: 3),
    Case("cut name", "I: 0003 0001 0002 0003\nN: xy", line: 2),
    Case("cut identity", "N: x\nI: 0003 0001 0002 000", line: 2),
    Case("cut bits", head + "B: 01 00 00 00 00 00 00 00 0", line: 3),
    Case("empty line counted", "\n\n" + good + "\r\n#\nX\n", line: 6),
    Case("two names", head + "N: y\n", line: 3),
    Case("two identities", head + "I: 0003 0001 0002 0003\n", line: 3),
    Case("two ranges", head + "A: 18 0 255 0 0 0\nA: 18 0 255 0 0 0\n", line: 4),
    Case("no name", "I: 0003 0001 0002 0003\n" + good, line: 2),
    Case("no identity", "N: x\n" + good, line: 2),
    Case("no identity at the end", "N: x\n#\n", line: 2),
    Case("a NUL in the name", "N: a\u{0}b\n", line: 1),
    Case("identity of three", "N: x\nI: 0003 0001 0002\n", line: 2),
    Case("identity of five", "N: x\nI: 0003 0001 0002 0003 4\n", line: 2),
    Case("identity too large", "N: x\nI: 0003 10000 0002 0003\n", line: 2),
    Case("seven bytes", head + "B: 01 00 00 00 00 00 00 00\n", line: 3),
    Case("nine bytes", head + "B: 01 00 00 00 00 00 00 00 00 00\n", line: 3),
    Case("a byte of three digits", head + "B: 01 000 00 00 00 00 00 00 00\n", line: 3),
    Case("bits of no type", head + "B: 20 00 00 00 00 00 00 00 00\n", line: 3),
    Case("keys past the last", head + String(repeating: "B: 01 00 00 00 00 00 00 00 00\n", count: 13), line: 15),
    Case("axes past the last", head + String(repeating: "B: 03 00 00 00 00 00 00 00 00\n", count: 2), line: 4),
    Case("properties past all", head + String(repeating: "P: 00 00 00 00 00 00 00 00\n", count: 13), line: 15),
    Case("axis past the last", head + "A: 40 0 1 0 0\n", line: 3),
    Case("range upside down", head + "A: 18 5 4 0 0\n", line: 3),
    Case("range of three numbers", head + "A: 18 0 4 0\n", line: 3),
    Case("range of six numbers", head + "A: 18 0 4 0 0 0 0\n", line: 3),
    Case("range out of range", head + "A: 18 0 4294967296 0 0\n", line: 3),
    Case("light without a state", head + "L: 00\n", line: 3),
    Case("switch with a word", head + "S: 00 on\n", line: 3),
    Case("header after an event", head + good + "B: 01 00 00 00 00 00 00 00 00\n", line: 4),
    Case("a second recording", head + good + head + good, line: 4),
    Case("a line that never ends", bytes: Array(good.utf8) + [UInt8](repeating: 0x23, count: 100_000), line: 2),
  ])
  func refuses(_ bad: Case) {
    let error = #expect(throws: EvemuError.self) { try EvemuReader.recording(from: bad.bytes) }
    #expect(error?.line == bad.line, "\(error?.description ?? "none")")
    #expect((error?.description.utf8.count ?? 0) < 400)
  }

  @Test func saysWhatAndWhere() {
    let error = #expect(throws: EvemuError.self) { try EvemuSamples.read("E: 1.000000 0003 0018 5x\u{1}\n") }
    #expect(error?.description == #"line 1: found '5x\x01', expected a value, a decimal number of 32 bits"#)
  }

  @Test func asksForADescriptionWhereOneIsNeeded() throws {
    let events = Array(Self.good.utf8)
    #expect(try EvemuReader.recording(from: events).description == nil)
    #expect(throws: EvemuError.self) { try EvemuReader.recording(from: events, requiresDescription: true) }
    #expect(throws: EvemuError.self) { try EvemuReader.description(from: events) }
  }

  /// A line of 100 MB is refused long before it has been read, and nothing of it is kept.
  @Test func refusesAnEndlessLineWithoutKeepingIt() {
    var reader = EvemuReader()
    let chunk = [UInt8](repeating: UInt8(ascii: "E"), count: 1 << 14)
    var chunks = 0
    #expect(throws: EvemuError.self) {
      while chunks < 6400 {
        chunks += 1
        try reader.read(chunk.span) { _ in }
      }
    }
    #expect(chunks == EvemuReader.longestLine / chunk.count + 1)
  }
}
