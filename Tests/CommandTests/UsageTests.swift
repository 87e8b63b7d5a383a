import Testing

/// Version, help, and errors of the command line.
@Suite struct UsageTests {
  static let commands = [
    "demo", "run", "check", "devices", "record", "replay", "tare", "clear-tare", "zero", "commit", "void", "action",
    "history",
  ]

  @Test(arguments: commands) func helpsWithExamples(_ command: String) async throws {
    let help = try await Program.run([command, "--help"])
    #expect(help.code == 0)
    #expect(help.complaints.isEmpty)
    #expect(help.output.contains("USAGE: grampad \(command)"))
    #expect(help.output.contains("grampad \(command)"))
    #expect(help.output.contains("Example"), "\(help.output)")
  }

  @Test func listsItsCommands() async throws {
    let help = try await Program.run(["--help"])
    #expect(help.code == 0)
    for command in Self.commands { #expect(help.output.contains("  \(command) "), "\(command)") }
    let groups = help.output.matches(of: #/(?m)^([A-Z ]+) SUBCOMMANDS:/#).map { String($0.1) }
    #expect(groups == ["SERVICE", "PAD", "WEIGHING", "JOURNAL AND BACKUP"], "\(help.output)")
    #expect(help.output.contains("Example"))
  }

  @Test func tellsItsVersion() async throws {
    let version = try await Program.run(["--version"])
    #expect(version.code == 0)
    #expect(version.output.split(separator: ".").count == 3, "\(version.output)")
    #expect(version.complaints.isEmpty)
  }

  static let misuses: [[String]] = [
    ["weigh"], ["demo", "--no-such"], ["demo", "--port", "65536"], ["demo", "--port", "x"], ["run", "--no-such"],
    ["run", "left-over"], ["run", "--config"], ["run", "--log-level", "loud"], ["check", "--no-such"],
    ["check", "a.yaml", "--config", "b.yaml"], ["devices", "--no-such"], ["record"], ["record", "auto"],
    ["record", "auto", "-o", "x", "--seconds", "0"], ["record", "auto", "-o", "x", "--seconds", "nan"], ["replay"],
    ["replay", "a.evemu", "--no-such"], ["replay", "a.evemu", "--speed", "0"], ["replay", "a.evemu", "--speed", "-1"],
    ["replay", "a.evemu", "--speed", "inf"], ["replay", "a.evemu", "--speed", "x"],
    ["replay", "a.evemu", "--action", "tare"], ["replay", "a.evemu", "--action", "tare@"],
    ["replay", "a.evemu", "--action", "@1"], ["replay", "a.evemu", "--action", "tare@-1"],
    ["replay", "a.evemu", "--action", "tare@nan"],
    ["replay", "a.evemu", "--action"], ["tare", "left-over"], ["tare", "--broker", "localhost"],
    ["tare", "--device", "a/b"], ["zero", "--timeout", "0"], ["clear-tare", "--timeout", "nan"],
    ["commit", "beans"], ["commit", "--label"], ["void", "--label", "x"], ["action"], ["action", "a/b"],
    ["action", ""],
  ]

  @Test(arguments: misuses) func refusesWhatItDoesNotUnderstand(_ arguments: [String]) async throws {
    let ended = try await Program.run(arguments)
    #expect(ended.code == 64)
    #expect(ended.output.isEmpty, "nothing but data on standard output")
    #expect(ended.complaints.contains("Error: "))
    #expect(ended.complaints.contains("Usage: ") || ended.complaints.contains("--help"))
  }

  /// An error says what is expected, in the words of the command line; a negative number is a value.
  @Test(arguments: [
    (["timer", "go"], "'start', 'stop' or 'reset'"),
    (["tare", "--grams", "-5"], "--grams: expected a number of grams from 0."),
    (["tare", "--grams=-5", "--json"], "--grams: expected a number of grams from 0."),
    (["tare", "--grams", "5", "--container", "jug"], "--container: not together with --grams."),
    (["target", "-5"], "GRAMS: expected a number of grams above 0."),
    (["target", "18", "--tolerance", "-0.5"], "--tolerance: expected a number of grams from 0."),
    (["target", "--stop-ahead", "--off"], "--stop-ahead: requires GRAMS."),
    (["dose"], "Give one of OUTPUT GRAMS, --stop, --learned and --forget."),
    (["dose", "grinder"], "Give OUTPUT and GRAMS."),
    (["dose", "grinder", "18", "--stop"], "Give one of OUTPUT GRAMS,"),
    (["dose", "my plug", "18"], "OUTPUT: expected"),
    (["dose", "grinder", "-5"], "GRAMS: expected a number of grams above 0."),
    (["dose", "--forget", "a", "--learned"], "Give one of OUTPUT GRAMS,"),
    (["dose", "--stop", "--label", "a"], "Give one of OUTPUT GRAMS,"),
    (["count", "-3"], "PIECES: expected an integer from 1 to 1000000."),
    (["count", "--piece-grams", "-1"], "--piece-grams: expected a number of grams above 0."),
    (["count", "--off", "--piece-spread", "0.1"], "--piece-spread: requires PIECES or --piece-grams."),
    (["container", ""], "NAME: expected"),
    (["zero", "--timeout", "-1"], "--timeout must be greater than 0"),
    (["history", "--limit", "-1"], "--limit must be 1 or more"),
    (["history", "--ids", "--json"], "--ids applies to the table"),
    (["calibrate", "verify", "-5"], "MASS must be greater than 0"),
    (["calibrate", "--curve", "cubic"], "'linear', 'monotone', 'polynomial' or 'power'"),
    (["calibrate", "--device", "kitchen", "--from", "points.csv"], "--device cannot be combined with --from"),
    (["calibrate", "--broker", "mqtt://h", "--appliance", "http://h"], "cannot be combined with --broker or --device"),
    (["void", "--id", "seven"], "such as 7 or '#7'"), (["void", "--id", "0"], "such as 7 or '#7'"),
    (["relabel", "rye", "--id", "-7"], "such as 7 or '#7'"),
    (["target", "-5", "--json", "--tolerance", "-1"], "GRAMS: expected a number of grams above 0."),
    (["target", "--tolerance", "1", "-5"], "GRAMS: expected a number of grams above 0."),
    (["target", "--json", "-5"], "Give either GRAMS or --off."),
    (["target", "18", "--tolerance", "--json"], "'--json' is invalid for '--tolerance <tolerance>'"),
  ])
  func anErrorNamesWhatIsExpected(_ arguments: [String], _ expected: String) async throws {
    let ended = try await Program.run(arguments)
    #expect(ended.code == 64 && ended.complaints.contains(expected), "\(ended.complaints)")
  }
}
