import Messages
import Testing
import Weighing

/// What is taken as a command, and what is said of the rest.
@Suite struct CommandParsingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var topic = "tare"
    var payload: String
    var isRetained = false
    var verdict: Result<Action, Command.Refusal>
    var correlation: String?
    var testDescription: String { "\(topic) \(payload.prefix(60))" }
  }

  static let deep = String(repeating: "[", count: 100_000)
  static let cases: [Case] = [
    Case(payload: "", verdict: .success(.tare)),
    Case(topic: "clear_tare", payload: "{}", verdict: .success(.clearTare)),
    Case(topic: "zero", payload: " { } \n", verdict: .success(.zero)),
    Case(payload: #"{"correlation":"a\u00e9\n\ud83d\ude00"}"#, verdict: .success(.tare), correlation: "aé\n😀"),
    Case(payload: #"{"correlation":""}"#, verdict: .success(.tare), correlation: ""),
    Case(payload: "", isRetained: true, verdict: .failure(.retained)),
    Case(payload: #"{"correlation":"x"}"#, isRetained: true, verdict: .failure(.retained), correlation: "x"),
    Case(topic: "weigh", payload: "", verdict: .failure(.unknownAction)),
    Case(topic: "commit", payload: #"{"correlation":"x"}"#, verdict: .failure(.unknownAction), correlation: "x"),
    Case(topic: "tare/now", payload: "", verdict: .failure(.unknownAction)),
    Case(topic: "", payload: "", verdict: .failure(.unknownAction)),
    Case(topic: "Tare", payload: "", verdict: .failure(.unknownAction)),
    Case(payload: " ", verdict: .failure(.badPayload)), Case(payload: "null", verdict: .failure(.badPayload)),
    Case(payload: "[]", verdict: .failure(.badPayload)), Case(payload: "{", verdict: .failure(.badPayload)),
    Case(payload: "{}{}", verdict: .failure(.badPayload)), Case(payload: "{},", verdict: .failure(.badPayload)),
    Case(payload: #"{"correlation":"a","correlation":"b"}"#, verdict: .failure(.badPayload)),
    Case(payload: #"{"correlation":1}"#, verdict: .failure(.badPayload)),
    Case(payload: #"{"correlation":"a","grams":1}"#, verdict: .failure(.badPayload)),
    Case(payload: #"{"grams":1}"#, verdict: .failure(.badPayload)),
    Case(payload: #"{"correlation":"\ud83d"}"#, verdict: .failure(.badPayload)),
    Case(payload: #"{"correlation":"\u+123"}"#, verdict: .failure(.badPayload)),
    Case(payload: "{\"correlation\":\"a\tb\"}", verdict: .failure(.badPayload)),
    Case(payload: "\u{feff}{}", verdict: .failure(.badPayload)),
    Case(payload: deep, verdict: .failure(.badPayload)),
    Case(
      payload: #"{"correlation":"\#(String(repeating: "x", count: 256))"}"#, verdict: .success(.tare),
      correlation: String(repeating: "x", count: 256)),
    Case(payload: #"{"correlation":"\#(String(repeating: "x", count: 257))"}"#, verdict: .failure(.badPayload)),
    Case(payload: "{" + String(repeating: " ", count: 16 * 1024 - 1), verdict: .failure(.badPayload)),
    Case(payload: "{" + String(repeating: " ", count: 16 * 1024 - 2) + "}", verdict: .success(.tare)),
    Case(payload: "{" + String(repeating: " ", count: 16 * 1024 - 1) + "}", verdict: .failure(.badPayload)),
  ]

  @Test(arguments: cases) func aCommandIsReadOrRefused(_ expected: Case) throws {
    let command = try #require(Self.command(expected.topic, Array(expected.payload.utf8), expected.isRetained))
    #expect(command.verdict == expected.verdict)
    #expect(command.caller.correlation == expected.correlation)
    #expect(command.name == expected.topic)
  }

  @Test func whatIsNotUTF8IsRefused() throws {
    for bytes: [UInt8] in [[0xff], Array(#"{"correlation":""#.utf8) + [0xc0, 0xaf] + Array(#""}"#.utf8)] {
      #expect(try #require(Self.command("tare", bytes)).verdict == .failure(.badPayload))
    }
  }

  @Test func othersTopicsAreNoCommands() {
    let topics = Topics(prefix: "grampad", id: "kitchen")
    for topic in ["grampad/hall/command/tare", "grampad/kitchen/live", "grampad/kitchen/command", "command/tare"] {
      #expect(Command(IncomingMessage(topic: topic, payload: [], isRetained: false), topics: topics) == nil)
    }
  }

  @Test func aLongNameIsCut() throws {
    let command = try #require(Self.command(String(repeating: "é", count: 10_000), []))
    #expect(command.name.unicodeScalars.count == 64)
  }

  @Test(arguments: [
    ("home/answers", true), ("grampad/kitchen/result", true), ("grampad/kitchen/result/a", true), ("", false),
    ("a/+", false), ("a/#", false), ("$SYS/a", false), ("a\nb", false), ("grampad/kitchen/command/tare", false),
    ("grampad/kitchen/live", false), ("grampad/kitchen/results", false), (String(repeating: "a", count: 257), false),
  ])
  func anAnswerGoesWhereItMay(_ topic: String, _ isAllowed: Bool) throws {
    let message = IncomingMessage(
      topic: "grampad/kitchen/command/zero", payload: [], isRetained: false, responseTopic: topic, correlation: [1, 2])
    let command = try #require(Command(message, topics: Topics(prefix: "grampad", id: "kitchen")))
    #expect(command.caller.responseTopic == (isAllowed ? topic : nil))
    var composer = Sample.composer()
    let sent = composer.refusal(of: command, .busy, reading: nil, at: Sample.time)
    #expect(sent.map(\.topic) == ["grampad/kitchen/event", isAllowed ? topic : "grampad/kitchen/result"])
    #expect(sent.last?.correlation == [1, 2])
  }

  @Test func aRefusalIsAnEventAndAnAnswer() throws {
    let command = try #require(Self.command("we\"igh", Array(#"{"correlation":"7"}"#.utf8)))
    var composer = Sample.composer()
    let sent = composer.refusal(of: command, .unknownAction, reading: nil, at: Sample.time)
    let time = Sample.timeText
    #expect(
      sent.map(\.text) == [
        #"{"type":"rejected","time":"\#(time)","action":"we\"igh","reason":"unknown_action","tare_epoch":0}"#,
        #"{"action":"we\"igh","ok":false,"reason":"unknown_action","correlation":"7","source":"mqtt","#
          + #""time":"\#(time)","reading":null}"#,
      ])
    #expect(sent.allSatisfy { $0.delivery == .assured })
  }

  /// 100,000 payloads: mutations of what is in the table, and bytes at random.
  @Test func noPayloadTraps() throws {
    var random = Xorshift()
    let seeds = Self.cases.map { Array($0.payload.utf8.prefix(400)) }
    let alphabet = Array(#"{}[]":,\ud83dE0-+.9eE tfn"#.utf8) + [0x00, 0x80, 0xc3, 0xff]
    var accepted = 0
    for round in 0..<100_000 {
      var bytes = round % 4 == 0 ? [] : seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 0...(round % 4 == 0 ? 64 : 6), using: &random) {
        let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where place < bytes.count: bytes[place] = byte
        case 1 where place < bytes.count: bytes.remove(at: place)
        default: bytes.insert(byte, at: place)
        }
      }
      let command = try #require(Self.command("tare", bytes))
      if case .success = command.verdict { accepted += 1 }
    }
    #expect((1000..<90_000).contains(accepted), "both ways were taken: \(accepted) accepted")
  }

  private static func command(_ name: String, _ payload: [UInt8], _ isRetained: Bool = false) -> Command? {
    Command(
      IncomingMessage(topic: "grampad/kitchen/command/" + name, payload: payload, isRetained: isRetained),
      topics: Topics(prefix: "grampad", id: "kitchen"))
  }
}

/// The same numbers each time. Source: Marsaglia, "Xorshift RNGs", Journal of Statistical Software, 2003.
private struct Xorshift: RandomNumberGenerator {
  private var state: UInt64 = 88_172_645_463_325_252

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
