import Testing
import Weighing

@testable import Messages

/// The commands of a calibration as a page or a program sends them.
@Suite struct CalibrationCommandTests {
  private func parse(_ text: String) -> Result<CalibrationCommand.Work, PayloadError> {
    do throws(PayloadError) {
      return .success(try CalibrationCommand(Array(text.utf8)).work)
    } catch {
      return .failure(error)
    }
  }

  @Test(
    arguments: [
      (#"{"do":"start"}"#, .start(.init())),
      (
        #"{"do":"start","masses_g":[50,100.5],"curve":"power","rest_s":1,"replace":true}"#,
        .start(.init(masses: [Grams(50), Grams(100.5)], shape: .power, rest: .seconds(1), replaces: true))
      ),
      (#"{"do":"status","session":"a"}"#, .status), (#"{"do":"measure","session":"a"}"#, .request(.measure)),
      (#"{"do":"repeat","session":"a"}"#, .request(.repeatStep)),
      (#"{"do":"select","session":"a","step":3}"#, .request(.select(3))),
      (#"{"do":"correct","session":"a","step":3,"mass_g":99}"#, .request(.correct(step: 3, mass: Grams(99)))),
      (#"{"do":"fit","session":"a"}"#, .request(.choose(nil))),
      (#"{"do":"fit","session":"a","curve":"linear"}"#, .request(.choose(.linear))),
      (
        #"{"do":"verify","session":"a","mass_g":100,"tolerance_g":0.5}"#,
        .request(.verify(Grams(100), tolerance: Grams(0.5)))
      ),
      (
        #"{"do":"self_test","session":"a","mass_g":200,"conditions":"21 C"}"#,
        .request(.selfTest(Grams(200), rounds: 5, creepTime: .seconds(60)), conditions: "21 C")
      ),
      (#"{"do":"apply","session":"a","accept_doubt":true}"#, .apply(acceptsDoubt: true)),
      (#"{"do":"close","session":"a"}"#, .close), (#"{"do":"take_over"}"#, .takeOver),
    ] as [(String, CalibrationCommand.Work)])
  func reads(_ text: String, _ work: CalibrationCommand.Work) { #expect(parse(text) == .success(work)) }

  @Test(
    arguments: [
      ("", "invalid JSON at byte 0"), ("[]", "expected an object"), ("{}", "do: missing"),
      (#"{"do":"burn"}"#, "do: expected start, status"), (#"{"do":"measure"}"#, "session: missing"),
      (#"{"do":"start","masses_g":5}"#, "masses_g: expected a list"),
      (#"{"do":"start","masses_g":[0]}"#, "masses_g: expected a mass"),
      (#"{"do":"start","masses_g":[-1]}"#, "masses_g: expected a mass"),
      (#"{"do":"start","masses_g":[1e300]}"#, "masses_g: expected a mass"),
      (#"{"do":"start","masses_g":["50"]}"#, "masses_g: expected a mass"),
      (#"{"do":"start","masses_g":[50,50]}"#, "masses_g: the same mass appears twice"),
      (#"{"do":"start","curve":"cubic"}"#, "curve: expected linear"),
      (#"{"do":"start","rest_s":0}"#, "rest_s: expected a number from 0.5 to 600"),
      (#"{"do":"start","replace":1}"#, "replace: expected true or false"),
      (#"{"do":"start","path":"/etc"}"#, "unknown field \"path\""),
      (#"{"do":"select","session":"a","step":1.5}"#, "step: expected an integer from 0 to 64"),
      (#"{"do":"select","session":"a","step":1e18}"#, "step: expected an integer"),
      (#"{"do":"select","session":"a"}"#, "step: expected an integer"),
      (#"{"do":"verify","session":"a"}"#, "mass_g: expected a mass"),
      (#"{"do":"self_test","session":"a","mass_g":1,"times":1000}"#, "times: expected an integer from 2 to 20"),
      (#"{"do":"self_test","session":"a","mass_g":1,"creep_s":1e9}"#, "creep_s: expected a number from 1 to 1800"),
      (#"{"do":"self_test","session":"a","mass_g":1,"conditions":"\u0007"}"#, "conditions: must not contain control"),
      (#"{"do":"status","session":"\#(String(repeating: "x", count: 65))"}"#, "session: too long"),
    ])
  func rejects(_ text: String, _ reason: String) {
    guard case .failure(let error) = parse(text) else {
      Issue.record("accepted \(text)")
      return
    }
    #expect(error.sentence.description.hasPrefix(reason), "\(error.sentence)")
  }

  @Test func rejectsTooManyMasses() {
    let masses = (1...33).map(String.init).joined(separator: ",")
    #expect(throws: PayloadError.self) {
      try CalibrationCommand(Array(#"{"do":"start","masses_g":[\#(masses)]}"#.utf8))
    }
  }

  /// A session without a pad, and one whose pad is gone, are valid JSON.
  @Test func writesValidJSON() throws {
    var session = CalibrationSession(
      masses: [Grams(50), Grams(100)], capacity: Grams(385), division: .gram, rest: .seconds(3),
      at: Instant(nanoseconds: 0))
    for expected in ["active", "ended"] {
      var json = JSONWriter()
      json.object { session.write(&$0, at: Instant(nanoseconds: 0)) }
      let value = try JSONValue(json.bytes, maximumBytes: 1 << 16)
      #expect(value["state"]?.text == expected)
      #expect(value["attended"]?.isTrue == (expected == "active"))
      #expect(value["instruction"]?.text == "Take everything off the pad.")
      guard case .array(let steps)? = value["steps"] else {
        Issue.record("no steps")
        return
      }
      #expect(steps.compactMap { $0["kind"]?.text } == ["empty", "mass", "mass", "empty_again", "mass_again"])
      session.finish(.padLost(.verbatim("\"pulled\"")))
    }
  }
}
