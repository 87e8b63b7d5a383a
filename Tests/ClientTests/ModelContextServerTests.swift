import Messages
import Synchronization
import Testing

@testable import Client

/// The protocol, without a scale: what the server answers to which lines.
@Suite struct ModelContextServerTests {
  /// A server with two tools, and what it has sent.
  private final class Served: Sendable {
    let sent = Mutex<[String]>([])

    /// Sends lines and waits for the answers to all of them.
    static func answers(to lines: [String]) -> [String] {
      let served = Served()
      let server = served.server
      for line in lines { server.receive(Array(line.utf8)) }
      server.finish()
      return served.sent.withLock { $0 }
    }

    var server: ModelContextServer {
      let echo = Tool(
        "echo", title: "Echo", description: "Returns the text.", effect: .none,
        arguments: [
          ToolField("text", .text(maximumLength: 8), "A text.", isRequired: true),
          ToolField("times", .integer(1...3), "How often."),
          ToolField("note", .bytes(maximum: 4), "A note."),
        ],
        result: [ToolField("text", .text(maximumLength: nil), "The text.", isRequired: true)]
      ) { arguments, _ in
        var json = JSONWriter()
        json.object { json in
          json.key("text")
          json.string(arguments.text("text") ?? "")
        }
        return .success(json.bytes)
      }
      let fail = Tool(
        "fail", title: "Fail", description: "Fails.", effect: .replacement(isIdempotent: false), arguments: [],
        result: []
      ) { _, _ in .failure("it failed") }
      return ModelContextServer(
        .init(name: "test", title: "Test", version: "1", instructions: "None."), tools: [echo, fail]
      ) { [self] bytes in sent.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    }
  }

  private static let initialize =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#

  /// The answers after `initialize`.
  private func answers(to lines: String...) -> [String] {
    Array(Served.answers(to: [Self.initialize] + lines).dropFirst())
  }

  @Test(arguments: [
    ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
    ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1999-01-01", "2025-11-25"), ("", "2025-11-25"),
  ])
  func negotiatesTheVersion(_ asked: String, _ used: String) throws {
    let line = Self.initialize.replacing("2025-11-25", with: asked)
    let answer = try #require(Served.answers(to: [line]).first)
    #expect(
      answer
        == #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"\#(used)","capabilities":{"tools":{}},"instructions":"None.","serverInfo":{"name":"test","title":"Test","version":"1"}}}"#
    )
  }

