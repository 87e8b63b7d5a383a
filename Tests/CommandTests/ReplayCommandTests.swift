import Foundation
import Testing

/// `replay` as a user runs it.
@Suite struct ReplayCommandTests {
  @Test func printsJSONLines() async throws {
    let folder = try TemporaryFolder()
    let ended = try await Program.run(["replay", folder.write("press.evemu", Recorded.oneLoad)])
    #expect(ended.code == 0)
    #expect(ended.complaints.isEmpty)
    let lines = ended.output.split(separator: "\n")
    var times: [Double] = []
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(Set(object.keys) == ["t", "topic", "payload"])
      times.append(try #require((object["t"] as? NSNumber)?.doubleValue))
    }
    #expect(times == times.sorted())
    #expect(lines.first == #"{"t":0,"topic":"availability","payload":"online"}"#)
    #expect(lines.last == #"{"t":1,"topic":"availability","payload":"offline"}"#)
    #expect(lines.contains { $0.contains(#""topic":"display","payload":"100 g""#) })
  }

  @Test func takesTheDeviceFromElsewhere() async throws {
    let folder = try TemporaryFolder()
    let whole = try folder.write("press.evemu", Recorded.oneLoad)
    let events = try folder.write("events.txt", Recorded.events)
    let device = try folder.write("pad.desc", Recorded.device)
    let expected = try await Program.run(["replay", whole])
    let separate = try await Program.run(["replay", events, "--device-description", device])
    let input = try await Program.run(["replay", "-"], input: whole)
    #expect(separate.code == 0 && input.code == 0)
    #expect(separate.output == expected.output)
    #expect(input.output == expected.output)
    let bare = try await Program.run(["replay", events])
    #expect(bare.code == 65)
    #expect(bare.complaints.hasPrefix("\(events):1: "), "\(bare.complaints)")
    #expect(bare.complaints.contains("description"))
  }

