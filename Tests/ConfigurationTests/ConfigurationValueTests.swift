import Messages
import Testing
import Weighing

@testable import Configuration

/// Accepted values and their meaning.
@Suite struct ConfigurationValueTests {
  typealias Change = @Sendable (inout Configuration) -> Void

  private static func division(_ step: Double) -> Division { Division(Grams(step)) ?? .gram }

  static let accepted: [(yaml: String, change: Change)] = [
    (
      "device: {id: küche 2, name: \"5\"}",
      {
        $0.device.id = "küche 2"; $0.device.name = "5"
      }
    ),
    ("pad: {device: simulated}", { $0.pad.device = .simulated }),
    ("pad: {device: /dev/input/event3}", { $0.pad.device = .input(.path("/dev/input/event3")) }),
    (
      "pad: {device: {name: Touch Pad, vendor: 0x06cb, product: 52992}}",
      { $0.pad.device = .input(.match(name: "Touch Pad", vendor: 0x06cb, product: 52992)) }
    ),
    (
      "pad: {device: {vendor: 06cb, product: \"1234\"}}",
      { $0.pad.device = .input(.match(name: nil, vendor: 0x06cb, product: 0x1234)) }
    ),
    (
      "pad: {device: {vendor: 06e0, product: ce7f}}",
      { $0.pad.device = .input(.match(name: nil, vendor: 0x06e0, product: 0xce7f)) }
    ),
    (
      "pad: {device: {iio: hx711}}",
      {
        $0.pad.device = .converter("hx711"); $0.pad.surface = .platter
      }
    ),
    (
      "pad: {device: {iio: 1-002a}, surface: platter, channel: voltage0-voltage1, invert: true, rate_hz: 10, gain: 128}",
      {
        $0.pad.device = .converter("1-002a"); $0.pad.surface = .platter; $0.pad.loadCell.channel = "voltage0-voltage1"
        $0.pad.loadCell.isInverted = true; $0.pad.loadCell.rate = SampleRate(10); $0.pad.loadCell.gain = 128
      }
    ),
    (
      "scanners: [{device: /dev/input/event4}, {device: {vendor: 0x0c2e}, layout: de}]\nscan_hold_s: 5\nscan_commit: true",
      {
        $0.scanners = [
          ScannerBinding(device: .path("/dev/input/event4"), layout: "us"),
          ScannerBinding(device: .match(name: nil, vendor: 0x0c2e, product: nil), layout: "de"),
        ]
        ($0.scanning.hold, $0.scanning.commits) = (.seconds(5), true)
      }
    ),
    (
      "codes: {4006381333931: {label: beans, container: jug, target_g: 18}, \"0x1A: #\": {target_g: 2.5}, null: {label: a}}",
      {
        $0.scanning.codes = [
          ScannedCode("4006381333931").map {
            CodeMeaning(code: $0, label: "beans", container: ContainerName("jug"), target: Grams(18))
          }, ScannedCode("0x1A: #").map { CodeMeaning(code: $0, target: Grams(2.5)) },
          ScannedCode("null").map { CodeMeaning(code: $0, label: "a") },
        ].compactMap(\.self)
      }
    ),
    (
      "target: {stop_ahead: true, dead_time_ms: 0}\noutputs: [{name: grinder, topic: cmnd/grinder/POWER}, "
        + "{name: Valve_2, topic: /a//b, on: on, off: \"{}\", max_flow_g_s: 0.5}]",
      {
        ($0.target.stopsAhead, $0.target.deadTime) = (true, .zero)
        $0.outputs = [
          OutputName("grinder").map { OutputSwitch(output: Output(name: $0), topic: "cmnd/grinder/POWER") },
          OutputName("Valve_2").map {
            OutputSwitch(output: Output(name: $0, maximumFlow: 0.5), topic: "/a//b", on: "on", off: "{}")
          },
        ].compactMap(\.self)
      }
    ),
    (
      "outputs: [{name: a, topic: grampads/x}]",
      {
        $0.outputs = OutputName("a").map { [OutputSwitch(output: Output(name: $0), topic: "grampads/x")] } ?? []
      }
    ),
    ("codes:\nscanners:\noutputs:", { _ in }),
    ("pad: {axis: ABS_PRESSURE}", { $0.pad.axis = .named(.pressure) }),
    ("pad: {axis: [ABS_HAT0X, ABS_X]}", { $0.pad.axis = .sum([.hat0X, .x]) }),
    ("pad: {axis: [ABS_MT_PRESSURE]}", { $0.pad.axis = .named(.multitouchPressure) }),
    (
      "pad: {rotate: 270, surface: platter, grab: False}",
      {
        $0.pad.rotation = .threeQuarters; $0.pad.surface = .platter; $0.pad.grab = false
      }
    ),
    ("pad: {zones: {}}", { $0.pad.zones = [] }),
    (
      "pad: {zones: {void: {y: [0, 0.5]}, beans: {y: [0.5, 1]}}}\nactions: [{type: beans}]",
      {
        $0.pad.zones = [
          .init(.action("void"), .init(x: 0...1, y: 0...0.5)),
          .init(.action("beans"), .init(x: 0...1, y: 0.5...1)),
        ]
        $0.actions = [.init(type: "beans", title: "beans")]
      }
    ),
    (
      "pad: {zones: {history: {x: [0, 0.1]}}, controls: {lamp: {x: [0.9, 1], y: [0, 0.5]}, Fan-2: {x: [0.9, 1], y: [0.5, 1]}}}",
      {
        $0.pad.zones = [.init(.history, .init(x: 0...0.1, y: 0...1))]
        $0.pad.controls = [
          ControlName("lamp").map { .init(.control($0), .init(x: 0.9...1, y: 0...0.5)) },
          ControlName("Fan-2").map { .init(.control($0), .init(x: 0.9...1, y: 0.5...1)) },
        ].compactMap(\.self)
      }
    ),
    ("pad: {controls: {}}", { $0.pad.controls = [] }),
    ("timer: {auto: true, pause_s: 0}", { ($0.timer.timesPours, $0.timer.pause) = (true, .zero) }),
    ("history: {depth: 1}", { $0.history.depth = 1 }),
    ("history: {depth: 100}", { $0.history.depth = 100 }),
    (
      "scale: {capacity_g: 5.e2, division_g: .5}",
      {
        $0.scale.capacity = Grams(500); $0.scale.division = division(0.5)
      }
    ),
    (
      "scale: {capacity_g: 1000000, division_g: 1000, minimum_g: 0}",
      {
        $0.scale.capacity = Grams(1_000_000); $0.scale.division = division(1000); $0.scale.minimum = .zero
      }
    ),
    ("scale: {division_g: 0.002}", { $0.scale.division = division(0.002) }),
    (
      "scale: {tare_on_release: clear, zero_tracking: false, unit: lb}",
      {
        $0.scale.tareOnRelease = .clear; $0.scale.tracksZero = false; $0.scale.unit = .pound
      }
    ),
    (
      "calibration: {curve: linear, points: [{raw: 266, grams: 100}, {raw: 0, grams: 0}]}",
      {
        $0.calibration.curve = .linear
        $0.calibration.points = [.init(counts: 266, mass: Grams(100)), .init(counts: 0, mass: .zero)]
      }
    ),
    ("stability: {time_ms: 300.0}", { _ in }),
    (
      "confirm: {dwell_ms: 0, settle_ms: 0, threshold: 1, timeout_ms: 3000}",
      {
        $0.confirm.timeout = .seconds(3)
        $0.confirm.dwell = .zero; $0.confirm.settle = .zero; $0.confirm.threshold = 1
      }
    ),
    (
      "buttons: [{key: BTN_0, action: clear_tare}, {device: {name: gpio-keys}, key: BTN_0, action: tare}]",
      {
        $0.buttons = [
          .init(key: KeyCode(rawValue: 0x100), action: "clear_tare"),
          .init(
            device: .match(name: "gpio-keys", vendor: nil, product: nil), key: KeyCode(rawValue: 0x100),
            action: "tare"),
        ]
      }
    ),
    (
      "actions: [{type: beans, title: Beans, run: tare, user_info: {label: beans, n: 2.5, hot: true}}]",
      {
        $0.actions = [
          .init(
            type: "beans", title: "Beans", run: .tare,
            userInfo: [
              .init(name: "label", value: .text("beans")), .init(name: "n", value: .number(2.5)),
              .init(name: "hot", value: .flag(true)),
            ])
        ]
      }
    ),
    ("mqtt: {broker: \"mqtt://host\"}", { $0.mqtt.broker = .external([BrokerAddress(host: "host", port: 1883)]) }),
    (
      "mqtt: {broker: [\"mqtts://a.example.:9\", \"mqtt://[::1]:1884\"]}",
      {
        $0.mqtt.broker = .external([
          BrokerAddress(host: "a.example.", port: 9, isEncrypted: true), BrokerAddress(host: "::1", port: 1884),
        ])
      }
    ),
    (
      "mqtt: {version: 3.1.1, embedded_port: 0, prefix: a/b}",
      {
        $0.mqtt.version = .threeOneOne; $0.mqtt.embeddedPort = 0; $0.mqtt.prefix = "a/b"
      }
    ),
    ("mqtt: {version: \"5\"}", { _ in }),
    (
      "dashboard:\n  address: ::1\n  port: 0",
      {
        $0.dashboard.address = "::1"; $0.dashboard.port = 0
      }
    ),
    ("dashboard: {hosts: [scale.example.org, a-1]}", { $0.dashboard.hosts = ["scale.example.org", "a-1"] }),
    ("dashboard: {token_file: secret.txt}", { $0.dashboard.tokenFile = "secret.txt" }),
    ("publish: {live_max_hz: 0.1}", { $0.publish.liveMaximum = SampleRate(0.1) }),
  ]

