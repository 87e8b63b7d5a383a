import Testing

@testable import Servers
@testable import Weighing

/// Every form of every command in the README of openscale, and what decaid and Decenza send.
struct SnapshotCommandTests {
  static let forms: [(SnapshotCommand?, [String])] = [
    (.tare(isAcknowledged: false), ["tare", "TARE", " tare\r\n"]),
    (
      .tare(isAcknowledged: true),
      [
        #"{"command": "tare"}"#, #"{"cmd":"tare"}"#, #"{ "tare": true }"#, "\n{\"tare\":\"on\"}\n",
        #"{"command":" Tare "}"#,
      ]
    ),
    (
      .timer(.start),
      [
        "timer start", "Timer  START", #"{ "command": "timer", "action": "start" }"#, #"{ "timer": "start" }"#,
        #"{"cmd":"timer","action":"start"}"#,
      ]
    ),
    (.timer(.stop), ["timer stop", #"{"command":"timer","action":"stop"}"#, #"{"timer":"stop"}"#]),
    (.timer(.reset), ["timer reset", "timer zero", #"{"command":"timer","action":"reset"}"#, #"{"timer":"zero"}"#]),
    (
      .events(true),
      [
        "events on", "events enable", "events enabled", #"{ "events": "on" }"#, #"{"events":true}"#,
        #"{"command":"events","action":"on"}"#,
      ]
    ),
    (.events(false), ["events off", "events disabled", #"{"events":false}"#, #"{"command":"events","action":"off"}"#]),
    (.rate(.two), ["rate 2k", "rate 2", "RATE  2HZ\n", #"{"rate_hz":2}"#, #"{"interval_ms":500}"#]),
    (.rate(.five), ["rate 5k", "rate 5.0", "interval 200", #"{"hz":5}"#, #"{"rate":"5k"}"#]),
    (
      .rate(.ten),
      [
        "rate 10k", "rate 10hz", #"{ "command": "rate", "value": "10k" }"#, #"{ "rate": "10k" }"#,
        #"{ "rate_hz": 10 }"#, #"{ "hz": 10 }"#, #"{ "interval_ms": 100 }"#, #"{"rate":"10"}"#,
        #"{"cmd":"rate","value":"10Hz"}"#, #"{"rate_hz":10,"command":"tare"}"#,
      ]
    ),
    (.rate(nil), ["rate", "get_rate"]),
    (
      .unknownRate,
      ["rate 3k", "rate fast", "rate nan", "interval 7", #"{"hz":1e300}"#, #"{"rate":""}"#, #"{"interval_ms":0}"#]
    ),
    (
      .status,
      [
        "status", "battery", "info", #"{"command":"status"}"#, #"{"cmd":"battery"}"#, #"{"command":"info"}"#,
        "display on", "display off", "low_power on", "low_power off", "soft_sleep on", "soft_sleep off",
        "soft_sleep wake", "sleep on", #"{ "display": "off" }"#, #"{"display":false}"#, #"{"low_power":true}"#,
        #"{"soft_sleep":"wake"}"#, #"{"command":"soft_sleep","action":"off"}"#,
      ]
    ),
    (
      .invalid,
      ["timer", "timer run", "events", "events maybe", "display dim", "low_power", "soft_sleep", #"{"timer":true}"#]
    ),
    (.powerOff, ["power off", #"{"command":"power","action":"off"}"#, #"{"power":"off"}"#]),
    (
      nil,
      [
        "", " ", "dance", "led 1 2 3", "tare now", "tare 1 2", "power", "power on", #"{"power":false}"#,
        #"{"power":true}"#, #"{"tare":false}"#, "{ not valid json", "{", "{}", "[]", "null", #"{"command":1}"#,
        #"{"command":"power"}"#, #"{"rate":10}"#, #"{"command":"rate"}"#, #"{"hz":2,"hz":5}"#, "interval",
        "{\"tare\":true}\u{0}", "status status", #""tare""#,
      ]
    ),
  ]

  @Test(arguments: forms.flatMap { command, texts in texts.map { ($0, command) } })
  func parses(_ text: String, _ command: SnapshotCommand?) { #expect(SnapshotCommand(text) == command) }
}
