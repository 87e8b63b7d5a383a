import Messages
import Testing
import Weighing

/// What is taken as a command for an action, and what is said of the rest.
@Suite struct CommandParsingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var topic = "commit"
    var payload: String
    var verdict: Verdict
    var correlation: String?
    var testDescription: String { "\(topic.prefix(30)) \(payload.prefix(60))" }
  }

  /// What becomes of a command.
  enum Verdict: Sendable {
    case done(label: String? = nil, reference: WeighingReference = .last, source: ActionSource = .mqtt)
    case bad(String)
    case unknown
  }

  static let deep = String(repeating: "[", count: 10_000)
  static let long = String(repeating: "x", count: 257)
  static let id = Sample.record.id.description
  static let reference = WeighingReference.id(Sample.record.id)
  static let cases: [Case] = [
    Case(topic: "tare", payload: "", verdict: .done()),
    Case(topic: "clear_tare", payload: "{}", verdict: .done()),
    Case(topic: "zero", payload: " { } \n", verdict: .done()),
    Case(topic: "void", payload: "", verdict: .done()),
    Case(topic: "beans", payload: "", verdict: .done()),
    Case(topic: "Tare", payload: "", verdict: .done()),
    Case(topic: String(repeating: "a", count: 64), payload: "", verdict: .done()),
    Case(topic: "tare/now", payload: "", verdict: .unknown), Case(topic: "", payload: "", verdict: .unknown),
    Case(topic: "café", payload: #"{"correlation":"x"}"#, verdict: .unknown, correlation: "x"),
    Case(topic: "actions/0", payload: "{", verdict: .unknown),
    Case(payload: #"{"correlation":"a\u00e9\n\ud83d\ude00"}"#, verdict: .done(), correlation: "aé\n😀"),
    Case(payload: #"{"correlation":""}"#, verdict: .done(), correlation: ""),
    Case(payload: #"{"correlation":"\#(long.dropLast())"}"#, verdict: .done(), correlation: String(long.dropLast())),
    Case(payload: #"{"label":"beans"}"#, verdict: .done(label: "beans")),
    Case(
      topic: "tare", payload: #"{"source":"dashboard","label":"\u2615 é","correlation":"1"}"#,
      verdict: .done(label: "☕ é", source: .dashboard), correlation: "1"),
    Case(payload: #"{"source":"command_line"}"#, verdict: .done(source: .commandLine)),
    Case(topic: "void", payload: #"{"id":"\#(id)"}"#, verdict: .done(reference: reference)),
    Case(topic: "void", payload: #"{"id":"\#(id.uppercased())"}"#, verdict: .done(reference: reference)),
    Case(topic: "void", payload: #"{"id":null}"#, verdict: .done()),
    Case(topic: "void", payload: #"{"id":"7"}"#, verdict: .done(reference: .unknown)),
    Case(topic: "void", payload: #"{"id":""}"#, verdict: .done(reference: .unknown)),
    Case(topic: "relabel", payload: #"{"label":"rye"}"#, verdict: .done(label: "rye")),
    Case(
      topic: "relabel", payload: #"{"label":"rye","id":"\#(id)"}"#, verdict: .done(label: "rye", reference: reference)),
    Case(topic: "relabel", payload: #"{"label":null}"#, verdict: .done(label: "")),
    Case(topic: "relabel", payload: #"{"label":""}"#, verdict: .done(label: "")),
    Case(topic: "beans", payload: #"{"label":"","id":"\#(id)"}"#, verdict: .done(label: "", reference: reference)),
    Case(payload: #"{"source":"mqtt"}"#, verdict: .done()),
    Case(payload: #"{"label":"\#(long.dropLast())"}"#, verdict: .done(label: String(long.dropLast()))),
    Case(payload: "{" + String(repeating: " ", count: 16 * 1024 - 2) + "}", verdict: .done()),

    Case(topic: "relabel", payload: "", verdict: .bad("label: missing; null removes the label")),
    Case(topic: "relabel", payload: "{}", verdict: .bad("label: missing; null removes the label")),
    Case(topic: "relabel", payload: #"{"label":" "}"#, verdict: .bad("label: must not be empty")),
    Case(topic: "relabel", payload: #"{"label":7}"#, verdict: .bad("label: expected a text")),
    Case(topic: "void", payload: #"{"id":7}"#, verdict: .bad("id: expected a text")),
    Case(topic: "void", payload: #"{"id":"\#(long)"}"#, verdict: .bad("id: 257 bytes, at most 64")),
    Case(topic: "commit", payload: #"{"id":"\#(id)"}"#, verdict: .bad(#"unknown field "id""#)),
    Case(payload: " ", verdict: .bad("not JSON from byte 1 on")),
    Case(payload: "null", verdict: .bad("expected an object")),
    Case(payload: "[]", verdict: .bad("expected an object")),
    Case(payload: "{", verdict: .bad("not JSON from byte 1 on")),
    Case(payload: "{}{}", verdict: .bad("not JSON from byte 2 on")),
    Case(payload: "\u{feff}{}", verdict: .bad("not JSON from byte 0 on")),
    Case(payload: #"{"label":1e999}"#, verdict: .bad("not JSON from byte 14 on")),
    Case(payload: #"{"correlation":"\ud83d"}"#, verdict: .bad("not JSON from byte 22 on")),
    Case(payload: #"{"correlation":"\u+123"}"#, verdict: .bad("not JSON from byte 18 on")),
    Case(payload: "{\"correlation\":\"a\tb\"}", verdict: .bad("not JSON from byte 17 on")),
    Case(payload: deep, verdict: .bad("nested too deeply")),
    Case(payload: #"{"correlation":"a","correlation":"b"}"#, verdict: .bad(#"field "correlation" twice"#)),
    Case(payload: "{" + String(repeating: " ", count: 16 * 1024 - 1) + "}", verdict: .bad("more than 16384 bytes")),
    Case(payload: #"{"grams":1}"#, verdict: .bad(#"unknown field "grams""#)),
    Case(payload: #"{"actions":[]}"#, verdict: .bad(#"unknown field "actions""#)),
    Case(payload: #"{"\#(long.dropLast())":1}"#, verdict: .bad("unknown field \"\(long.prefix(32))…\"")),
    Case(payload: #"{"\#(long)":1}"#, verdict: .bad("a field whose name is longer than 256 bytes")),
    Case(payload: #"{"grams":1,"correlation":"a"}"#, verdict: .bad(#"unknown field "grams""#), correlation: "a"),
    Case(payload: #"{"correlation":1}"#, verdict: .bad("correlation: expected a text")),
    Case(payload: #"{"correlation":null}"#, verdict: .bad("correlation: expected a text")),
    Case(payload: #"{"correlation":"\#(long)"}"#, verdict: .bad("correlation: 257 bytes, at most 256")),
    Case(
      payload: #"{"source":"pad"}"#, verdict: .bad("source: expected one of mqtt, command_line, dashboard")),
    Case(payload: #"{"source":1}"#, verdict: .bad("source: expected one of mqtt, command_line, dashboard")),
    Case(
      payload: #"{"label":[],"correlation":"b"}"#, verdict: .bad("label: expected a text"), correlation: "b"),
    Case(payload: #"{"label":null}"#, verdict: .bad("label: expected a text")),
    Case(payload: #"{"label":""}"#, verdict: .bad("label: must not be empty")),
    Case(payload: #"{"label":" \u2003"}"#, verdict: .bad("label: must not be empty")),
    Case(payload: #"{"label":"\#(long)"}"#, verdict: .bad("label: 257 bytes, at most 256")),
    Case(payload: #"{"label":"a\u0000"}"#, verdict: .bad("label: must not have control characters")),
    Case(payload: #"{"label":"a\nb"}"#, verdict: .bad("label: must not have control characters")),
    Case(payload: #"{"label":"a\u0085b"}"#, verdict: .bad("label: must not have control characters")),
    Case(payload: #"{"label":"\udc00"}"#, verdict: .bad("not JSON from byte 16 on")),
  ]

  @Test(arguments: cases) func aCommandIsReadOrRefused(_ expected: Case) throws {
    let payload = Array(expected.payload.utf8)
    let command = try #require(Sample.command(expected.topic, payload))
    switch expected.verdict {
    case .done(let label, let reference, let source):
      #expect(
        command.verdict == .success(.request(name: expected.topic, label: label, reference: reference, source: source)))
      #expect(command.detail == nil && command.source == source)
    case .bad(let detail):
      #expect(command.verdict == .failure(.badPayload))
      #expect(command.detail == detail)
    case .unknown: #expect(command.verdict == .failure(.unknownAction))
    }
    #expect(command.caller.correlation == expected.correlation)
    #expect(command.name == expected.topic)
    let kept = try #require(Sample.command(expected.topic, payload, isRetained: true))
    #expect(kept.verdict == .failure(.retained))
    #expect(kept.caller.correlation == expected.correlation)
  }

  @Test func whatIsNotUTF8IsRefused() throws {
    for bytes: [UInt8] in [[0xff], Array(#"{"correlation":""#.utf8) + [0xc0, 0xaf] + Array(#""}"#.utf8)] {
      let command = try #require(Sample.command("tare", bytes))
      #expect(command.verdict == .failure(.badPayload))
      #expect(command.detail == "not UTF-8")
    }
  }

  /// What the commands at a terminal write is what an appliance reads.
  @Test(
    arguments: [
      (nil, nil, .commandLine), ("a\"\u{1}é", nil, .dashboard), (nil, "beans", .mqtt), ("", "\\\"☕", .commandLine),
    ] as [(String?, String?, ActionSource)])
  func whatIsWrittenIsRead(_ correlation: String?, _ label: String?, _ source: ActionSource) throws {
    let payload = Command.payload(correlation: correlation, label: label, source: source)
    let command = try #require(Sample.command("commit", payload))
    #expect(command.verdict == .success(.request(name: "commit", label: label, reference: .last, source: source)))
    #expect(command.caller.correlation == correlation)
  }

  @Test(arguments: [nil, Interval.zero, .seconds(4_294_967_295)])
  func theExpiryIsTakenOver(_ expiry: Interval?) throws {
    let message = IncomingMessage(
      topic: "grampad/kitchen/command/commit", payload: [], isRetained: false, expiry: expiry)
    #expect(try #require(Command(message, topics: Sample.topics)).expiry == expiry)
  }

  @Test func othersTopicsAreNoCommands() {
    for topic in ["grampad/hall/command/tare", "grampad/kitchen/live", "grampad/kitchen/command", "command/tare"] {
      #expect(Command(IncomingMessage(topic: topic, payload: [], isRetained: false), topics: Sample.topics) == nil)
    }
  }

  @Test func aLongNameIsCut() throws {
    let command = try #require(Sample.command(String(repeating: "é", count: 10_000), []))
    #expect(command.name.unicodeScalars.count == 64)
  }

  @Test(arguments: [
    ("grampad/kitchen/result/a", true), ("grampad/kitchen/result/a/b", true), ("grampad/kitchen/result/é", true),
    ("grampad/kitchen/result/" + String(repeating: "a", count: 233), true),
    ("grampad/kitchen/result/" + String(repeating: "a", count: 234), false),
    ("grampad/kitchen/result", false), ("grampad/kitchen/result/", false), ("grampad/kitchen/results/a", false),
    ("grampad/kitchen/result/+", false), ("grampad/kitchen/result/#", false), ("grampad/kitchen/result/a\nb", false),
    ("grampad/kitchen/command/tare", false), ("grampad/kitchen/weighing/last", false),
    ("grampad/kitchen/actions", false), ("grampad/kitchen/live", false), ("grampad/hall/result/a", false),
    ("homeassistant/device/kitchen/config", false), ("home/answers", false), ("$SYS/a", false), ("", false),
  ])
  func answersStayBelowResult(_ topic: String, _ isAllowed: Bool) throws {
    let message = IncomingMessage(
      topic: "grampad/kitchen/command/zero", payload: [], isRetained: false, responseTopic: topic, correlation: [1, 2])
    let command = try #require(Command(message, topics: Sample.topics))
    #expect(command.caller.responseTopic == (isAllowed ? topic : nil))
    var composer = Sample.composer()
    let sent = composer.refusal(of: command, .busy, reading: nil, at: Sample.time)
    #expect(sent.map(\.topic) == ["grampad/kitchen/event", isAllowed ? topic : "grampad/kitchen/result"])
    #expect(sent.last?.correlation == [1, 2])
  }

  /// A broker compares topics byte by byte; Swift's strings are equal if they are canonically equivalent.
  @Test func aCanonicallyEquivalentResponseTopicIsAnotherTopic() throws {
    let topics = Topics(prefix: "caf\u{E9}", id: "kitchen")
    let message = IncomingMessage(
      topic: topics.command(.zero), payload: [], isRetained: false, responseTopic: "cafe\u{301}/kitchen/result/a")
    #expect(try #require(Command(message, topics: topics)).caller.responseTopic == nil)
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var topic: String
    var payload: String
    var reason: Command.Refusal
    var rest: String
  }

  @Test(arguments: [
    Refused(
      testDescription: "a name that nothing can have", topic: #"we"igh"#, payload: #"{"correlation":"7"}"#,
      reason: .unknownAction, rest: #""correlation":"7","detail":null,"source":"mqtt""#),
    Refused(
      testDescription: "a bad payload", topic: "commit", payload: #"{"correlation":"7","source":"dashboard","a\"":1}"#,
      reason: .badPayload,
      rest: #""correlation":"7","detail":"unknown field \"a\"\"","source":"dashboard""#),
    Refused(
      testDescription: "too many at once", topic: "commit", payload: #"{"source":"command_line"}"#, reason: .busy,
      rest: #""correlation":null,"detail":null,"source":"command_line""#),
  ])
  func aRefusalIsAnEventAndAnAnswer(_ refused: Refused) throws {
    let command = try #require(Sample.command(refused.topic, Array(refused.payload.utf8)))
    var composer = Sample.composer()
    let sent = composer.refusal(of: command, refused.reason, reading: nil, at: Sample.time)
    let time = Sample.timeText
    let name = refused.topic.replacing("\"", with: "\\\"")
    let reason = refused.reason.rawValue
    #expect(
      sent.map(\.text) == [
        #"{"type":"rejected","time":"\#(time)","action":"\#(name)","reason":"\#(reason)","tare_epoch":0}"#,
        #"{"action":"\#(name)","ok":false,"reason":"\#(reason)",\#(refused.rest),"#
          + #""time":"\#(time)","reading":null,"weighing":null}"#,
      ])
    #expect(sent.allSatisfy { $0.delivery == .assured })
  }
}
