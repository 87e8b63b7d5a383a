import Foundation
import Messages
import Testing
import Weighing

/// Payloads by chance: whatever comes, it is refused with a reason or taken within the limits.
@Suite struct CommandFuzzTests {
  static let lists = QuickActionListTests.accepted + QuickActionListTests.refused
  static let seeds =
    lists.map { Array($0.payload.utf8.prefix(400)) }
    + CommandParsingTests.cases.map { Array($0.payload.utf8.prefix(400)) }
  /// What is put in: single bytes, and whole words that make sense in some places.
  static let words: [[UInt8]] =
    [
      #"{"#, "}", "[", "]", "\"", ":", ",", "\\", "0", "-", "e", ".", " ", "null", "true", "1e308", "1e999",
      "123456789012345678901234567890", #"\u0000"#, #"\ud83d"#, #"\ude00"#, #""label":"x""#, #""type":"b""#,
      #""run":"tare""#,
      #""user_info":{"#, "[[[[[[[[", #""correlation":"#, #","source":"dashboard""#, "\u{85}", "é", "\u{301}",
    ].map { Array($0.utf8) } + [[0x00], [0x80], [0xc3], [0xff], [0xed, 0xa0, 0x80]]

  private static func mutated(_ random: inout Xorshift) -> [UInt8] {
    var bytes = Int.random(in: 0..<8, using: &random) == 0 ? [] : seeds[Int.random(in: 0..<seeds.count, using: &random)]
    for _ in 0..<Int.random(in: 0...(bytes.isEmpty ? 24 : 4), using: &random) {
      let word = words[Int.random(in: 0..<words.count, using: &random)]
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = Int.random(in: place...min(place + 3, bytes.count), using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.replaceSubrange(place..<end, with: word)
      default: bytes.insert(contentsOf: word, at: place)
      }
    }
    return bytes
  }

  /// Checks what applies to every command and returns whether it was accepted.
  private static func check(_ command: Command, _ composer: inout MessageComposer) throws -> Bool {
    #expect((command.caller.correlation?.utf8.count ?? 0) <= Command.maximumCorrelationBytes)
    switch command.order {
    case .failure(let reason):
      let detail = try #require(command.detail)
      #expect(reason == .badPayload && (1...400).contains(detail.description.utf8.count))
      return false
    case .success(.request(let name, let label, let reference, _, let source)):
      if let label { #expect(label.utf8.count <= 256) }
      let again = Command.payload(
        correlation: command.caller.correlation, label: label, reference: reference, source: source)
      #expect(Sample.command(name, again) == command)
    case .success(.replaceActions(let list, _)):
      let list = list ?? []
      #expect(list.count <= QuickAction.maximumCount && list.allSatisfy { QuickAction.isType($0.type) })
      let back = Sample.command(Command.replaceActionsName, composer.actions(list).payload)
      #expect(back?.order == .success(.replaceActions(list, source: .mqtt)))
    case .success(.resend): Issue.record("no payload of another command is a range")
    }
    return true
  }

  /// 120,000 payloads for each seed, for actions and lists in turn.
  @Test(arguments: [88_172_645_463_325_252, 0x9e37_79b9_7f4a_7c15] as [UInt64]) func noPayloadTraps(_ seed: UInt64)
    throws
  {
    var random = Xorshift(seed: seed)
    var composer = Sample.composer()
    var accepted = [0, 0]
    for round in 0..<120_000 {
      let bytes = Self.mutated(&random)
      let command = try #require(Sample.command(round % 2 == 0 ? "commit" : Command.replaceActionsName, bytes))
      if try Self.check(command, &composer) { accepted[round % 2] += 1 }
    }
    for count in accepted { #expect((2500..<57_500).contains(count), "both ways were taken: \(accepted)") }
  }

  /// A list by chance, within the limits.
  private static func list(_ random: inout Xorshift) -> [QuickAction] {
    func text(_ most: Int) -> String {
      let scalars = Array("aZ0 \"\\/é☕😀\u{2028}\u{301}-_:{}[],<".unicodeScalars)
      var text = "x"
      for _ in 0..<Int.random(in: 0...most / 4 - 1, using: &random) {
        text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
      }
      return text
    }
    func value() -> QuickAction.Value {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .flag(Bool.random(using: &random))
      case 1: .number(Double(Int.random(in: -1000...1000, using: &random)))
      case 2:
        .number(Double(bitPattern: UInt64.random(in: 0..<0x7ff0_0000_0000_0000, using: &random)))
      default: .text(text(QuickAction.maximumValueBytes))
      }
    }
    return (0..<Int.random(in: 0...QuickAction.maximumCount, using: &random)).map { number in
      QuickAction(
        type: "type-\(number)", title: text(QuickAction.maximumTextBytes),
        subtitle: Bool.random(using: &random) ? text(QuickAction.maximumTextBytes) : nil,
        icon: Bool.random(using: &random) ? text(QuickAction.maximumTextBytes) : nil,
        // A container and a timer cannot do without parameters of their own.
        run: Action.allCases.filter { $0 != .container && $0 != .timer }.randomElement(using: &random) ?? .commit,
        userInfo: (0..<Int.random(in: 0...QuickAction.maximumParameters, using: &random)).map {
          QuickAction.Parameter(name: "\($0)" + text(60), value: value())
        })
    }
  }

  /// What is published on `actions` gives the same list when it is sent to `command/actions`, and is JSON to others.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func aPublishedListIsTakenBack(_ seed: UInt64) throws {
    var random = Xorshift(seed: seed &* 0x9e37_79b9_7f4a_7c15)
    var composer = Sample.composer()
    for _ in 0..<300 {
      let list = Self.list(&random)
      let message = composer.actions(list)
      let command = try #require(Sample.command(Command.replaceActionsName, message.payload))
      #expect(command.order == .success(.replaceActions(list, source: .mqtt)), "\(command.detail?.description ?? "")")
      #expect(try message.object().keys.elementsEqual(["actions"]))
    }
  }

