import Testing
import Weighing

@testable import Messages

/// What is taken on `command/resend`, and what is answered.
@Suite struct ResendCommandTests {
  private func command(_ payload: String) throws -> Command {
    try #require(Sample.command(Command.resendName, Array(payload.utf8)))
  }

  @Test(arguments: [
    (#"{"from": 1, "to": 1}"#, 1...1), (#"{"from": 7, "to": 10006}"#, 7...10006),
    (#"{"to": 9007199254740992, "from": 9007199254740990, "correlation": "c"}"#, 9007199254740990...9007199254740992),
  ])
  func aRangeIsAccepted(_ payload: String, _ range: ClosedRange<Int>) throws {
    #expect(try command(payload).order == .success(.resend(range, source: .mqtt)))
  }

  @Test(arguments: [
    ("", "from: missing"), ("{}", "from: missing"), (#"{"from": 1}"#, "to: missing"),
    (#"{"from": 0, "to": 3}"#, "from: expected a positive integer"),
    (#"{"from": 1.5, "to": 3}"#, "from: expected a positive integer"),
    (#"{"from": "1", "to": 3}"#, "from: expected a positive integer"),
    (#"{"from": 1, "to": 1e300}"#, "to: expected a positive integer"),
    (#"{"from": 3, "to": 2}"#, "to: must not be less than from"),
    (#"{"from": 1, "to": 10001}"#, "to: too many records: 10001, maximum 10000"),
    (#"{"from": 1, "to": 2, "label": "a"}"#, #"unknown field "label""#), ("[1, 2]", "expected an object"),
  ])
  func anythingElseIsRejected(_ payload: String, _ detail: String) throws {
    let command = try command(payload)
    #expect(command.order == .failure(.badPayload))
    #expect(command.detail?.description == detail)
  }

  @Test func theAnswerNamesWhatIsMissing() throws {
    var composer = Sample.composer()
    var result = ResendResult(range: 1...200, source: .mqtt)
    result.sent = 100
    result.missing = [5...7, 12...12, 150...200]
    result.rejected = [20...20]
    result.last = 149
    let message = composer.answer(result, to: Caller(correlation: "c"))
    let json = try JSONValue(message.payload, maximumBytes: 4096)
    #expect(json["detail"]?.text == "not in the journal: 5-7, 12, 150-200; rejected by the broker: 20")
    #expect(json["action"]?.text == "resend" && json["ok"] == .boolean(true) && json["correlation"]?.text == "c")
    for (name, number) in [("from", 1.0), ("to", 200), ("sent", 100), ("last", 149)] {
      #expect(json[name] == .number(number))
    }
    let missing: [[Double]] = [[5, 7], [12, 12], [150, 200]]
    #expect(json["missing"] == .array(missing.map { .array($0.map { .number($0) }) }))
  }

  /// The text is bounded; the ranges are all there.
  @Test func everySecondRecordIsMissing() throws {
    var composer = Sample.composer()
    var result = ResendResult(range: 1...10_000, source: .mqtt)
    for number in stride(from: 1, through: 9_999, by: 2) { result.missing.append(number...number) }
    let message = composer.answer(result, to: Caller())
    #expect(message.payload.count < 100_000)
    let json = try JSONValue(message.payload, maximumBytes: 100_000)
    guard case .array(let missing)? = json["missing"] else { throw JSONError.malformed(at: 0) }
    #expect(missing.count == 5_000)
    #expect(json["detail"]?.text?.hasSuffix("197, 199, … (+4900)") == true)
  }

  @Test func theNameIsReserved() { #expect(!QuickAction.isType(Command.resendName)) }
}
