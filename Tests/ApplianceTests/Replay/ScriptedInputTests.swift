import Testing
import Weighing

@testable import GoldenCases

/// The format of scripted cases.
@Suite struct ScriptedInputTests {
  /// The lines of events without the header and the comments.
  private func events(_ script: String) throws -> [String] {
    try String(decoding: ScriptedInput(script, file: "case.txt").evemu, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("E:") }.map { String($0.prefix { $0 != "\t" }.dropFirst(3)) }
  }

  @Test func samplesAreOnePeriodApart() throws {
    #expect(
      try events("input: ABS_MISC 0..100, every 20 ms\n\n0.20  load  10 20 20 30 lifted\n") == [
        "0.200000 0003 0028 0010", "0.200000 0000 0000 0000", "0.220000 0003 0028 0020", "0.220000 0000 0000 0000",
        "0.260000 0003 0028 0030", "0.260000 0000 0000 0000", "0.280000 0003 0028 0000", "0.280000 0000 0000 0000",
      ], "a repeated value is not sent")
  }

  @Test func contactsHaveSlots() throws {
    #expect(
      try events(
        """
        input: slots 0..100, every 10 ms

        0     load    50@0.5,0.5
        0.01  finger  20@1,0 @1,0.5   # in the second slot, moved 10 ms later
        0.03  load    lifted
        """) == [
          "0.000000 0003 0039 0000", "0.000000 0003 0035 1000", "0.000000 0003 0036 0650", "0.000000 0003 003a 0050",
          "0.000000 0001 014a 0001", "0.000000 0001 0145 0001", "0.000000 0000 0000 0000", "0.010000 0003 002f 0001",
          "0.010000 0003 0039 0001", "0.010000 0003 0035 2000", "0.010000 0003 003a 0020", "0.010000 0000 0000 0000",
          "0.020000 0003 0036 0650", "0.020000 0000 0000 0000", "0.030000 0003 002f 0000", "0.030000 0003 0039 -001",
          "0.030000 0000 0000 0000",
        ])
  }

  @Test func protocolARepeatsEveryContact() throws {
    let script = "input: listed 0..100, every 10 ms\n\n0  load  50@0,0\n0.03  load  lifted\n"
    let times = try events(script).filter { $0.contains(" 003a ") }.map { $0.prefix(8) }
    #expect(times == ["0.000000", "0.010000", "0.020000"])
  }

  @Test func keysAndLostEventsHaveFramesOfTheirOwn() throws {
    #expect(
      try events(
        """
        input: ABS_MISC 0..100, every 20 ms, KEY_ENTER

        1.5   KEY_ENTER down
        1.52  dropped
        1.52  load  7
        1.525 KEY_ENTER up
        """) == [
          "1.500000 0001 001c 0001", "1.500000 0000 0000 0000", "1.520000 0000 0003 0000", "1.520000 0000 0000 0000",
          "1.520000 0003 0028 0007", "1.520000 0000 0000 0000", "1.525000 0001 001c 0000", "1.525000 0000 0000 0000",
        ])
  }

  @Test func actionsCountFromTheFirstEvent() throws {
    let input = try ScriptedInput(
      "input: keyboard, KEY_A\n\n0.2 KEY_A down\n1.25 action tare\n", file: "case.txt")
    #expect(input.actions == [ScriptedInput.Action(name: "tare", time: 1_050_000)])
  }

  @Test func theRestOfTheFirstParagraphIsTheConfiguration() throws {
    let input = try ScriptedInput(
      "# A case.\nscale: {minimum_g: 5}\ninput: ABS_MISC 0..9, every 1 ms\npad:\n  axis: ABS_MISC\n\n0 load 1\n",
      file: "case.txt")
    #expect(
      input.configuration == "# A case.\nscale: {minimum_g: 5}\n\npad:\n  axis: ABS_MISC\n", "the same line numbers")
  }

  @Test func theDeviceIsDescribed() throws {
    let device = try ScriptedDevice(" slots 5..4200, 10 counts/g, every 8 ms, KEY_ENTER, name Load cell")
    #expect(device.period == 8000)
    #expect(device.description.name == "Load cell")
    #expect(device.description.axes[.multitouchPressure] == AxisRange(minimum: 5, maximum: 4200, resolution: 10))
    #expect(device.description.keys.count == 3)
  }

  private static let pad = "input: slots 0..100, every 20 ms\n\n"

  /// Lines after `pad`, whose first one is line 3.
  private static let lines: [(lines: String, error: String)] = [
    ("", "2: there is no input"),
    ("soon a 1@0,0", "3: soon is not a time: expected seconds with up to six decimals"),
    ("0.0000001 a 1@0,0", "3: 0.0000001 is not a time: expected seconds with up to six decimals"),
    ("0.2", "3: expected a contact, a key, dropped or an action after the time"),
    ("0.21 a 1@0,0", "3: the time is not a multiple of 20 ms"),
    ("0.2 a", "3: expected samples after a, for example 1000@0.5,0.5"),
    ("0.2 a 1@0,0 heavy", "3: heavy is not a sample: expected FORCE, FORCE@X,Y, @X,Y or lifted"),
    ("0.2 a 101@0,0", "3: 101 is outside 0..100"),
    ("0.2 a 1@0.5", "3: 1@0.5 has no position: expected two fractions from 0 to 1 after @"),
    ("0.2 a 1@0,1.1", "3: 1@0,1.1 has no position: expected two fractions from 0 to 1 after @"),
    ("0.2 a 1@0,0\n# more\n0.4 b 1", "5: b comes to the pad without a position, for example 1@0.5,0.5"),
    ("0.2 a @0,0", "3: a comes to the pad without a force"),
    ("0.2 a 1@0,0 lifted lifted", "3: a is lifted but is not on the pad"),
    ("0.2 a 1@0,0 2 3\n0.22 a 4", "4: a already changes at 0.22"),
    ("0.2 KEY_ENTER down", "3: the device has no key KEY_ENTER"),
    ("0.2 dropped twice", "3: expected nothing after dropped"),
    ("0.2 action", "3: expected the name of one action"),
  ]

  /// Whole scripts.
  private static let scripts: [(script: String, error: String)] = [
    ("# nothing\n\n", "1: there is no line input: before the first blank line"),
    ("input: slots\n\n", "1: expected the range of the force axis after slots, for example 0..3850"),
    ("input: slots 9..9\n\n", "1: expected the range of the force axis after slots, for example 0..3850"),
    (
      "input: ABS_NONE 0..9\n\n",
      "1: ABS_NONE is not a device: expected slots, listed, single, board, keyboard or the name of an axis"
    ),
    (
      "# x\ninput: keyboard, loud\n\n",
      "2: loud is not a property: expected every N ms, N counts/g, KEY_... or name TEXT"
    ),
    ("input: keyboard, KEY_A\n\n0 KEY_A hit", "3: expected down, repeat or up after KEY_A"),
    ("input: keyboard, KEY_A\n\n0 a 1", "3: a keyboard has no contacts: a"),
    ("input: ABS_MISC 0..9\n\n0 a 1", "3: contacts need a sample period, for example every 20 ms"),
    ("input: ABS_MISC 0..9, every 1 ms\n\n0 a 1@0,0", "3: this device reports no positions: 1@0,0"),
  ]

  @Test(arguments: scripts + lines.map { (script: pad + $0.lines, error: $0.error) })
  func anErrorNamesFileAndLine(script: String, expected: String) {
    let error = #expect(throws: ScriptError.self) { try ScriptedInput(script, file: "case.txt") }
    #expect(error?.description == "case.txt:\(expected)")
  }

  @Test func columnsShowWhatChanges() throws {
    let json = #"""
      {"t":1,"topic":"live","payload":{"a":"\",{:\\","b":[1,{"c":2}],"d":null}}
      {"t":2,"topic":"live","payload":{"a":"\",{:\\","b":[1,{"c":3}],"d":null}}
      {"t":2,"topic":"live","payload":{"a":"\",{:\\","b":[1,{"c":3}],"d":null}}
      {"t":3,"topic":"reading","payload":{"a":1}}
      {"t":3,"topic":"live","payload":{"a":1,"b":2}}
      {"t":4,"topic":"live","payload":{"a":{},"b":2}}

      """#
    let columns = try ReplayColumns.columns(json)
    let payloads = columns.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2)[2].drop { $0 == " " } }
    #expect(
      payloads == [
        #"{"a":"\",{:\\","b":[1,{"c":2}],"d":null}"#, #"~{"b":[1,{"c":3}]}"#, "~{}", #"{"a":1}"#, #"{"a":1,"b":2}"#,
        #"~{"a":{}}"#,
      ])
    #expect(try ReplayColumns.json(columns) == json)
  }

  @Test func columnsLoseNothing() throws {
    let json = """
      {"t":0,"topic":"availability","payload":"on  line"}
      {"t":0.454408,"topic":"weighing/last","payload":{"id":"a b","net_g":1}}

      """
    let columns = try ReplayColumns.columns(json)
    #expect(columns.hasPrefix("0         availability  \"on  line\"\n0.454408  weighing/last {"))
    #expect(try ReplayColumns.json(columns) == json)
    #expect(throws: ReplayColumns.LineError.self) { try ReplayColumns.json("0.1 live ~{}\n") }
    #expect(throws: ReplayColumns.LineError.self) { try ReplayColumns.json("0.1 live\n") }
    #expect(throws: ReplayColumns.LineError.self) { try ReplayColumns.columns(#"{"t":0,"topic":"live"}"#) }
  }
}
