import Messages
import Recordings
import Testing

@testable import Appliance

/// What the page may ask the machine for, and how root reads it.
@Suite struct MachineRequestTests {
  @Test(arguments: MachineRequest.Verb.allCases.filter { $0 != .set }) func readsVerbs(_ verb: MachineRequest.Verb)
    throws
  {
    let request = try MachineRequest(Array(#"{"do":"\#(verb.rawValue)"}"#.utf8))
    #expect(request.verb == verb && request.text(id: "7") == "id = 7\ndo = \(verb.rawValue)\n")
  }

  @Test(arguments: [
    ("", "expected a JSON object"), ("[]", "expected a JSON object"), ("{}", "do: expected"),
    (#"{"do":"format"}"#, "do: expected"), (#"{"do":7}"#, "do: expected"),
    (#"{"do":"scan","now":true}"#, "unknown field now"), (#"{"do":"scan","set":{"name":"a"}}"#, "unknown field set"),
    (#"{"do":"set"}"#, "set: expected an object"), (#"{"do":"set","set":{}}"#, "set: expected an object"),
    (#"{"do":"set","set":["name"]}"#, "set: expected an object"),
    (#"{"do":"set","set":{"id":"1"}}"#, "unknown field id"),
    (#"{"do":"set","set":{"do":"reset"}}"#, "unknown field do"), (#"{"do":"set","set":{"NAME":"a"}}"#, "unknown field"),
    (#"{"do":"set","set":{"name":7}}"#, "name: expected a string"),
    (#"{"do":"set","set":{"updates":true}}"#, "updates: expected a string"),
    (#"{"do":"set","set":{"name":"a","name":"b"}}"#, "expected a JSON object"),
    (#"{"do":"set","set":{"name":"\#(String(repeating: "x", count: 4066))"}}"#, "at most 4096 bytes"),
    (#"{"do":"set","set":{"name":"\#(String(repeating: "x", count: 9000))"}}"#, "at most 4096 bytes"),
  ])
  func refusesPayloads(_ payload: String, _ words: String) {
    do throws(MachineRequestError) {
      let request = try MachineRequest(Array(payload.utf8))
      Issue.record("\(request)")
    } catch {
      if case .payload(let detail) = error {
        #expect(detail.description.contains(words), "\(detail)")
      } else {
        Issue.record("\(error)")
      }
    }
  }

  @Test(arguments: ["\\n", "\\r", "\\u0000", "\\u001b", "\\u007f", "\\u0085", "\\u2028", "\\u2029", "\\t"])
  func refusesControlCharacters(_ escape: String) {
    let payload = #"{"do":"set","set":{"name":"a","wifi":"b\#(escape)do = reset"}}"#
    do throws(MachineRequestError) {
      let request = try MachineRequest(Array(payload.utf8))
      Issue.record("\(request)")
    } catch {
      if case .value(key: "wifi", _) = error { return }
      Issue.record("\(error)")
    }
  }

  /// Whatever the values are: either the request is refused, or root reads exactly the keys and values that were sent, a line each.
  @Test(arguments: 0..<200 as Range<UInt64>) func valuesStayInTheirLines(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let sent = MachineRequest.keys.filter { _ in Bool.random(using: &random) }.map { key in
      (key, Self.value(&random))
    }
    guard !sent.isEmpty else { return }
    let payload = JSONWriter.object { json in
      json.fields(("do", "set"))
      json.object("set") { json in for (key, value) in sent { json.field(key, value) } }
    }
    guard let request = try? MachineRequest(payload) else {
      let text = sent.map { "\($0) = \($1)" }.joined(separator: "\n")
      let isTooLong = text.utf8.count > 4000 || payload.count > 4096
      let isControlled = sent.contains { $1.unicodeScalars.contains(where: Self.endsLines) }
      #expect(isTooLong || isControlled, "refused for no reason: \(text)")
      return
    }
    // By everything that any reader of lines could take for their end.
    let lines = request.text(id: "12").unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: Self.endsLines)
    #expect(lines.map(String.init) == ["id = 12", "do = set"] + sent.map { "\($0) = \($1)" } + [""])
  }

  private static func endsLines(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// Mostly printable text; sometimes with what could end a line, or very long.
  private static func value(_ random: inout SplitMix64) -> String {
    let length = Int.random(in: 0...(Int.random(in: 0..<40, using: &random) == 0 ? 3000 : 20), using: &random)
    var scalars = String.UnicodeScalarView()
    for _ in 0..<length {
      let limit: UInt32 =
        switch random.next() % 8 {
        case 0: 0x2100
        case 1: 0x10ffff
        default: 0x7e
        }
      let least: UInt32 = random.next() % 40 == 0 ? 0 : 0x20
      if let scalar = Unicode.Scalar(UInt32.random(in: least...limit, using: &random)) { scalars.append(scalar) }
    }
    return String(scalars)
  }
}
