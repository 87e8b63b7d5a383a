import Linux
import Messages
import Terminal
import Testing

@testable import Client
@testable import Weighing

/// What `watch` shows of target, flow, timer, pieces and containers, and the units of its masses.
@Suite struct WatchInstrumentTests {
  private static let now = Instant(nanoseconds: 1_000_000_000_000)

  private static func scale(
    _ more: String, flow: String = "0", printable: String = "12 g", display: DisplayUnit? = nil
  ) -> WatchedScale {
    let topics = Topics(prefix: "grampad", id: "kitchen")
    var scale = WatchedScale(topics: topics, heartbeat: .seconds(5), display: display)
    scale.setConnection(.up("mqtt://h:1883"), at: now)
    let reading = """
      {"printable":"\(printable)","state":"stable","gross_g":96,"tare_g":84,"net_g":12,"uncertainty_g":0.3,\
      "flow_g_s":\(flow)\(more)}
      """
    scale.update(
      with: IncomingMessage(topic: topics(.live), payload: Array(reading.utf8), isRetained: false), at: now)
    return scale
  }

  private static func picture(
    _ scale: WatchedScale, _ columns: Int = 80, _ rows: Int = 24, isUTF8: Bool = true
  ) -> [String] {
    WatchScreen.lines(
      scale, columns: columns, rows: rows, TerminalStyle(isUTF8: isUTF8, hasColour: true), at: now
    ).map { line in
      var line = line.replacing(/\x{1b}\[[0-9;]*m/, with: "")
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private static func target(_ remaining: String, _ check: String, tolerance: String = "0.5") -> String {
    #","target":{"target_g":18,"tolerance_g":\#(tolerance),"remaining_g":\#(remaining),"check":\#(check)}"#
  }

  struct Line: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fields: String
    var label: String
    /// The line at 80 columns without its label.
    var text: String
    /// The line at 36 columns.
    var narrow: String
  }

  static let lines = [
    Line(
      testDescription: "less than the target", fields: target("6", "\"under\""), label: "target",
      text: "█████████████░░░░░░░  under, 6 g to go   of 18 g ± 0.5 g", narrow: "under, 6 g to go   of 18 g ± 0.5 g"),
    Line(
      testDescription: "nothing yet", fields: target("18", "\"under\""), label: "target",
      text: "░░░░░░░░░░░░░░░░░░░░  under, 18 g to go   of 18 g ± 0.5 g", narrow: "under, 18 g to go   of 18 g ± 0.5 g"),
    Line(
      testDescription: "at the target", fields: target("0", "\"ok\""), label: "target",
      text: "████████████████████  OK   of 18 g ± 0.5 g", narrow: "OK   of 18 g ± 0.5 g"),
    Line(
      testDescription: "within the tolerance", fields: target("-1", "\"ok\"", tolerance: "2"), label: "target",
      text: "████████████████████  OK, 1 g more   of 18 g ± 2 g", narrow: "OK, 1 g more   of 18 g ± 2 g"),
    Line(
      testDescription: "more than the target", fields: target("-3", "\"over\""), label: "target",
      text: "████████████████████  OVER by 3 g   of 18 g ± 0.5 g", narrow: "OVER by 3 g   of 18 g ± 0.5 g"),
    Line(
      testDescription: "a dose", fields: target("6", "\"under\"").replacing("}", with: #","dose":"running"}"#),
      label: "dose",
      text: "█████████████░░░░░░░  under, 6 g to go   of 18 g ± 0.5 g", narrow: "under, 6 g to go   of 18 g ± 0.5 g"),
    Line(
      testDescription: "no net", fields: target("null", "null"), label: "target",
      text: "░░░░░░░░░░░░░░░░░░░░  no weight   of 18 g ± 0.5 g", narrow: "no weight   of 18 g ± 0.5 g"),
    Line(
      testDescription: "the timer", fields: #","timer_s":87.4"#, label: "timer", text: "1:27   0.0 g/s",
      narrow: "1:27   0.0 g/s"),
    Line(
      testDescription: "the timer of a brew", fields: #","timer_s":87.4,"pours":2"#, label: "timer",
      text: "1:27   pour 2   0.0 g/s", narrow: "1:27   pour 2   0.0 g/s"),
    Line(
      testDescription: "pieces", fields: #","piece_g":0.32,"pieces":42,"pieces_uncertainty":0.124,"pieces_max":60"#,
      label: "count", text: "42 pieces   ± 0.12   0.320 g each", narrow: "42 pieces   ± 0.12   0.320 g each"),
    Line(
      testDescription: "one piece", fields: #","piece_g":12,"pieces":1,"pieces_uncertainty":0.03,"pieces_max":60"#,
      label: "count", text: "1 piece   ± 0.030   12.0 g each", narrow: "1 piece   ± 0.030   12.0 g each"),
    Line(
      testDescription: "more pieces than can be told apart",
      fields: #","piece_g":0.32,"pieces":null,"pieces_uncertainty":0.4,"pieces_max":60"#, label: "count",
      text: "more than 60 pieces   0.320 g each", narrow: "more than 60 pieces   0.320 g each"),
    Line(
      testDescription: "pieces lighter than the noise",
      fields: #","piece_g":0.01,"pieces":0,"pieces_uncertainty":9,"pieces_max":0"#, label: "count",
      text: "pieces too light to count   0.0100 g each", narrow: "pieces too light to count   0.0100"),
    Line(
      testDescription: "no count yet", fields: #","piece_g":2,"pieces":null,"pieces_uncertainty":null,"pieces_max":60"#,
      label: "count", text: "pieces: no count   2.00 g each", narrow: "pieces: no count   2.00 g each"),
  ]

  @Test(arguments: lines) func aLineIsShownWhileItIsInUse(_ line: Line) {
    let scale = Self.scale(line.fields)
    let shown = Self.picture(scale).filter { $0.hasPrefix(" \(line.label) ") }.map { String($0.dropFirst(12)) }
    #expect(shown == (line.text.isEmpty ? [] : [line.text]))
    if !line.narrow.isEmpty {
      #expect(Self.picture(scale, 36, 20).contains(" " + line.narrow), "\(Self.picture(scale, 36, 20))")
    }
    #expect(Self.picture(scale, isUTF8: false).joined().utf8.allSatisfy { $0 < 0x80 })
  }

  /// Nothing flows into most loads: a flow of 0 would only distract.
  @Test(arguments: [("0", [String]()), ("1.84", [" flow       1.8 g/s"]), ("null", [])])
  func aFlowIsShownWhileSomethingFlows(_ flow: String, _ lines: [String]) {
    let scale = Self.scale("", flow: flow)
    #expect(Self.picture(scale).filter { $0.contains("g/s") } == lines)
  }

  /// The key that stops a dose is the first one while the output is on.
  @Test(arguments: [("running", true), ("settling", false), ("none", false)])
  func aDoseCanBeStopped(_ phase: String, _ hasKey: Bool) {
    let scale = Self.scale(Self.target("6", "\"under\"").replacing("}", with: #","dose":"\#(phase)"}"#))
    #expect(Self.picture(scale).last?.hasPrefix(" s stop  t tare") == hasKey)
  }

  /// Everything at once, on the screens of a terminal, a telephone and a small status display.
  @Test func everythingFits() {
    let all =
      Self.target("6", "\"under\"")
      + #","timer_s":12.3,"piece_g":0.32,"pieces":42,"pieces_uncertainty":0.1,"pieces_max":60,"container":"jug"#
    let scale = Self.scale(all + "\"")
    let essential = ["under, 6 g to go", "0:12", "42 pieces", "12 g"]
    for (columns, rows) in [(80, 24), (80, 14), (60, 16), (40, 16), (30, 10)] {
      let picture = Self.picture(scale, columns, rows)
      #expect(picture.count <= rows && picture.allSatisfy { TextColumns.width($0) <= columns })
      for text in essential where text != "12 g" || rows < 12 {
        #expect(
          picture.contains { $0.contains(text) }, "\(text) at \(columns)x\(rows):\n\(picture.joined(separator: "\n"))")
      }
    }
    let wide = Self.picture(scale)
    for text in ["tare  84 g", "gross 96 g", "in    jug", "± 0.30 g"] {
      #expect(wide.contains { $0.hasSuffix("  " + text) }, "\(text):\n\(wide.joined(separator: "\n"))")
    }
  }

  /// The scanned label is next to the number while it waits, without what a terminal would obey.
  @Test(arguments: [("beans", "next: beans"), ("a\\u001b[2Jb", "next: a")])
  func aScannedLabelWaits(_ label: String, _ text: String) {
    #expect(Self.picture(Self.scale(#","label":"\#(label)""#)).contains { $0.contains("  " + text) })
    #expect(!Self.picture(Self.scale("")).contains { $0.contains("next:") })
  }

  @Test func nothingIsShownOfAStaleReading() {
    let scale = Self.scale(Self.target("6", "\"under\"") + #","timer_s":12.3"#)
    let style = TerminalStyle(isUTF8: true, hasColour: false)
    let later = WatchScreen.lines(scale, columns: 80, rows: 24, style, at: Self.now + .seconds(12)).joined()
    #expect(!later.contains("to go") && !later.contains("0:12") && later.contains("STALE"))
  }

  /// Tare and gross have the step of the display, where the configuration tells it: one gram is 0.05 oz.
  @Test(arguments: [
    ("0.40 oz", MassUnit.ounce, "tare  2.95 oz", "gross 3.40 oz"), ("12 g", .gram, "tare  84 g", "gross 96 g"),
    ("12.0 g", .gram, "tare  84.0 g", "gross 96.0 g"), ("0.012 kg", .kilogram, "tare  0.084 kg", "gross 0.096 kg"),
    // Another unit than in the configuration: only the decimals are known.
    ("0.026 lb", .ounce, "tare  0.185 lb", "gross 0.212 lb"),
  ])
  func massesHaveTheStepOfTheDisplay(_ printable: String, _ configured: MassUnit, _ tare: String, _ gross: String) {
    let scale = Self.scale("", printable: printable, display: DisplayUnit(configured, division: .gram))
    let picture = Self.picture(scale)
    for text in [tare, gross] {
      #expect(picture.contains { $0.hasSuffix("  " + text) }, "\(text):\n\(picture.joined(separator: "\n"))")
    }
  }

  /// The appliance knows its display better than the configuration of another machine.
  @Test func healthTellsTheStep() {
    func show(_ health: String, on scale: inout WatchedScale) -> Bool {
      scale.update(
        with: IncomingMessage(topic: scale.topics(.health), payload: Array(health.utf8), isRetained: true), at: Self.now
      )
      return Self.picture(scale).contains { $0.hasSuffix("  tare  0.18 lb") }
    }
    var scale = Self.scale("", printable: "0.02 lb", display: DisplayUnit(.ounce, division: .gram))
    #expect(!show(#"{}"#, on: &scale), "0.19 with two decimals of any step")
    for wrong in [#"{"unit":"stone","step":0.001}"#, #"{"unit":"lb","step":0}"#, #"{"unit":"lb","step":1e300}"#, "1"] {
      #expect(!show(#"{"display":\#(wrong)}"#, on: &scale), "\(wrong)")
    }
    // Without a new reading.
    #expect(show(#"{"display":{"unit":"lb","step":0.02}}"#, on: &scale))
  }

  @Test(arguments: [
    (#"{"type":"tared","tare_g":84,"container":"jug"}"#, "tared 84 g, jug"),
    (#"{"type":"rejected","action":"tare","reason":"empty"}"#, "rejected, tare: nothing is on the pad"),
    (
      #"{"type":"rejected","action":"count","reason":"below_minimum","detail":"use at least 14 pieces"}"#,
      "rejected, count: use at least 14 pieces"
    ),
    (#"{"type":"target_reached","target_g":18,"check":"ok"}"#, "target reached: 18 g"),
    (#"{"type":"scanned","code":"4006381333931","label":"4006381333931"}"#, "scanned, 4006381333931"),
    (#"{"type":"scanned","code":"40","label":"beans","container":"jug","target_g":18}"#, "scanned: 18 g, beans: jug"),
    (#"{"type":"scanned","code":"41","container":"jug"}"#, "scanned, 41: jug"),
    (#"{"type":"timer_started","timer_s":0}"#, "timer started"),
    (#"{"type":"timer_stopped","timer_s":27.44}"#, "timer stopped at 27.4 s"),
    (#"{"type":"timer_stopped","timer_s":110,"pours":3,"amended":true}"#, "timer stopped at 110 s"),
  ])
  func eventsAreSentences(_ event: String, _ text: String) {
    var scale = Self.scale("")
    scale.update(
      with: IncomingMessage(topic: scale.topics(.event), payload: Array(event.utf8), isRetained: false), at: Self.now)
    #expect(scale.notice?.text == text)
  }

  private static func answer(_ action: String, _ reading: String) -> [UInt8] {
    Array(
      #"{"action":"\#(action)","ok":true,"reading":{"printable":"0.40 oz","tare_g":84\#(reading)},"weighing":null}"#
        .utf8)
  }

  @Test(arguments: [
    ("tare", #","container":"jug""#, "Tared at 2.95 oz (jug)."), ("tare", "", "Tared at 2.95 oz."),
    ("target", target("6", "\"under\""), "Target set to 0.6349 oz ± 0.0176 oz."), ("target", "", "Target ended."),
    ("count", #","piece_g":2.835,"pieces":4"#, "Counting pieces of 0.100 oz: 4 pieces."),
    ("count", #","piece_g":2.835,"pieces":null"#, "Counting pieces of 0.100 oz."), ("count", "", "Counting ended."),
    ("timer", #","timer_s":2.5"#, "Timer at 2.5 s."), ("timer", "", "Timer reset."),
    ("container", "", "Removed container jug."), ("dose", "", "Dose stopped."),
  ])
  func answersAreSentences(_ action: String, _ reading: String, _ sentence: String) {
    let parameters: [QuickAction.Parameter] = [
      .init(name: "name", value: .text("jug")), .init(name: "remove", value: .flag(true)),
    ]
    let display = DisplayUnit(.ounce, division: .gram)
    #expect(ResultSentence().done(Self.answer(action, reading), parameters: parameters, display: display) == sentence)
  }
}