  @Test(arguments: [
    // Not JSON, or no message.
    ("{", #"null,"error":{"code":-32700"#),
    ("nothing", #"null,"error":{"code":-32700"#),
    ("\"text\"", #"null,"error":{"code":-32600"#),
    ("{}", #"null,"error":{"code":-32600"#),
    (#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, #"7,"error":{"code":-32600"#),
    (#"{"jsonrpc":"2.0","id":7}"#, #"7,"error":{"code":-32600"#),
    (#"{"jsonrpc":"2.0","id":7,"method":1}"#, #"7,"error":{"code":-32600"#),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, #"null,"error":{"code":-32600"#),
    (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, #"null,"error":{"code":-32600"#),
    (#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}"#, #"7,"error":{"code":-32602"#),
    (String(repeating: "[", count: 100), #"null,"error":{"code":-32700"#),
    // No batches in this version.
    ("[]", #"null,"error":{"code":-32600"#),
    // Requests.
    (#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#, #""a","result":{}}"#),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, #"1.5,"result":{}}"#),
    (#"{"jsonrpc":"2.0","id":2,"method":"ping","params":null}"#, #"2,"result":{}}"#),
    (#"{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":null}}"#, #"2,"result":{}}"#),
    (#"{"jsonrpc":"2.0","id":-3,"method":"ping"}"#, #"-3,"result":{}}"#),
    (#"{"jsonrpc":"2.0","id":20000000000000000,"method":"ping"}"#, #"20000000000000000,"result":{}}"#),
    // 2^53 + 1, and a number that fits no integer.
    (#"{"jsonrpc":"2.0","id": 9007199254740993 ,"method":"ping"}"#, #"9007199254740993,"result":{}}"#),
    (#"{"jsonrpc":"2.0","id":-123456789012345678901,"method":1}"#, #"-123456789012345678901,"error":{"code":-32600"#),
    (#"{"jsonrpc":"2.0","id":7,"method":"resources/list"}"#, #"7,"error":{"code":-32601"#),
    (#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"x"}}"#, #"7,"error":{"code":-32602"#),
    (#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#, #"7,"error":{"code":-32602"#),
    (#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"none"}}"#, #"7,"error":{"code":-32602"#),
    (Self.initialize, #"0,"error":{"code":-32600"#),
  ])
  func answers(_ line: String, _ beginning: String) {
    let answers = answers(to: line)
    #expect(answers.count == 1)
    #expect(answers.first?.hasPrefix(#"{"jsonrpc":"2.0","id":"# + beginning) == true, "\(answers)")
  }

  @Test func answersNoNotificationsAndNoAnswers() {
    #expect(
      answers(
        to: #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","method":"unknown"}"#,
        #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#
      ).isEmpty)
  }

  @Test func toolsNeedASession() {
    for method in ["tools/list", "tools/call"] {
      let answers = Served.answers(to: [#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#])
      #expect(answers == [#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"send initialize first"}}"#])
    }
  }

  @Test func listsTheTools() throws {
    let answer = try #require(answers(to: #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).first)
    #expect(
      answer.contains(
        #"{"name":"echo","title":"Echo","description":"Returns the text.","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"A text.","maxLength":8},"times":{"type":"integer","description":"How often.","minimum":1,"maximum":3},"note":{"type":"string","description":"A note. At most 4 bytes in UTF-8."}},"required":["text"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"text":{"type":"string","description":"The text."}},"required":["text"]},"annotations":{"title":"Echo","readOnlyHint":true,"openWorldHint":false}}"#
      ), "\(answer)")
    #expect(
      answer.contains(
        #""annotations":{"title":"Fail","readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false}"#
      ))
  }

  @Test(arguments: [
    (
      #"{"text":"abc"}"#,
      #"[{"type":"text","text":"{\"text\":\"abc\"}"}],"structuredContent":{"text":"abc"},"isError":false"#
    ),
    (#"{}"#, #"[{"type":"text","text":"text is missing"}],"isError":true"#),
    (#"{"text":1}"#, #"[{"type":"text","text":"text must be of type string"}],"isError":true"#),
    // Go, Java and C# write null for what they leave out.
    (#"{"text":null}"#, #"[{"type":"text","text":"text is missing"}],"isError":true"#),
    (#"null"#, #"[{"type":"text","text":"text is missing"}],"isError":true"#),
    (
      #"{"text":"abc","times":null,"note":null}"#,
      #"[{"type":"text","text":"{\"text\":\"abc\"}"}],"structuredContent":{"text":"abc"},"isError":false"#
    ),
    (#"{"text":"123456789"}"#, #"[{"type":"text","text":"text must be at most 8 characters long"}],"isError":true"#),
    (
      #"{"text":"äöüäöüäö"}"#,
      #"[{"type":"text","text":"{\"text\":\"äöüäöüäö\"}"}],"structuredContent":{"text":"äöüäöüäö"},"isError":false"#
    ),
    (#"{"text":"a","note":"äöü"}"#, #"[{"type":"text","text":"note must be at most 4 bytes long"}],"isError":true"#),
    (#"{"text":"a","times":1.5}"#, #"[{"type":"text","text":"times must be an integer"}],"isError":true"#),
    (#"{"text":"a","times":4}"#, #"[{"type":"text","text":"times must be from 1 to 3"}],"isError":true"#),
    (
      #"{"text":"a","other":1}"#,
      #"[{"type":"text","text":"unknown argument other; the arguments are text, times, note"}],"isError":true"#
    ),
    (#"[]"#, #"[{"type":"text","text":"arguments must be an object"}],"isError":true"#),
  ])
  func calls(_ arguments: String, _ outcome: String) {
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":\#(arguments)}}"#
    #expect(answers(to: line) == [#"{"jsonrpc":"2.0","id":1,"result":{"content":\#(outcome)}}"#])
  }

  @Test func tellsTheModelWhyACallFailed() {
    #expect(
      answers(to: #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail"}}"#)
        == [#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"it failed"}],"isError":true}}"#])
  }

  @Test func answersABatchTogether() throws {
    let first = Self.initialize.replacing("2025-11-25", with: "2025-03-26")
    let batch =
      #"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail"}},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"ping"},7]"#
    let answers = Served.answers(to: [first, batch])
    #expect(answers.count == 2)
    let answer = try #require(answers.last)
    guard case .array(let parts) = try JSONValue(Array(answer.utf8), maximumBytes: 1 << 16) else {
      Issue.record("\(answer)")
      return
    }
    #expect(Set(parts.map { $0["id"] }) == [.number(1), .number(2), .null])
  }

  // MARK: Version 2026-07-28

  private static let metadata =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  @Test func servesWithoutASession() throws {
    let discovered = try #require(
      Served.answers(to: [#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{\#(Self.metadata)}}"#]).first)
    #expect(
      discovered.contains(#""supportedVersions":["2024-11-05","2025-03-26","2025-06-18","2025-11-25","2026-07-28"]"#))
    #expect(discovered.contains(#""resultType":"complete""#))
    let called = Served.answers(to: [
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail",\#(Self.metadata)}}"#
    ])
    #expect(
      called.first?.contains(#""text":"it failed"}],"isError":true,"resultType":"complete""#) == true, "\(called)")
  }

  @Test(arguments: [
    (#"{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}"#, -32022),
    (#"{"io.modelcontextprotocol/protocolVersion":1}"#, -32602),
    (#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#, -32602),
  ])
  func refusesWrongMetadata(_ metadata: String, _ code: Int) {
    let answers = Served.answers(to: [
      #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":\#(metadata)}}"#
    ])
    #expect(answers.first?.contains(#""code":\#(code),"#) == true, "\(answers)")
  }
}
