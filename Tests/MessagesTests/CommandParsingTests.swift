import Messages
import Testing
import Weighing

/// What is taken as a command for an action, and what is said of the rest.
@Suite struct CommandParsingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var topic = "commit"
    var payload: String
    var outcome: Outcome
    var correlation: String?
    var testDescription: String { "\(topic.prefix(30)) \(payload.prefix(60))" }
  }

  /// What becomes of a command.
  enum Outcome: Sendable {
    case done(label: String? = nil, reference: WeighingReference = .last, source: ActionSource = .mqtt)
    case bad(String)
    case unknown
  }

  static let deep = String(repeating: "[", count: 10_000)
  static let long = String(repeating: "x", count: 257)
  static let id = Sample.record.id.description
  static let reference = WeighingReference.id(Sample.record.id)
  static let cases: [Case] = [
    Case(topic: "tare", payload: "", outcome: .done()),
    Case(topic: "clear_tare", payload: "{}", outcome: .done()),
    Case(topic: "zero", payload: " { } \n", outcome: .done()),
    Case(topic: "void", payload: "", outcome: .done()),
    Case(topic: "beans", payload: "", outcome: .done()),
    Case(topic: "Tare", payload: "", outcome: .done()),
    Case(topic: String(repeating: "a", count: 64), payload: "", outcome: .done()),
    Case(topic: "tare/now", payload: "", outcome: .unknown), Case(topic: "", payload: "", outcome: .unknown),
    Case(topic: "café", payload: #"{"correlation":"x"}"#, outcome: .unknown, correlation: "x"),
    Case(topic: "actions/0", payload: "{", outcome: .unknown),
    Case(payload: #"{"correlation":"a\u00e9\n\ud83d\ude00"}"#, outcome: .done(), correlation: "aé\n😀"),
    Case(payload: #"{"correlation":""}"#, outcome: .done(), correlation: ""),
    Case(payload: #"{"correlation":"\#(long.dropLast())"}"#, outcome: .done(), correlation: String(long.dropLast())),
    Case(payload: #"{"label":"beans"}"#, outcome: .done(label: "beans")),
    Case(
      topic: "tare", payload: #"{"source":"dashboard","label":"\u2615 é","correlation":"1"}"#,
      outcome: .done(label: "☕ é", source: .dashboard), correlation: "1"),
    Case(payload: #"{"source":"command_line"}"#, outcome: .done(source: .commandLine)),
    Case(topic: "void", payload: #"{"id":"\#(id)"}"#, outcome: .done(reference: reference)),
    Case(topic: "void", payload: #"{"id":"\#(id.uppercased())"}"#, outcome: .done(reference: reference)),
    Case(topic: "void", payload: #"{"id":null}"#, outcome: .done()),
    Case(topic: "void", payload: #"{"id":"7"}"#, outcome: .done(reference: .unknown)),
    Case(topic: "void", payload: #"{"id":""}"#, outcome: .done(reference: .unknown)),
    Case(topic: "void", payload: #"{"sequence":7}"#, outcome: .done(reference: .sequence(7))),
    Case(topic: "void", payload: #"{"sequence":7,"id":null}"#, outcome: .done(reference: .sequence(7))),
    Case(topic: "void", payload: #"{"sequence":null,"id":"\#(id)"}"#, outcome: .done(reference: reference)),
    Case(
      topic: "relabel", payload: #"{"label":"rye","sequence":7}"#,
      outcome: .done(label: "rye", reference: .sequence(7))),
    Case(topic: "beans", payload: #"{"sequence":7}"#, outcome: .done(reference: .sequence(7))),
    Case(topic: "relabel", payload: #"{"label":"rye"}"#, outcome: .done(label: "rye")),
    Case(
      topic: "relabel", payload: #"{"label":"rye","id":"\#(id)"}"#, outcome: .done(label: "rye", reference: reference)),
    Case(topic: "relabel", payload: #"{"label":null}"#, outcome: .done(label: "")),
    Case(topic: "relabel", payload: #"{"label":""}"#, outcome: .done(label: "")),
    Case(topic: "beans", payload: #"{"label":"","id":"\#(id)"}"#, outcome: .done(label: "", reference: reference)),
    Case(payload: #"{"source":"mqtt"}"#, outcome: .done()),
    Case(payload: #"{"label":"\#(long.dropLast())"}"#, outcome: .done(label: String(long.dropLast()))),
    Case(payload: "{" + String(repeating: " ", count: 16 * 1024 - 2) + "}", outcome: .done()),

    Case(topic: "relabel", payload: "", outcome: .bad("label: missing; use null to remove the label")),
    Case(topic: "relabel", payload: "{}", outcome: .bad("label: missing; use null to remove the label")),
    Case(topic: "relabel", payload: #"{"label":" "}"#, outcome: .bad("label: must not be empty")),
    Case(topic: "relabel", payload: #"{"label":7}"#, outcome: .bad("label: expected a string")),
    Case(topic: "void", payload: #"{"id":7}"#, outcome: .bad("id: expected a string")),
    Case(topic: "void", payload: #"{"id":"\#(long)"}"#, outcome: .bad("id: too long: 257 bytes, maximum 64")),
    Case(topic: "void", payload: #"{"sequence":0}"#, outcome: .bad("sequence: expected a positive integer")),
    Case(topic: "void", payload: #"{"sequence":1.5}"#, outcome: .bad("sequence: expected a positive integer")),
    Case(topic: "void", payload: #"{"sequence":"7"}"#, outcome: .bad("sequence: expected a positive integer")),
    Case(
      topic: "void", payload: #"{"sequence":7,"id":"\#(id)"}"#, outcome: .bad("sequence: not together with id")),
    Case(topic: "commit", payload: #"{"sequence":7}"#, outcome: .bad(#"unknown field "sequence""#)),
    Case(topic: "commit", payload: #"{"id":"\#(id)"}"#, outcome: .bad(#"unknown field "id""#)),
    Case(payload: " ", outcome: .bad("invalid JSON at byte 1")),
    Case(payload: "null", outcome: .bad("expected an object")),
    Case(payload: "[]", outcome: .bad("expected an object")),
    Case(payload: "{", outcome: .bad("invalid JSON at byte 1")),
    Case(payload: "{}{}", outcome: .bad("invalid JSON at byte 2")),
    Case(payload: "\u{feff}{}", outcome: .bad("invalid JSON at byte 0")),
    Case(payload: #"{"label":1e999}"#, outcome: .bad("invalid JSON at byte 14")),
    Case(payload: #"{"correlation":"\ud83d"}"#, outcome: .bad("invalid JSON at byte 22")),
    Case(payload: #"{"correlation":"\u+123"}"#, outcome: .bad("invalid JSON at byte 18")),
    Case(payload: "{\"correlation\":\"a\tb\"}", outcome: .bad("invalid JSON at byte 17")),
    Case(payload: deep, outcome: .bad("nested too deeply")),
    Case(payload: #"{"correlation":"a","correlation":"b"}"#, outcome: .bad(#"duplicate field "correlation""#)),
    Case(
      payload: "{" + String(repeating: " ", count: 16 * 1024 - 1) + "}",
      outcome: .bad("payload too large: maximum 16384 bytes")),
    Case(payload: #"{"grams":1}"#, outcome: .bad(#"unknown field "grams""#)),
    Case(payload: #"{"actions":[]}"#, outcome: .bad(#"unknown field "actions""#)),
    Case(payload: #"{"\#(long.dropLast())":1}"#, outcome: .bad("unknown field \"\(long.prefix(32))…\"")),
    Case(payload: #"{"\#(long)":1}"#, outcome: .bad("field name too long: maximum 256 bytes")),
    Case(payload: #"{"grams":1,"correlation":"a"}"#, outcome: .bad(#"unknown field "grams""#), correlation: "a"),
    Case(payload: #"{"correlation":1}"#, outcome: .bad("correlation: expected a string")),
    Case(payload: #"{"correlation":null}"#, outcome: .bad("correlation: expected a string")),
    Case(payload: #"{"correlation":"\#(long)"}"#, outcome: .bad("correlation: too long: 257 bytes, maximum 256")),
    Case(
      payload: #"{"source":"pad"}"#, outcome: .bad("source: expected mqtt, command_line or dashboard")),
    Case(payload: #"{"source":1}"#, outcome: .bad("source: expected mqtt, command_line or dashboard")),
    Case(
      payload: #"{"label":[],"correlation":"b"}"#, outcome: .bad("label: expected a string"), correlation: "b"),
    Case(payload: #"{"label":null}"#, outcome: .bad("label: expected a string")),
    Case(payload: #"{"label":""}"#, outcome: .bad("label: must not be empty")),
    Case(payload: #"{"label":" \u2003"}"#, outcome: .bad("label: must not be empty")),
    Case(payload: #"{"label":"\#(long)"}"#, outcome: .bad("label: too long: 257 bytes, maximum 256")),
    Case(payload: #"{"label":"a\u0000"}"#, outcome: .bad("label: must not contain control characters")),
    Case(payload: #"{"label":"a\nb"}"#, outcome: .bad("label: must not contain control characters")),
    Case(payload: #"{"label":"a\u0085b"}"#, outcome: .bad("label: must not contain control characters")),
    Case(payload: #"{"label":"\udc00"}"#, outcome: .bad("invalid JSON at byte 16")),
  ]

  @Test(arguments: cases) func aCommandIsReadOrRefused(_ expected: Case) throws {
    let payload = Array(expected.payload.utf8)
    let command = try #require(Sample.command(expected.topic, payload))
    switch expected.outcome {
    case .done(let label, let reference, let source):
      #expect(
        command.order == .success(.request(name: expected.topic, label: label, reference: reference, source: source)))
      #expect(command.detail == nil && command.source == source)
    case .bad(let detail):
      #expect(command.order == .failure(.badPayload))
      #expect(command.detail?.description == detail)
    case .unknown: #expect(command.order == .failure(.unknownAction))
    }
    #expect(command.caller.correlation == expected.correlation)
    #expect(command.name == expected.topic)
    let kept = try #require(Sample.command(expected.topic, payload, isRetained: true))
    #expect(kept.order == .failure(.retained))
    #expect(kept.caller.correlation == expected.correlation)
  }

  @Test func whatIsNotUTF8IsRefused() throws {
    for bytes: [UInt8] in [[0xff], Array(#"{"correlation":""#.utf8) + [0xc0, 0xaf] + Array(#""}"#.utf8)] {
      let command = try #require(Sample.command("tare", bytes))
      #expect(command.order == .failure(.badPayload))
      #expect(command.detail?.description == "invalid UTF-8")
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
    #expect(command.order == .success(.request(name: "commit", label: label, reference: .last, source: source)))
    #expect(command.caller.correlation == correlation)
  }

  @Test(arguments: [WeighingReference.last, reference, .sequence(7), .unknown])
  func theWeighingThatIsNamedIsRead(_ reference: WeighingReference) throws {
    let payload = Command.payload(correlation: nil, reference: reference, source: .mqtt)
    let command = try #require(Sample.command("void", payload))
    #expect(command.order == .success(.request(name: "void", label: nil, reference: reference, source: .mqtt)))
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
    let sent = composer.rejection(of: command, .busy, reading: nil, at: Sample.time)
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
    var reason: CommandError
    var detail: String
    var key: String
    var correlation: String
  }

  @Test(arguments: [
    Refused(
      testDescription: "a name that nothing can have", topic: #"we"igh"#, payload: #"{"correlation":"7"}"#,
      reason: .unknownAction,
      detail: "the name of an action consists of 1 to 64 letters, digits, underscores and hyphens",
      key: #""detail_key":"detail_action_name","detail_values":{"maximum":"64"}"#, correlation: #""7""#),
    Refused(
      testDescription: "a bad payload", topic: "commit", payload: #"{"correlation":"7","source":"dashboard","a\"":1}"#,
      reason: .badPayload, detail: #"unknown field \"a\"\""#,
      key: #""detail_key":"payload_unknown_field","detail_values":{"name":"\"a\"\""}"#, correlation: #""7""#),
    Refused(
      testDescription: "too many at once", topic: "commit", payload: #"{"source":"command_line"}"#, reason: .busy,
      detail: "500 messages are waiting to be sent; try again",
      key: #""detail_key":"detail_messages_waiting","detail_values":{"maximum":"500"}"#, correlation: "null"),
    Refused(
      testDescription: "retained", topic: "commit", payload: "{}", reason: .retained,
      detail: "retained commands are ignored", key: #""detail_key":"reason_retained","detail_values":{}"#,
      correlation: "null"),
  ])
  func aRefusalIsAnEventAndAnAnswer(_ refused: Refused) throws {
    var command = try #require(
      Sample.command(refused.topic, Array(refused.payload.utf8), isRetained: refused.reason == .retained))
    if refused.reason == .busy { command = command.rejected(by: .messagesWaiting(maximum: 500)) }
    var composer = Sample.composer()
    let sent = composer.rejection(of: command, refused.reason, reading: nil, at: Sample.time)
    let time = Sample.timeText
    let name = refused.topic.replacing("\"", with: "\\\"")
    let reason = refused.reason.rawValue
    #expect(
      sent.map(\.text) == [
        #"{"type":"rejected","time":"\#(time)","action":"\#(name)","reason":"\#(reason)","#
          + #""detail":"\#(refused.detail)",\#(refused.key),"tare_epoch":0}"#,
        #"{"action":"\#(name)","ok":false,"reason":"\#(reason)","correlation":\#(refused.correlation),"#
          + #""detail":"\#(refused.detail)",\#(refused.key),"source":"\#(command.source.rawValue)","#
          + #""time":"\#(time)","reading":null,"weighing":null}"#,
      ])
    #expect(sent.allSatisfy { $0.delivery == .assured })
  }
}