  struct Large: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var payload: [UInt8]
  }

  @Test(arguments: [
    Large(testDescription: "blanks", payload: Array(repeating: 0x20, count: 1_000_000)),
    Large(testDescription: "opening brackets", payload: Array(repeating: 0x5b, count: 1_000_000)),
    Large(testDescription: "NUL", payload: Array(repeating: 0, count: 1_000_000)),
    Large(testDescription: "half a character", payload: Array(repeating: 0xc3, count: 1_000_000)),
    Large(
      testDescription: "a label",
      payload: Array((#"{"label":""# + String(repeating: "a", count: 1_000_000) + #""}"#).utf8)),
    Large(
      testDescription: "digits within the limit",
      payload: Array((#"{"label":"# + String(repeating: "9", count: 16_000) + "}").utf8)),
    Large(
      testDescription: "fields within the limit",
      payload: Array(("{" + (0..<1500).map { #""\#($0)":0"# }.joined(separator: ",") + "}").utf8)),
    Large(
      testDescription: "empty lists within the limit",
      payload: Array((#"{"actions":["# + String(repeating: "[],", count: 5000) + "[]]}").utf8)),
  ])
  func whatIsLargeIsRefusedAndForgotten(_ large: Large) throws {
    func resident() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .ascii)
      return try #require(Int(text.split(separator: " ")[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
    var before = 0
    for round in 0..<60 {
      for name in ["commit", Command.replaceActionsName] {
        let command = try #require(Sample.command(name, large.payload))
        #expect(command.order == .failure(.badPayload) && (command.detail?.description ?? "").utf8.count <= 400)
      }
      if round == 10 { before = try resident() }
    }
    // Other tests of this process run at the same time; keeping the payloads would cost 100 MB where they are 1 MB.
    #expect(try resident() - before < 48_000_000)
  }

  /// Text of many accents is slow to compare, 5 s for 64 KB; here nothing long is ever compared.
  @Test(arguments: ["commit", Command.replaceActionsName])
  func accentsTakeNoTime(_ name: String) throws {
    let accents = String(repeating: "\u{301}", count: 16_000) + String(repeating: "\u{316}", count: 16_000)
    let fewer = String(repeating: "\u{301}", count: 3500) + String(repeating: "\u{316}", count: 3500)
    let payloads = [
      #"{"K":0,"a":0}"#, #"{"correlation":"K"}"#, #"{"source":"mqttK"}"#, #"{"label":"K"}"#,
      #"{"actions":[{"type":"K"}]}"#, #"{"actions":[{"type":"a","run":"commitK"}]}"#,
      #"{"actions":[{"type":"a","title":"K"}]}"#, #"{"actions":[{"type":"a","user_info":{"K":1,"l":2}}]}"#,
    ]
    let taken = ContinuousClock().measure {
      for payload in payloads {
        for accents in [accents, fewer] {
          let command = Sample.command(name, Array(payload.replacing("K", with: accents).utf8))
          #expect(command?.order == .failure(.badPayload))
        }
      }
      #expect(Sample.command(name + accents, [])?.order == .failure(.unknownAction))
      #expect(Command(IncomingMessage(topic: accents, payload: [], isRetained: false), topics: Sample.topics) == nil)
    }
    #expect(taken < .seconds(30), "\(taken)")
  }
}
