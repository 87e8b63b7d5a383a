import Languages
import Messages
import Testing
import Weighing

/// What is taken on `command/actions`.
@Suite struct QuickActionListTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var payload: String
    /// The list, or what is wrong with the payload.
    var read: Result<[QuickAction]?, Fault>
    var source = ActionSource.mqtt
    var correlation: String?
    var testDescription: String { String(payload.prefix(80)) }
  }

  struct Fault: Error, Hashable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    var detail: String
    init(stringLiteral detail: String) { self.detail = detail }
  }

  private static func one(_ fields: String) -> String { #"{"actions":[{"type":"a",\#(fields)}]}"# }
  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }
  private static func parameters(_ count: Int) -> String {
    one(#""user_info":{"# + (0..<count).map { #""p\#($0)":\#($0)"# }.joined(separator: ",") + "}")
  }
  private static let words = "expected 1 to 64 letters, digits, _ or -, other than the name of a built-in command"
  private static let values = "expected a string, number or boolean"

  static let accepted: [Case] = [
    Case(payload: "", read: .success(nil)), Case(payload: "{}", read: .success(nil)),
    Case(
      payload: #"{"correlation":"1","source":"dashboard"}"#, read: .success(nil), source: .dashboard, correlation: "1"),
    Case(payload: #"{"actions":[]}"#, read: .success([])),
    Case(payload: #"{"actions":[{"type":"a"}]}"#, read: .success([QuickAction(type: "a", title: "a")])),
    Case(
      payload: one(#""title":"T","subtitle":null,"icon":null,"run":"void","user_info":{}"#),
      read: .success([QuickAction(type: "a", title: "T", run: .void)])),
    Case(
      payload: one(
        #""title":"É","subtitle":"s","icon":"mdi:x","user_info":{"z":-1.5e3,"label":"l","a":false,"t":"1"}"#),
      read: .success([
        QuickAction(
          type: "a", title: "É", subtitle: "s", icon: "mdi:x",
          userInfo: [
            .init(name: "z", value: .number(-1500)), .init(name: "label", value: .text("l")),
            .init(name: "a", value: .flag(false)), .init(name: "t", value: .text("1")),
          ])
      ])),
    Case(
      payload: #"{"actions":[{"type":"a"},{"type":"b"},{"type":"A"},{"type":"-_9"}]}"#,
      read: .success(["a", "b", "A", "-_9"].map { QuickAction(type: $0, title: $0) })),
    Case(
      payload: one(#""title":"\#(text(128))""#), read: .success([QuickAction(type: "a", title: text(128))])),
    Case(
      payload: parameters(16),
      read: .success([
        QuickAction(
          type: "a", title: "a", userInfo: (0..<16).map { .init(name: "p\($0)", value: .number(Double($0))) })
      ])),
  ]

  static let refused: [Case] = [
    Case(payload: #"{"actions":null}"#, read: .failure("actions: expected a list")),
    Case(payload: #"{"actions":{}}"#, read: .failure("actions: expected a list")),
    Case(
      payload: #"{"actions":[{"type":"a"},{"type":"b"},{"type":"c"},{"type":"d"},{"type":"e"}]}"#,
      read: .failure("actions: too many entries: 5, maximum 4")),
    Case(
      payload: #"{"actions":[{"type":"a"},{"type":"a"}]}"#,
      read: .failure("actions[1].type: a is already the type of another action")),
    Case(payload: #"{"actions":[null]}"#, read: .failure("actions[0]: expected an object")),
    Case(payload: #"{"actions":[{}]}"#, read: .failure("actions[0].type: missing")),
    Case(payload: #"{"actions":[{"type":1}]}"#, read: .failure("actions[0].type: \(words)")),
    Case(payload: #"{"actions":[{"type":"a"},{"type":"tare"}]}"#, read: .failure("actions[1].type: \(words)")),
    Case(payload: #"{"actions":[{"type":"actions"}]}"#, read: .failure("actions[0].type: \(words)")),
    Case(payload: #"{"actions":[{"type":"a/b"}]}"#, read: .failure("actions[0].type: \(words)")),
    Case(payload: #"{"actions":[{"type":"a\u0000"}]}"#, read: .failure("actions[0].type: \(words)")),
    Case(payload: #"{"actions":[{"type":"\ud800"}]}"#, read: .failure("invalid JSON at byte 27")),
    Case(payload: #"{"actions":[{"type":"\#(text(65))"}]}"#, read: .failure("actions[0].type: \(words)")),
    Case(payload: one(#""title":null"#), read: .failure("actions[0].title: expected a string")),
    Case(payload: one(#""title":"""#), read: .failure("actions[0].title: must not be empty")),
    Case(
      payload: one(#""title":"\#(text(129))""#), read: .failure("actions[0].title: too long: 129 bytes, maximum 128")),
    Case(payload: one(#""subtitle":7"#), read: .failure("actions[0].subtitle: expected a string")),
    Case(payload: one(#""icon":"a\u0007""#), read: .failure("actions[0].icon: must not contain control characters")),
    Case(
      payload: one(#""run":"brew""#),
      read: .failure("actions[0].run: expected \(Sentence.oneOf(Action.allCases.map(\.rawValue)))")),
    Case(payload: one(#""colour":1"#), read: .failure(#"actions[0]: unknown field "colour""#)),
    Case(payload: one(#""user_info":[]"#), read: .failure("actions[0].user_info: expected an object")),
    Case(payload: one(#""user_info":{"label":1}"#), read: .failure("actions[0].user_info.label: expected a string")),
    Case(payload: one(#""user_info":{"n":null}"#), read: .failure("actions[0].user_info.n: \(values)")),
    Case(payload: one(#""user_info":{"n":[1]}"#), read: .failure("actions[0].user_info.n: \(values)")),
    Case(payload: one(#""user_info":{"n":""}"#), read: .failure("actions[0].user_info.n: must not be empty")),
    Case(
      payload: one(#""user_info":{"n":"\#(text(257))"}"#),
      read: .failure("actions[0].user_info.n: too long: 257 bytes, maximum 256")),
    Case(
      payload: one(#""user_info":{"":1}"#),
      read: .failure("actions[0].user_info: the name of a parameter must have 1 to 64 bytes")),
    Case(
      payload: one(#""user_info":{"\#(text(65))":1}"#),
      read: .failure("actions[0].user_info: the name of a parameter must have 1 to 64 bytes")),
    Case(payload: parameters(17), read: .failure("actions[0].user_info: too many parameters: 17, maximum 16")),
    Case(
      payload: #"{"correlation":"1","actions":[],"label":"x"}"#, read: .failure(#"unknown field "label""#),
      correlation: "1"),
    Case(payload: #"{"actions":"# + text(1_000_000), read: .failure("payload too large: maximum 131072 bytes")),
  ]

  @Test(arguments: accepted + refused) func aListIsReadOrRefused(_ expected: Case) throws {
    let command = try #require(Sample.command("actions", Array(expected.payload.utf8)))
    switch expected.read {
    case .success(let list): #expect(command.order == .success(.replaceActions(list, source: expected.source)))
    case .failure(let error):
      #expect(command.order == .failure(.badPayload))
      #expect(command.detail?.description == error.detail)
    }
    #expect(command.caller.correlation == expected.correlation)
  }

  /// The longest list that a configuration may have is taken, with every character escaped.
  @Test func theLongestListIsTaken() throws {
    func long(_ count: Int) -> String { String(repeating: "\"", count: count) }
    let list = ["a", "b", "c", "d"].map { type in
      QuickAction(
        type: String(repeating: type, count: 64), title: long(128), subtitle: long(128), icon: long(128),
        run: .clearTare,
        userInfo: (10..<26).map {
          .init(name: String(repeating: "\u{1}", count: 62) + "\($0)", value: .text(long(256)))
        })
    }
    var composer = Sample.composer()
    let payload = composer.actions(list).payload
    #expect((60_000..<Command.maximumListBytes / 2).contains(payload.count))
    #expect(
      try #require(Sample.command("actions", payload)).order == .success(.replaceActions(list, source: .mqtt)))
  }
}