  @Test func actsInTime() async throws {
    let folder = try TemporaryFolder()
    let press = try folder.write("press.evemu", Recorded.oneLoad)
    let ended = try await Program.run(["replay", press, "--action", "clear_tare@0.9", "--action", "tare@0.5"])
    #expect(ended.code == 0)
    let events = ended.output.split(separator: "\n").filter { $0.contains(#""topic":"event""#) }
    #expect(
      events.dropFirst().map { $0.prefix(50) } == [
        #"{"t":0.5,"topic":"event","payload":{"type":"tared""#, #"{"t":0.9,"topic":"event","payload":{"type":"tare_c"#,
      ])
  }

  /// As the service does at its start.
  @Test func knowsTheContainersOfTheJournal() async throws {
    let folder = try TemporaryFolder()
    let arguments = [
      "replay", try folder.write("press.evemu", Recorded.oneLoad), "--journal", "\(folder.path)/weighings.db",
      "--action",
    ]
    let stored = try await Program.run(arguments + [#"container {"name": "jug"}@0.9"#])
    #expect(stored.code == 0, "\(stored)")
    let tared = try await Program.run(arguments + [#"tare {"container": "jug"}@0.1"#])
    let lines = tared.output.split(separator: "\n")
    #expect(lines.contains { $0.contains(#""topic":"containers","payload":{"containers":[{"name":"jug""#) }, "\(lines)")
    #expect(lines.contains { $0.contains(#""type":"tared""#) && $0.contains(#""container":"jug""#) }, "\(lines)")
    let removed = try await Program.run(arguments + [#"container {"name": "jug", "remove": true}@0.1"#])
    #expect(removed.code == 0, "\(removed)")
    let unknown = try await Program.run(arguments + [#"tare {"container": "jug"}@0.1"#])
    #expect(unknown.output.contains(#""reason":"unknown_container""#), "\(unknown.output)")
  }

  /// The commands to an output have its whole topic, and their payload is a string.
  @Test func dosesAsIfThereWereABroker() async throws {
    let folder = try TemporaryFolder()
    let press = try folder.write("press.evemu", Recorded.oneLoad)
    let configuration = try folder.write("dose.yaml", "outputs: [{name: grinder, topic: cmnd/grinder/POWER}]\n")
    let ended = try await Program.run([
      "replay", press, "--config", configuration, "--action", #"dose {"output": "grinder", "target_g": 350}@0.5"#,
      "--action", "dose@0.9",
    ])
    #expect(ended.code == 0, "\(ended)")
    let lines = ended.output.split(separator: "\n").filter { $0.contains(#""topic":"cmnd/grinder/POWER","payload":"#) }
    #expect(lines.count { $0.hasSuffix(#""payload":"ON"}"#) } == 1, "\(ended.output)")
    #expect(lines.last?.hasSuffix(#""payload":"OFF"}"#) == true, "\(ended.output)")
    #expect(ended.output.contains(#""type":"dosed","#))
  }

  /// A payload has the same effect as over MQTT.
  @Test func actsWithAPayload() async throws {
    let folder = try TemporaryFolder()
    let press = try folder.write("press.evemu", Recorded.oneLoad)
    func replay(_ actions: [String]) async throws -> [String] {
      let ended = try await Program.run(["replay", press] + actions.flatMap { ["--action", $0] })
      #expect(ended.code == 0 && ended.complaints.isEmpty, "\(ended)")
      return ended.output.split(separator: "\n").map(String.init)
    }
    func records(_ lines: [String]) -> [String] { lines.filter { value(in: $0, ["topic"]) as? String == "weighing" } }
    let commit = #"commit {"label": "a@b", "source": "dashboard"}@0.6"#
    let first = try #require(try await records(replay([commit])).first)
    #expect(value(in: first, ["payload", "label"]) as? String == "a@b")
    #expect(value(in: first, ["payload", "source"]) as? String == "dashboard")
    #expect(value(in: first, ["t"]) as? Double == 0.6)
    let id = try #require(value(in: first, ["payload", "id"]) as? String)
    let all = try await records(
      replay([
        commit, #"commit{"label":"last"}@0.7"#, #"relabel {"id": "\#(id)", "label": null}@0.8"#,
        #"void {"id": "\#(id)"}@0.9"#,
      ]))
    #expect(all.map { value(in: $0, ["payload", "kind"]) as? String } == ["weighing", "weighing", "relabel", "void"])
    #expect(all.last.flatMap { value(in: $0, ["payload", "voids"]) } as? String == id)
    #expect(all.last.flatMap { value(in: $0, ["payload", "source"]) } as? String == "command_line")
    let quick = try await replay([
      #"actions {"actions": [{"type": "beans", "user_info": {"label": "arabica"}}]}@0.5"#, "beans@0.6",
    ])
    #expect(records(quick).map { value(in: $0, ["payload", "label"]) as? String } == ["arabica"])
  }

  /// An invalid action, the exit code, and a part of the message.
  @Test(arguments: [
    ("tare", 64, "TYPE@SECONDS"), ("tare@", 64, "TYPE@SECONDS"), ("tare@-1", 64, "TYPE@SECONDS"),
    ("tare@soon", 64, "TYPE@SECONDS"), ("@1", 64, "action type"),
    (#"{"label":"x"}@1"#, 64, "action type"),
    (#"commit {"label": "a@b"}"#, 64, "TYPE@SECONDS"),
    (#"commit {"label": "x"@1"#, 65, "--action commit: invalid JSON at byte 13"),
    (#"commit {"lable": "x"}@1"#, 65, "lable"), (#"commit "x"@1"#, 65, "--action commit: expected an object"),
    (#"commit {"label": 7}@1"#, 65, "--action commit: label: "),
    (#"relabel {}@1"#, 65, "--action relabel: label: missing"),
    (#"tare {"id": "x"}@1"#, 65, "id"),
  ])
  func namesTheActionThatCannotBeUsed(_ action: String, _ code: Int32, _ words: String) async throws {
    let folder = try TemporaryFolder()
    let press = try folder.write("press.evemu", Recorded.oneLoad)
    let ended = try await Program.run(["replay", press, "--action", action])
    #expect(ended.code == code && ended.output.isEmpty, "\(ended)")
    #expect(ended.complaints.contains(words), "\(ended.complaints)")
  }

  @Test func playsInTime() async throws {
    let folder = try TemporaryFolder()
    let press = try folder.write("press.evemu", Recorded.oneLoad)
    let fast = try await Program.run(["replay", press])
    let start = ContinuousClock.now
    let timed = try await Program.run(["replay", press, "--speed", "2"])
    #expect(ContinuousClock.now - start >= .milliseconds(500), "one second at twice the speed")
    #expect(timed.output == fast.output)
  }

  /// A recording, the invalid line, and a part of the message.
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var line: Int
    var words: [String]
  }

  static let bad = [
    Bad(testDescription: "empty", text: "", line: 1, words: ["empty file"]),
    Bad(testDescription: "prose", text: "hello\n", line: 1, words: ["'hello'"]),
    Bad(
      testDescription: "truncated", text: Recorded.oneLoad + "E: 1.1 0003 0018 10", line: 8,
      words: ["end of the file"]),
    Bad(testDescription: "field missing", text: Recorded.device + "E: 0.1 0003 0018\n", line: 4, words: ["a value"]),
    Bad(testDescription: "not a number", text: Recorded.device + "E: 0.1 0003 0018 x7\n", line: 4, words: ["'x7'"]),
    Bad(testDescription: "not a time", text: Recorded.device + "E: soon 0003 0018 1\n", line: 4, words: ["'soon'"]),
    Bad(testDescription: "bytes", text: "N: a\n\u{0}\u{1}\u{7f}\n", line: 2, words: ["\\x00"]),
    Bad(testDescription: "no name", text: "I: 3 1 1 1\nE: 0.1 0 0 0\n", line: 2, words: ["N:"]),
    Bad(testDescription: "header late", text: Recorded.oneLoad + "N: again\n", line: 8, words: ["E: lines only"]),
  ]

  @Test(arguments: bad) func namesTheLine(_ bad: Bad) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("press.evemu", bad.text)
    let ended = try await Program.run(["replay", file])
    #expect(ended.code == 65)
    #expect(ended.output.isEmpty)
    #expect(ended.complaints.hasPrefix("\(file):\(bad.line): "), "\(ended.complaints)")
    for word in bad.words { #expect(ended.complaints.contains(word), "\(ended.complaints)") }
    #expect(ended.complaints.split(separator: "\n").count == 1)
  }

  @Test func namesTheLineOfADescription() async throws {
    let folder = try TemporaryFolder()
    let press = try folder.write("press.evemu", Recorded.oneLoad)
    let device = try folder.write("pad.desc", "N: Pad\nI: 3 1 1\n")
    let ended = try await Program.run(["replay", press, "--device-description", device])
    #expect(ended.code == 65)
    #expect(ended.complaints.hasPrefix("\(device):2: "), "\(ended.complaints)")
  }

  @Test func cannotWeighWithAMouse() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("mouse.evemu", "N: Mouse\nI: 3 1 1 1\nB: 02 03 00 00 00 00 00 00 00\n")
    let ended = try await Program.run(["replay", file])
    #expect(ended.code == 65)
    #expect(ended.output.isEmpty)
    #expect(ended.complaints.contains("Mouse cannot weigh: no pressure axis"), "\(ended.complaints)")
  }

  @Test func missesTheFile() async throws {
    let folder = try TemporaryFolder()
    let press = try folder.write("press.evemu", Recorded.oneLoad)
    let missing = "\(folder.path)/no-such"
    for arguments in [[missing], [folder.path], [press, "--device-description", missing]] {
      let ended = try await Program.run(["replay"] + arguments)
      #expect(ended.code == 66)
      #expect(ended.output.isEmpty)
      #expect(ended.complaints.hasPrefix("grampad: \(arguments.last ?? ""): "), "\(ended.complaints)")
    }
  }

  @Test(arguments: [["replay", "RECORDING"], ["check"], ["devices", "--json"]])
  func tellsThatTheDiskIsFull(_ command: [String]) async throws {
    let folder = try TemporaryFolder()
    let press = try folder.write("press.evemu", Recorded.oneLoad)
    let ended = try await Program.run(command.map { $0 == "RECORDING" ? press : $0 }, output: "/dev/full")
    #expect(ended.code == 74)
    #expect(ended.complaints.contains("standard output: No space left on device"), "\(ended.complaints)")
  }
}