  @Test(arguments: accepted.indices)
  func readsAndPrints(_ index: Int) throws {
    let (yaml, change) = Self.accepted[index]
    var expected = Configuration()
    change(&expected)
    let found = try Configuration.parse(yaml)
    #expect(found == expected, "\(yaml)")
    #expect(try Configuration.parse(found.resolvedYAML()) == found, "\(found.resolvedYAML())")
  }

  @Test(arguments: [
    ("host", "mqtt://host:1883"), ("192.168.1.5:1884", "mqtt://192.168.1.5:1884"), ("tcp://h", "mqtt://h:1883"),
    ("ssl://h", "mqtts://h:8883"), ("mqtt://u:hunter2@h", "mqtt://h:1883"), ("mqtt://h/", "mqtt://h:1883"),
    ("mqtt://h/a?b", "mqtt://h:1883"), ("mqtt://h:0", "mqtt://h:1883"), ("mqtts://h:70000", "mqtts://h:8883"),
    ("mqtt://h:", "mqtt://h:1883"), ("mqtt://", "mqtt://host:1883"), ("mqtt://[::g]", "mqtt://host:1883"),
    ("mqtt://::1", "mqtt://host:1883"), ("mqtt://1.2.3", "mqtt://host:1883"), ("mqtt://-a", "mqtt://host:1883"),
    ("ws://h:9001", "mqtt://h:9001"), ("mqtt://h:+1", "mqtt://h:1883"),
  ])
  func suggestsAValidBroker(_ url: String, _ meant: String) throws {
    let found = diagnostics("mqtt: {broker: \"\(url)\"}")
    #expect(found.map(\.suggestion) == [meant], "\(found)")
    #expect(!found.description.contains("hunter2"))
    if meant != "mqtt://host:1883" || url == "host" { #expect(try BrokerAddress(url: meant).description == meant) }
  }

  @Test(arguments: [
    ("capcity_g", "capacity_g", 1), ("id", "di", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("ABS_X", "abs_x", 0),
    ("capacity", "capacity_g", 2), ("ca", "abc", 3),
  ])
  func theEditDistanceCountsTypingErrors(_ a: String, _ b: String, _ distance: Int) {
    #expect(editDistance(a, b) == distance)
    #expect(editDistance(b, a) == distance)
  }
}
