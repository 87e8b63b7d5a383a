import Messages
import Testing

@testable import Weighing

/// How the appliance is doing, byte by byte.
@Suite struct HealthPayloadTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var health: Health
    var rest: String
  }

  /// The fields of a text that is not translated.
  private static func said(_ name: String, _ text: String) -> String {
    #""\#(name)":"\#(text)","\#(name)_key":"verbatim","\#(name)_values":{"text":"\#(text)"}"#
  }

  private static var silentPad: Health {
    var health = Health(
      pad: .present(name: "Cell", path: "/dev/input/event3"), broker: .disconnected(.verbatim("refused")),
      calibration: "user",
      journal: .available(path: "memory"), configurationError: nil, version: "1.0")
    health.padWarning = .noSamples
    health.keyboard = .unavailable(.verbatim("no permission"))
    health.page = "http://scale:8385"
    health.display = DisplayUnit(.ounce, division: .gram)
    health.sampling = SamplingReport(
      sampling: PadSampling(period: .milliseconds(86), noise: Grams(0.03124), deliversEverySample: false),
      stableTime: .milliseconds(516))
    return health
  }

  @Test(arguments: [
    Case(
      testDescription: "all is well",
      health: Health(
        pad: .present(name: "Pad", path: "/dev/input/event3"),
        broker: .connected(address: "mqtt://a:1883", version: "5"), calibration: "user",
        journal: .available(path: "/var/lib/grampad.db"), configurationError: nil, version: "1.0"),
      rest: """
        "pad":{"state":"present","name":"Pad","path":"/dev/input/event3"},\
        "broker":{"state":"connected","address":"mqtt://a:1883","mqtt":"5"},"calibration":"user",\
        "journal":{"state":"available","path":"/var/lib/grampad.db"},\
        "outbox":{"waiting":0,"parked":0,"parked_reason":null},"dropped_messages":0,\
        "configuration":{"state":"in_force"},\
        "clock":"unsynchronised","version":"1.0"}
        """),
    Case(
      testDescription: "nothing is",
      health: Health(
        pad: .missing(.verbatim("gone")), broker: .disconnected(.verbatim("refused")), calibration: nil,
        journal: .unavailable(.verbatim("disk full")),
        outbox: Health.Outbox(waiting: 17, parked: 2, parkedReason: .verbatim("not authorised")),
        configurationError: .verbatim("line 3"),
        version: "1.0"),
      rest: """
        "pad":{"state":"missing",\(said("reason", "gone"))},"broker":{"state":"disconnected",\(said("reason", "refused"))},\
        "calibration":null,"journal":{"state":"unavailable",\(said("reason", "disk full"))},\
        "outbox":{"waiting":17,"parked":2,\(said("parked_reason", "not authorised"))},"dropped_messages":0,\
        "configuration":{"state":"refused",\(said("reason", "line 3"))},"clock":"unsynchronised","version":"1.0"}
        """),
    Case(
      testDescription: "a pad that is measured and has stopped", health: silentPad,
      rest: """
        "pad":{"state":"present","name":"Cell","path":"/dev/input/event3","warning":"no_samples",\
        "advice":"the pad delivers no samples; check its cable","advice_key":"advice_no_samples","advice_values":{},\
        "sample_rate_hz":11.6,"noise_g":0.0312,"stability_ms":516},\
        "broker":{"state":"disconnected",\(said("reason", "refused"))},"calibration":"user",\
        "journal":{"state":"available","path":"memory"},\
        "keyboard":{"state":"unavailable",\(said("reason", "no permission"))},"page":"http://scale:8385","display":{"unit":"oz","step":0.05},\
        "outbox":{"waiting":0,"parked":0,"parked_reason":null},"dropped_messages":0,\
        "configuration":{"state":"in_force"},\
        "clock":"unsynchronised","version":"1.0"}
        """),
  ])
  func healthSaysHowThingsAre(_ expected: Case) {
    var composer = Sample.composer()
    let message = composer.health(expected.health, at: Sample.time)
    #expect(message.text == #"{"time":"\#(Sample.timeText)","# + expected.rest)
  }
}
